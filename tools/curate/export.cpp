#include <fmt/format.h>

#include "curate/exchange/exchange.hpp"
#include "data/base/error.hpp"
#include "data/files/table.hpp"
#include "tools/curate/commands.hpp"
#include "tools/curate/shared/subject.hpp"
#include "tools/program/option_groups.hpp"
#include "tools/program/print_safely.hpp"
#include "tools/program/validators.hpp"

namespace procsim::tools {

namespace export_command {
namespace {

struct Options {
  SubjectOptions subject;
  OutputOptions output;
  std::string format;
  std::string image_prefix;
  std::optional<std::filesystem::path> images;
  std::size_t top = 500;
  bool config = false, no_formulas = false;
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
  if (options.no_formulas && options.format != to_string(curate::ExchangeFormat::kCsv))
    throw UsageError("--no-formulas is for --format csv only");
}

// Where a tool looks for the images beside the file that it reads.
std::filesystem::path images_folder(const Options& options, curate::ExchangeFormat format) {
  if (options.images) return *options.images;
  auto beside = options.output.path->parent_path();
  if (format == curate::ExchangeFormat::kFiftyOne) return beside / "data";
  if (format == curate::ExchangeFormat::kDatumaro && beside.filename() == "annotations")
    beside = beside.parent_path();
  return beside / "images";
}

// No other tool looks into Parquet files: the suspects' images are written out.
std::map<std::int64_t, std::string> write_images(const Options& options, const Subject& subject,
                                                 const curate::Report& report, curate::ExchangeFormat format,
                                                 const GlobalOptions& global) {
  if (!curate::has_embedded_images(report)) return {};
  if (!options.output.path && !options.images)
    throw UsageError(
        "the images lie inside Parquet files and are written out as files. Say where with --images DIR, or "
        "give "
        "--output FILE: they go into a folder beside it.");
  if (!subject.root)
    throw Error("the images lie inside Parquet files, and nobody says where those are. Give --root DIR.");
  const auto folder = images_folder(options, format);
  auto written = curate::write_embedded_images(report, curate::ImageStore(*subject.root), folder);
  say(global, fmt::format("images: {} written out of Parquet into {}", written.size(), folder.string()));
  return written;
}

int run(const Options& options, const GlobalOptions& global) {
  const auto format = curate::exchange_format_from_string(options.format);
  const auto subject = open_subject(options.subject, global);
  const auto ranking = subject.suspects();
  const auto summary = curate::summarize(subject.scores, ranking, subject.families);
  const auto report =
      curate::make_report(subject.scores, ranking, subject.families, summary, subject.source, options.top);
  curate::ExportedImages images{options.image_prefix};
  if (!options.config) images.written = write_images(options, subject, report, format, global);
  const auto content = options.config ? curate::label_studio_config(report)
                                      : curate::export_suspects(report, subject.scores, format, images);
  write_output(options.output, options.no_formulas ? without_formulas(content) : content);
  if (options.output.path) print_safely("{}\n", options.output.path->string());
  return 0;
}

}  // namespace
}  // namespace export_command

void add_curate_export(Program& program) {
  using namespace export_command;
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
  command
      ->add_option("--images", options->images,
                   "Where images inside Parquet files are written out (default: images, or FiftyOne's data, "
                   "beside the file)")
      ->type_name("DIR")
      ->check(written_here());
  add_root_option(command, options->subject.root);
  // Without suspects it helps nobody.
  add_top_option(command, options->top, "How many suspects", 1);
  command->add_flag("--config", options->config,
                    "label-studio: the labelling configuration instead of the tasks");
  command->add_flag("--no-formulas", options->no_formulas,
                    "csv: an apostrophe before names that a spreadsheet would take for formulas");
  program.on(command, options, setup, run);
}

}  // namespace procsim::tools
