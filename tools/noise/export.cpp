#include <cstdio>
#include <memory>

#include <fmt/format.h>

#include "data/base/error.hpp"
#include "noise/label_export.hpp"
#include "tools/noise/commands.hpp"
#include "tools/noise/shared/noise_files.hpp"

namespace procsim::tools {
namespace fs = std::filesystem;
namespace {

struct Options {
  LabelChoice labels;
  std::optional<fs::path> csv, prism, image_folder, root;
  std::string split = "train";
  std::string prefix;
  std::int64_t first_label = 1;
  bool force = false;
};

int run(const Options& options, const GlobalOptions& global) {
  const int chosen = (options.csv ? 1 : 0) + (options.prism ? 1 : 0) + (options.image_folder ? 1 : 0);
  if (chosen != 1) throw UsageError("say what to write: --csv FILE, --prism FILE or --imagefolder DIR");
  const auto file = choose_labels(global, options.labels, "");
  const auto progress = progress_bar(global, "export");
  const auto mode = if_exists(options.force);
  fs::path output;
  noise::ExportCounts counts;
  if (options.csv) {
    output = *options.csv;
    counts = noise::export_csv(file, output, mode, progress);
  } else if (options.prism) {
    output = *options.prism;
    counts =
        noise::export_prism(file, output, mode, options.split, options.prefix, options.first_label, progress);
  } else {
    output = *options.image_folder;
    const auto info = LabelSetReader(file).info();
    const auto root = find_root(global, options.root, info.dataset);
    if (!root)
      throw UsageError(
          fmt::format("it is not known where the images of '{}' are; give --root DIR", info.dataset));
    counts = noise::export_image_folder(file, output, mode, *root, progress);
    if (counts.missing > 0) {
      say(global, fmt::format("{} of the images are not below {}: their links lead nowhere",
                              grouped(counts.missing), root->string()));
    }
  }
  if (global.json) {
    fmt::print("{}\n",
               nlohmann::ordered_json{
                   {"output", output.string()}, {"written", counts.written}, {"skipped", counts.skipped}}
                   .dump(2));
  } else {
    fmt::print("wrote {}: {} samples{}\n", shown(output), grouped(counts.written),
               counts.skipped > 0 ? fmt::format(", left out {}", grouped(counts.skipped)) : "");
  }
  return 0;
}

}  // namespace

void add_noise_export(Program& program) {
  auto options = std::make_shared<Options>();
  auto* command =
      program.add("export", "Write a label set as CSV, as a PRISM list, or as a folder of links",
                  "noise export noisy.parquet --csv noisy.csv\n  noise export --imagefolder noisy/");
  command->add_option("file", options->labels.file, "Label set (default: the workspace's newest)");
  command->add_option("--csv", options->csv, "All rows and columns")->type_name("FILE");
  command->add_option("--prism", options->prism, "Lines 'path,label' of one split")->type_name("FILE");
  command
      ->add_option("--imagefolder", options->image_folder,
                   "A folder per split and label, with links to the images")
      ->type_name("DIR");
  command->add_option("--split", options->split, "PRISM: which split");
  command->add_option("--prefix", options->prefix, "PRISM: put before each path")->type_name("TEXT");
  command->add_option("--first-label", options->first_label, "PRISM: number of the first class");
  command->add_option("--root", options->root, "Where the images are (default: as the workspace knows)")
      ->type_name("DIR");
  command->add_flag("--force", options->force, "Replace what is there");
  program.on(command, [options](const GlobalOptions& global) { return run(*options, global); });
}

}  // namespace procsim::tools
