#include <fmt/format.h>

#include "curate/exchange/exchange.hpp"
#include "data/base/error.hpp"
#include "tools/curate/commands.hpp"
#include "tools/curate/shared/subject.hpp"
#include "tools/program/option_groups.hpp"
#include "tools/program/validators.hpp"

namespace procsim::tools {

namespace {

struct Options {
  SubjectOptions subject;
  OutputOptions output;
  std::string format;
  std::string image_prefix;
  std::size_t top = 500;
  bool config = false;
};

// Suspects are no decisions yet.
std::vector<std::string> format_names() {
  auto names = curate::exchange_format_names();
  std::erase(names, to_string(curate::ExchangeFormat::kDecisions));
  return names;
}

void setup(Options& options) {
  if (options.config && options.format != to_string(curate::ExchangeFormat::kLabelStudio))
    throw UsageError("--config is for --format label-studio only");
}

int run(const Options& options, const GlobalOptions& global) {
  const auto format = curate::exchange_format_from_string(options.format);
  const auto subject = open_subject(options.subject, global);
  const auto ranking = subject.suspects();
  const auto summary = curate::summarize(subject.scores, ranking, subject.families);
  const auto report =
      curate::make_report(subject.scores, ranking, subject.families, summary, subject.source, options.top);
  const auto content = options.config ? curate::label_studio_config(report)
                                      : curate::export_suspects(report, format, options.image_prefix);
  write_output(options.output, content);
  if (options.output.path) fmt::print("{}\n", options.output.path->string());
  return 0;
}

}  // namespace

void add_curate_export(Program& program) {
  auto options = std::make_shared<Options>();
  auto* command = program.add(
      "export", "The suspects for Label Studio, CVAT (Datumaro), FiftyOne or a spreadsheet",
      "curate export --format label-studio --image-prefix '/data/local-files/?d=birds/' -o tasks.json");
  command->add_option("--format", options->format, "For which tool")
      ->required()
      ->check(one_of(format_names()));
  add_subject_options(command, options->subject);
  add_output_options(command, options->output, "File to write (default: standard output)");
  command->add_option("--image-prefix", options->image_prefix, "What the tool needs before each image's path")
      ->type_name("TEXT");
  add_top_option(command, options->top, "How many suspects");
  command->get_option("--top")->check(CLI::Range(1, 1'000'000'000));  // without suspects it helps nobody
  command->add_flag("--config", options->config,
                    "label-studio: the labelling configuration instead of the tasks");
  program.on(command, options, setup, run);
}

}  // namespace procsim::tools
