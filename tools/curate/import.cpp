#include <set>

#include <fmt/format.h>

#include "curate/decisions/decisions.hpp"
#include "curate/exchange/exchange.hpp"
#include "data/base/error.hpp"
#include "data/base/utc_time.hpp"
#include "tools/curate/commands.hpp"
#include "tools/curate/shared/subject.hpp"
#include "tools/program/print_safely.hpp"
#include "tools/program/validators.hpp"

namespace procsim::tools {

namespace import_command {
namespace {

struct Options {
  SubjectOptions subject;
  std::filesystem::path file;
  std::optional<std::string> format;
  std::string reviewer;
  bool unchanged_is_keep = false;
  bool audit = false;
};

std::string identity(const DecisionRecord& record) {
  return fmt::format("{}\n{}\n{}\n{}\n{}\n{}", record.sample, record.reviewer, record.verdict,
                     record.new_label.value_or(-1), record.new_node, record.time);
}

int run(const Options& options, const GlobalOptions& global) {
  auto subject = open_subject(options.subject, global, find_workspace_to_be(global));
  curate::ImportOptions import;
  if (options.format) import.format = curate::exchange_format_from_string(*options.format);
  import.reviewer = options.reviewer;
  import.unchanged_is_keep = options.unchanged_is_keep;
  auto imported = curate::import_decisions(options.file, subject.scores, import);
  if (!imported.label_set.empty() && imported.label_set != subject.source.label_set)
    throw Error(fmt::format(
        "{} is about another label set ({}…) than the scores ({}…). Give the scores that were reviewed "
        "with --scores.",
        options.file.string(), imported.label_set.substr(0, 12), subject.source.label_set.substr(0, 12)));

  auto workspace = take_workspace(subject, global);
  std::set<std::string> known;
  curate::DecisionLog log;
  for (const auto& record : workspace.decisions(subject.source.label_set)) {
    known.insert(identity(record));
    log.add(record);
  }
  const auto now = utc_text(std::chrono::system_clock::now());
  std::size_t added = 0;
  // All of the file or nothing of it.
  workspace.put_together([&] {
    for (auto& record : imported.decisions) {
      if (known.contains(identity(record))) continue;
      if (record.time.empty()) {
        // A file without times is read again without harm when it says what stands already.
        const auto* standing = log.find(record.sample, record.reviewer);
        if (standing && to_string(standing->verdict) == record.verdict && standing->node == record.new_node &&
            standing->label.value_or(-1) == record.new_label.value_or(-1))
          continue;
        record.time = now;
      }
      record.label_set = subject.source.label_set;
      if (options.audit) record.source = curate::kFromAudit;
      log.add(workspace.append_decision(record));
      ++added;
    }
  });
  const auto before = imported.decisions.size() - added;
  if (global.json) {
    fmt::print("{}\n", nlohmann::ordered_json{{"format", to_string(imported.format)},
                                              {"added", added},
                                              {"known", before},
                                              {"unchanged", imported.unchanged}}
                           .dump(1));
    return 0;
  }
  print_safely("{} decisions added from {} ({}); {} were known already\n", added, options.file.string(),
               to_string(imported.format), before);
  if (imported.unchanged > 0)
    print_safely(
        "{} labels are as given and count as not looked at; --unchanged-is-keep counts them as kept\n",
        imported.unchanged);
  return 0;
}

}  // namespace
}  // namespace import_command

void add_curate_import(Program& program) {
  using namespace import_command;
  auto options = std::make_shared<Options>();
  auto* command =
      program.add("import", "Take in decisions made elsewhere: the static report, Label Studio, CVAT, CSV",
                  "curate import decisions-birds.json");
  command->add_option("file", options->file, "Decisions")->required()->type_name("FILE");
  add_subject_options(command, options->subject);
  command->add_option("--format", options->format, "What it is (default: by its content)")
      ->check(one_of(curate::exchange_format_names()));
  command->add_option("--reviewer", options->reviewer, "Who decided, where the file does not say")
      ->type_name("NAME");
  command->add_flag("--unchanged-is-keep", options->unchanged_is_keep,
                    "datumaro, fiftyone: a label that is still the given one was looked at and kept");
  command->add_flag(
      "--audit", options->audit,
      "These are the random cards that 'curate audit --output' drew: they stand for all labels");
  program.on(command, options, run);
}

}  // namespace procsim::tools
