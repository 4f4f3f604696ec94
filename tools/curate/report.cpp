#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "curate/report/report_files.hpp"
#include "curate/report/thumbnails.hpp"
#include "data/files/table.hpp"
#include "tools/curate/commands.hpp"
#include "tools/curate/shared/subject.hpp"
#include "tools/program/option_groups.hpp"
#include "tools/program/print_safely.hpp"
#include "tools/program/validators.hpp"

namespace procsim::tools {

namespace report_command {
namespace {

struct Options {
  SubjectOptions subject;
  OutputOptions output;
  std::size_t top = 500;
  std::vector<std::string> formats{"html", "csv"};
  bool no_images = false, no_formulas = false;
};

std::filesystem::path default_folder(const Subject& subject) {
  const auto home =
      subject.workspace ? subject.workspace->home().parent_path() : std::filesystem::current_path();
  return home / "reports" / subject.name;
}

void add_images(curate::Report& report, const Subject& subject, const GlobalOptions& global) {
  if (!subject.root) {
    say(global, "images: none in the page; give the data set's folder with --root to see them");
    return;
  }
  const auto missing = curate::add_thumbnails(report, subject.scores, curate::ImageStore(*subject.root),
                                              progress_bar(global, "thumbnails"));
  if (missing.count > 0)
    say(global, fmt::format("images: {} of {} cannot be shown; the first: {}", missing.count,
                            report.cards.size(), missing.first));
}

// Images that were missing or broken when the labels were scored.
void list_left_out(curate::Report& report, const Subject& subject, const GlobalOptions& global) {
  if (!subject.labels || !subject.workspace) return;
  const auto file = subject.workspace->resolve(subject.labels->path);
  if (!std::filesystem::exists(file)) return;
  std::optional<curate::ImageStore> images;
  if (subject.root && std::filesystem::is_directory(*subject.root)) images.emplace(*subject.root);
  report.left_out = curate::find_left_out(file, subject.scores, images ? &*images : nullptr);
  if (!report.left_out.empty())
    say(global,
        fmt::format("left out: {} labelled samples were not scored; the first: {} ({})",
                    report.left_out.size(), report.left_out.front().path, report.left_out.front().why));
}

// Looking at every image takes time: beyond these many it is left to curate duplicates.
constexpr std::size_t kNearCopies = 5'000, kExactCopies = 50'000;

void list_copies(curate::Report& report, const Subject& subject, const GlobalOptions& global) {
  if (!subject.labels || !subject.workspace || !subject.root || !std::filesystem::is_directory(*subject.root))
    return;
  const auto file = subject.workspace->resolve(subject.labels->path);
  if (!std::filesystem::exists(file)) return;
  auto& copies = report.copies;
  copies.samples = curate::read_copy_samples(file);
  const auto count = copies.samples.size();
  curate::CopyOptions options;
  options.near = count <= kNearCopies;
  if (!options.near)
    say(global, fmt::format("copies: {} not looked for among {} images; curate duplicates does",
                            count <= kExactCopies ? "near ones" : "they are", count));
  if (count > kExactCopies) return;
  copies.groups = curate::find_copies(copies.samples, curate::ImageStore(*subject.root), options,
                                      progress_bar(global, "looking for copies"))
                      .groups;
  if (!copies.groups.empty())
    say(global, fmt::format("copies: {} groups of samples show the same image; curate duplicates lists them",
                            copies.groups.size()));
}

// The page's first two answers, for whoever does not open it.
void print_answer(const curate::Summary& summary) {
  const auto wrong = summary.wrong_labels();
  const auto& noise = summary.noise;
  if (noise.needs_audit()) {
    print_safely(
        "between {:.0f} and {:.0f} % of {} labels are wrong: judge {} random cards to know (curate serve, "
        "first button; or curate audit)\n",
        100 * noise.low, 100 * noise.high, summary.samples, curate::kCardsToKnow);
    return;
  }
  print_safely("{} of {} labels are probably wrong ({} % interval {} to {})", wrong.count, summary.samples,
               summary.noise.level(), wrong.low, wrong.high);
  if (const auto review = summary.review_for(0.95))
    print_safely("; reviewing {} finds 95 % of them", *review);
  fmt::print("\n");
}

int run(const Options& options, const GlobalOptions& global) {
  const auto subject = open_subject(options.subject, global);
  const auto ranking = subject.suspects();
  const auto decisions = curate::fold_decisions(subject.decisions());
  const auto findings = curate::find_out(subject.scores, decisions, curate::AuditDesign(subject.scores, 0));
  const auto summary = curate::summarize(subject.scores, ranking, subject.families, findings);
  auto report = curate::make_report(subject.scores, ranking, subject.families, summary, subject.source,
                                    options.top, &findings);

  list_left_out(report, subject, global);
  if (!options.no_images) list_copies(report, subject, global);
  const auto folder = options.output.path.value_or(default_folder(subject));
  std::vector<std::string> files;
  for (const auto& format : options.formats) {
    const auto path =
        folder / fmt::format("{}.{}", format == "html" || format == "md" ? "report" : "suspects", format);
    if (format == "html") {
      if (!options.no_images) add_images(report, subject, global);
      write_result(path, curate::report_html(report), options.output.force);
    } else if (format == "csv") {
      const auto text = curate::table_csv(curate::suspects_table(report));
      write_result(path, options.no_formulas ? without_formulas(text) : text, options.output.force);
    } else if (format == "json") {
      write_result(path, curate::report_json(report), options.output.force);
    } else if (format == "md") {
      write_result(path, curate::report_markdown(report), options.output.force);
    } else {
      write_parquet_table(path, curate::suspects_table(report),
                          options.output.force ? IfExists::kReplace : IfExists::kKeepSame);
    }
    files.push_back(path.string());
  }
  if (global.json) {
    auto result = curate::summary_json(report);
    result["files"] = std::move(files);
    fmt::print("{}\n", result.dump(1));
    return 0;
  }
  print_answer(report.summary);
  for (const auto& file : files) print_safely("{}\n", file);
  return 0;
}

}  // namespace
}  // namespace report_command

void add_curate_report(Program& program) {
  using namespace report_command;
  auto options = std::make_shared<Options>();
  auto* command =
      program.add("report", "How many labels are probably wrong, where, and which: a page and lists",
                  "curate report --top 1000 --format html,csv,parquet");
  add_subject_options(command, options->subject);
  add_root_option(command, options->subject.root);
  add_output_options(command, options->output,
                     "Folder for the files (default: reports/<run> beside .procsim)", "DIR");
  // Without suspects it helps nobody.
  add_top_option(command, options->top, "How many suspects to list", 1);
  command->add_option("--format", options->formats, "What to write; several with commas")
      ->delimiter(',')
      ->check(one_of({"html", "csv", "parquet", "json", "md"}));
  command->add_flag("--no-images", options->no_images, "Leave the thumbnails out of the page");
  command->add_flag("--no-formulas", options->no_formulas,
                    "csv: an apostrophe before names that a spreadsheet would take for formulas");
  program.on(command, options, run);
}

}  // namespace procsim::tools
