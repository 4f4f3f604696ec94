#include "curate/decisions/agreement.hpp"

#include <map>
#include <unordered_map>

#include <fmt/format.h>

#include "curate/decisions/decisions.hpp"
#include "data/labels/label_set.hpp"
#include "data/measures/intervals.hpp"
#include "tools/curate/commands.hpp"
#include "tools/curate/shared/reviewed_labels.hpp"
#include "tools/curate/shared/subject.hpp"
#include "tools/program/option_groups.hpp"
#include "tools/program/print_safely.hpp"
#include "tools/program/workspace_choice.hpp"

namespace procsim::tools {

namespace agreement_command {
namespace {

using Json = nlohmann::ordered_json;

struct Options {
  std::optional<std::filesystem::path> labels;
  std::optional<std::string> dataset;
  std::size_t top = 20;
};

struct Given {
  std::unordered_map<std::int64_t, std::int32_t> label;
  std::vector<std::string> classes;
};

Given read_given(const std::filesystem::path& file, const curate::DecisionLog& log) {
  LabelReadOptions read;
  read.paths = false;
  LabelSetReader reader(file, read);
  Given given;
  given.classes = reader.info().class_names();
  while (const auto batch = reader.next())
    for (std::int64_t row = 0; row < batch->rows(); ++row) {
      const auto sample = batch->sample_ids()[static_cast<std::size_t>(row)];
      if (log.standing().contains(sample))
        given.label[sample] = batch->labels()[static_cast<std::size_t>(row)];
    }
  return given;
}

std::string in_words(const std::string& category, const std::vector<std::string>& classes) {
  if (!category.starts_with("label ")) return category;
  const auto label = std::stol(category.substr(6));
  return label >= 0 && static_cast<std::size_t>(label) < classes.size()
             ? classes[static_cast<std::size_t>(label)]
             : category;
}

struct Caught {
  std::size_t shown = 0, caught = 0;
};

// A planted error is caught by whatever does not keep the label that was shown; skips do not count.
std::map<std::string, Caught> planted(const curate::DecisionLog& log) {
  std::map<std::string, Caught> result;
  for (const auto& [sample, opinions] : log.planted())
    for (const auto& [reviewer, opinion] : opinions) {
      if (opinion.verdict == curate::Verdict::kSkip) continue;
      auto& count = result[reviewer];
      ++count.shown;
      count.caught += opinion.verdict != curate::Verdict::kKeep ? 1 : 0;
    }
  return result;
}

std::string kappa_text(const std::optional<double>& kappa) {
  return kappa ? fmt::format("{:.3f}", *kappa) : "undefined";
}

int run(const Options& options, const GlobalOptions& global) {
  const std::optional<Workspace> workspace(open_workspace(global));
  const auto labels = pick_reviewed_labels(options.labels, options.dataset, workspace, global);
  const auto log = curate::fold_decisions(workspace->decisions(labels.digest));
  const auto given = read_given(labels.file, log);
  std::map<std::int64_t, curate::Votes> votes;
  std::map<std::string, std::size_t> opinions_of;
  for (const auto& [sample, opinions] : log.standing()) {
    const auto label = given.label.find(sample);
    for (const auto& [reviewer, opinion] : opinions) {
      const auto vote = curate::category(opinion, label == given.label.end() ? kUnlabelled : label->second);
      if (vote.empty()) continue;
      votes[sample][reviewer] = vote;
      ++opinions_of[reviewer];
    }
  }
  const auto result = curate::agreement(votes);
  const auto caught = planted(log);

  if (global.json) {
    const auto number = [](const std::optional<double>& value) {
      return value ? Json(*value) : Json(nullptr);
    };
    Json json{
        {"shared", result.shared}, {"observed", result.observed}, {"fleiss_kappa", number(result.fleiss)}};
    auto& reviewers = json["reviewers"] = Json::array();
    for (const auto& [reviewer, count] : opinions_of) {
      Json item{{"reviewer", reviewer}, {"decisions", count}};
      if (const auto found = caught.find(reviewer); found != caught.end()) {
        item["planted"] = found->second.shown;
        item["planted_caught"] = found->second.caught;
      }
      reviewers.push_back(std::move(item));
    }
    auto& pairs = json["pairs"] = Json::array();
    for (const auto& pair : result.pairs)
      pairs.push_back({{"first", pair.first},
                       {"second", pair.second},
                       {"both", pair.both},
                       {"observed", pair.observed},
                       {"cohen_kappa", number(pair.kappa)}});
    auto& disputed = json["disputed"] = Json::array();
    for (const auto sample : result.disputed) {
      Json words = Json::object();
      for (const auto& [reviewer, vote] : votes[sample]) words[reviewer] = in_words(vote, given.classes);
      disputed.push_back({{"sample", sample}, {"votes", std::move(words)}});
    }
    fmt::print("{}\n", json.dump(1, ' ', false, Json::error_handler_t::replace));
    return 0;
  }

  for (const auto& [reviewer, count] : opinions_of) {
    print_safely("{}: {} decisions", reviewer, count);
    if (const auto found = caught.find(reviewer); found != caught.end()) {
      const auto interval = wilson_interval(found->second.caught, found->second.shown);
      print_safely(", caught {} of {} planted errors ({:.0f}–{:.0f} %)", found->second.caught,
                   found->second.shown, 100 * interval.low, 100 * interval.high);
    }
    fmt::print("\n");
  }
  if (result.shared == 0) {
    fmt::print("no sample has been judged by two reviewers; curate serve --reviews 2 shows each to two\n");
    return 0;
  }
  print_safely("{} samples with two opinions or more, {:.1f} % agreement, Fleiss' kappa {}\n", result.shared,
               100 * result.observed, kappa_text(result.fleiss));
  for (const auto& pair : result.pairs)
    print_safely("{} and {}: {} samples, {:.1f} % agreement, Cohen's kappa {}\n", pair.first, pair.second,
                 pair.both, 100 * pair.observed, kappa_text(pair.kappa));
  print_safely("{} disputed\n", result.disputed.size());
  for (std::size_t i = 0; i < std::min(options.top, result.disputed.size()); ++i) {
    print_safely("  sample {}:", result.disputed[i]);
    for (const auto& [reviewer, vote] : votes[result.disputed[i]])
      print_safely(" {} says {};", reviewer, in_words(vote, given.classes));
    fmt::print("\n");
  }
  return 0;
}

}  // namespace
}  // namespace agreement_command

void add_curate_agreement(Program& program) {
  using namespace agreement_command;
  auto options = std::make_shared<Options>();
  auto* command =
      program.add("agreement", "How far reviewers agree: Cohen's and Fleiss' kappa, disputed samples",
                  "curate agreement --top 50");
  add_labels_option(command, options->labels, "Label set that was reviewed", kReviewedByDefault);
  add_dataset_option(command, options->dataset);
  add_top_option(command, options->top, "How many disputed samples to list");
  program.on(command, options, run);
}

}  // namespace procsim::tools
