#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "curate/decisions/findings.hpp"
#include "curate/report/report_files.hpp"
#include "data/base/error.hpp"
#include "tools/curate/commands.hpp"
#include "tools/curate/shared/subject.hpp"
#include "tools/program/option_groups.hpp"
#include "tools/program/print_safely.hpp"
#include "tools/program/validators.hpp"

namespace procsim::tools {

namespace audit_command {
namespace {

struct Options {
  SubjectOptions subject;
  OutputOptions output;
  std::size_t cards = curate::kCardsToKnow;
  std::uint64_t seed = 1;
};

struct StratumCounts {
  std::size_t samples = 0, cards = 0, wrong = 0;
  float least = 1, most = 0;  // probability as scored
};

std::vector<StratumCounts> count_strata(const Subject& subject, const curate::AuditDesign& design,
                                        std::span<const curate::JudgedRow> judged) {
  std::vector<StratumCounts> strata(design.strata());
  for (std::uint32_t row = 0; row < subject.scores.size(); ++row) {
    auto& stratum = strata[design.stratum(row)];
    const float p = subject.scores.p_mislabelled()[row];
    ++stratum.samples;
    stratum.least = std::min(stratum.least, p);
    stratum.most = std::max(stratum.most, p);
  }
  for (const auto& each : judged)
    if (each.audited) {
      auto& stratum = strata[design.stratum(each.row)];
      ++stratum.cards;
      stratum.wrong += each.wrong ? 1 : 0;
    }
  return strata;
}

// The next cards of the audit, as a table to fill in. It does not say what the scores think of them: whoever
// knew would judge differently.
std::string cards_csv(const Subject& subject, const curate::AuditDesign& design,
                      const curate::DecisionLog& decisions, std::size_t cards) {
  const auto& table = subject.scores;
  std::vector<std::size_t> drawn(design.strata(), 0);
  for (const auto& [sample, opinions] : decisions.audits())
    if (const auto row = table.find(sample)) ++drawn[design.stratum(*row)];
  std::vector<bool> taken(table.size(), false);
  std::vector<std::int64_t> samples;
  std::vector<std::string> paths, labels, empty;
  while (samples.size() < cards) {
    const auto row = design.next(drawn, [&](std::uint32_t each) {
      return !taken[each] && !decisions.standing().contains(table.sample_ids()[each]);
    });
    if (!row) break;
    taken[*row] = true;
    ++drawn[design.stratum(*row)];
    samples.push_back(table.sample_ids()[*row]);
    paths.emplace_back(table.path(*row));
    labels.push_back(table.class_name(table.labels()[*row]));
    empty.emplace_back();
  }
  Table filled;
  filled.columns = {{"sample_id", samples},
                    {"path", paths},
                    {"label_name", labels},
                    {"verdict", empty},
                    {"new_label", empty}};
  return curate::table_csv(filled);
}

void print(const curate::Summary& summary, std::span<const StratumCounts> strata) {
  print_safely("{:>15}{:>10}{:>8}{:>8}\n", "probability", "samples", "cards", "wrong");
  for (auto stratum = strata.rbegin(); stratum != strata.rend(); ++stratum)
    if (stratum->samples > 0)
      print_safely("  {:.3f} – {:.3f}{:>10}{:>8}{:>8}\n", stratum->least, stratum->most, stratum->samples,
                   stratum->cards, stratum->wrong);
  const auto& noise = summary.noise;
  const auto wrong = summary.wrong_labels();
  if (noise.method == curate::EstimateMethod::kAudit) {
    print_safely(
        "{} of {} labels are wrong: {:.1f} % ({} % interval {:.1f} to {:.1f} %), from {} random cards\n",
        wrong.count, summary.samples, 100 * noise.rate, noise.level(), 100 * noise.low, 100 * noise.high,
        noise.audited);
    return;
  }
  std::size_t cards = 0;
  for (const auto& stratum : strata) cards += stratum.cards;
  print_safely(
      "{} random cards judged, {} are needed: open curate serve and press the first button, or write them "
      "with "
      "--output cards.csv, fill in verdict (keep, relabel, none, ambiguous) and new_label, and give the file "
      "to "
      "curate import --audit\n",
      cards, curate::kLeastAudits);
}

int run(const Options& options, const GlobalOptions& global) {
  const auto subject = open_subject(options.subject, global);
  const auto decisions = curate::fold_decisions(subject.decisions());
  const curate::AuditDesign design(subject.scores, options.seed);
  if (options.output.path) {
    write_output(options.output, cards_csv(subject, design, decisions, options.cards));
    print_safely("{}\n", options.output.path->string());
    return 0;
  }
  const auto findings = curate::find_out(subject.scores, decisions, design);
  const auto summary = curate::summarize(subject.scores, subject.suspects(), subject.families, findings);
  const auto strata = count_strata(subject, design, curate::judged_rows(subject.scores, decisions));
  if (!global.json) {
    print(summary, strata);
    return 0;
  }
  curate::Report report;
  for (const auto& item : subject.scores.info().classes) report.classes.push_back(item.name);
  report.summary = summary;
  report.summary.families.clear();
  auto json = summary_json(report)["noise"];
  auto& list = json["strata"] = nlohmann::ordered_json::array();
  for (const auto& stratum : strata)
    list.push_back({{"least", stratum.least},
                    {"most", stratum.most},
                    {"samples", stratum.samples},
                    {"cards", stratum.cards},
                    {"wrong", stratum.wrong}});
  fmt::print("{}\n", json.dump(1));
  return 0;
}

}  // namespace
}  // namespace audit_command

void add_curate_audit(Program& program) {
  using namespace audit_command;
  auto options = std::make_shared<Options>();
  auto* command = program.add(
      "audit",
      "The rate of wrong labels from random cards of every stratum of suspicion, or such cards to judge",
      "curate audit --output cards.csv --cards 60");
  add_subject_options(command, options->subject);
  add_output_options(command, options->output,
                     "Write the next random cards here as CSV, instead of the estimate so far");
  command->add_option("--cards", options->cards, "How many cards")->type_name("N")->check(count());
  command->add_option("--seed", options->seed, "Seed of the draw")->check(seed());
  program.on(command, options, run);
}

}  // namespace procsim::tools
