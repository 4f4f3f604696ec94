#include <cstdio>
#include <memory>

#include <fmt/format.h>

#include "data/base/error.hpp"
#include "noise/label_export.hpp"
#include "tools/noise/commands.hpp"
#include "tools/noise/shared/noise_files.hpp"
#include "tools/program/option_groups.hpp"
#include "tools/program/print_safely.hpp"
#include "tools/program/validators.hpp"
#include "tools/program/workspace_choice.hpp"

namespace procsim::tools {
namespace fs = std::filesystem;
namespace export_command {
namespace {

struct Options {
  LabelChoice labels;
  OutputOptions output;
  std::string format;
  std::optional<fs::path> root;
  std::string split = "train";
  std::string image_prefix;
  std::int64_t first_label = 1;
};

noise::ExportCounts export_links(const Options& options, const GlobalOptions& global, const fs::path& file) {
  const auto info = LabelSetReader(file).info();
  const auto root = find_root(find_workspace(global), options.root, info.dataset);
  if (!root) {
    throw UsageError(
        fmt::format("it is not known where the images of '{}' are; give --root DIR", info.dataset));
  }
  const auto counts = noise::export_image_folder(file, *options.output.path, options.output.if_exists(),
                                                 *root, progress_bar(global, "export"));
  if (counts.missing > 0) {
    say(global, fmt::format("{} of the images are not below {}: their links lead nowhere",
                            grouped(counts.missing), root->string()));
  }
  return counts;
}

noise::ExportCounts export_labels(const Options& options, const GlobalOptions& global) {
  const auto file = choose_labels(global, options.labels);
  if (options.format == "imagefolder") return export_links(options, global, file);
  const auto mode = options.output.if_exists();
  const auto progress = progress_bar(global, "export");
  if (options.format == "csv") return noise::export_csv(file, *options.output.path, mode, progress);
  return noise::export_prism(file, *options.output.path, mode, options.split, options.image_prefix,
                             options.first_label, progress);
}

int run(const Options& options, const GlobalOptions& global) {
  const auto counts = export_labels(options, global);
  const auto& output = *options.output.path;
  if (global.json) {
    fmt::print("{}\n",
               nlohmann::ordered_json{
                   {"output", output.string()}, {"written", counts.written}, {"skipped", counts.skipped}}
                   .dump(2));
  } else {
    print_safely("wrote {}: {} samples{}\n", shown(output), grouped(counts.written),
                 counts.skipped > 0 ? fmt::format(", left out {}", grouped(counts.skipped)) : "");
  }
  return 0;
}

}  // namespace
}  // namespace export_command

void add_noise_export(Program& program) {
  using namespace export_command;
  auto options = std::make_shared<Options>();
  auto* command = program.add("export", "Write a label set as CSV, as a PRISM list, or as a folder of links",
                              "noise export --labels noisy.parquet --format csv -o noisy.csv\n"
                              "  noise export --format imagefolder -o noisy/");
  add_label_options(command, options->labels, "Label set to export");
  command
      ->add_option("--format", options->format,
                   "csv (all rows and columns), prism (lines 'path,label' of one split) or imagefolder (a "
                   "folder per split and label, with links to the images)")
      ->required()
      ->check(one_of({"csv", "prism", "imagefolder"}));
  add_output_options(command, options->output, "File or folder to write")->required();
  command->add_option("--split", options->split, "prism: which split");
  command->add_option("--image-prefix", options->image_prefix, "prism: put before each path")
      ->type_name("TEXT");
  command->add_option("--first-label", options->first_label, "prism: number of the first class");
  add_root_option(command, options->root, "imagefolder: folder of the images");
  program.on(command, options, run);
}

}  // namespace procsim::tools
