#include <fmt/format.h>

#include "curate/exchange/exchange.hpp"
#include "data/base/error.hpp"
#include "tools/curate/commands.hpp"
#include "tools/curate/shared/subject.hpp"

namespace procsim::tools {

namespace {

struct Options {
  SubjectOptions subject;
  std::string format;
  std::optional<std::filesystem::path> out;
  std::string image_prefix;
  std::size_t top = 500;
  bool config = false, force = false;
};

int run(const Options& options, const GlobalOptions& global) {
  const auto format = curate::exchange_format_from_string(options.format);
  const auto subject = open_subject(options.subject, global);
  const auto ranking = subject.suspects();
  const auto summary = curate::summarize(subject.scores, ranking, subject.families);
  const auto report =
      curate::make_report(subject.scores, ranking, subject.families, summary, subject.source, options.top);
  if (options.config && format != curate::ExchangeFormat::kLabelStudio)
    throw UsageError("--config is for label-studio only");
  const auto content = options.config ? curate::label_studio_config(report)
                                      : curate::export_suspects(report, format, options.image_prefix);
  if (!options.out) {
    fmt::print("{}", content);
    return 0;
  }
  write_result(*options.out, content, options.force);
  fmt::print("{}\n", options.out->string());
  return 0;
}

}  // namespace

void add_curate_export(Program& program) {
  auto options = std::make_shared<Options>();
  auto* command =
      program.add("export", "The suspects for Label Studio, CVAT (Datumaro), FiftyOne or a spreadsheet",
                  "curate export label-studio --image-prefix '/data/local-files/?d=birds/' --out tasks.json");
  command->add_option("format", options->format, "label-studio, datumaro, fiftyone, csv")->required();
  add_subject_options(command, options->subject);
  command->add_option("--out", options->out, "File to write (default: stdout)")->type_name("FILE");
  command->add_option("--image-prefix", options->image_prefix, "What the tool needs before each image's path")
      ->type_name("TEXT");
  command->add_option("--top", options->top, "How many suspects")->type_name("N")->check(CLI::PositiveNumber);
  command->add_flag("--config", options->config,
                    "label-studio: the labelling configuration instead of the tasks");
  command->add_flag("--force", options->force, "Replace --out when it is there and differs");
  program.on(command, [options](const GlobalOptions& global) { return run(*options, global); });
}

}  // namespace procsim::tools
