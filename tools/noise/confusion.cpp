#include <cstdio>
#include <memory>

#include <fmt/format.h>

#include "noise/confusion_drawing.hpp"
#include "tools/noise/commands.hpp"
#include "tools/noise/shared/noise_files.hpp"

namespace procsim::tools {
namespace {

struct Options {
  LabelChoice labels;
  std::optional<std::filesystem::path> taxonomy, output;
  std::string split = "train";
  std::string format = "svg";
  bool force = false;
  unsigned threads = 0;
};

int run(const Options& options, const GlobalOptions& global) {
  const auto file = choose_labels(global, options.labels, "");
  const auto counts = noise::count_confusions(file, options.split, thread_count(options.threads),
                                              progress_bar(global, "count"));
  const auto taxonomy = find_taxonomy(global, options.taxonomy, counts.info, file);
  if (!taxonomy) say(global, "no taxonomy: classes stand in label order");
  const auto order = noise::order_classes(counts, taxonomy ? taxonomy->taxonomy.get() : nullptr);
  const auto text = options.format == "csv"    ? noise::confusion_csv(counts, order)
                    : options.format == "html" ? noise::confusion_html(counts, order)
                                               : noise::confusion_svg(counts, order);
  if (!options.output) {
    fmt::print("{}", text);
    return 0;
  }
  write_file(*options.output, text, if_exists(options.force));
  fmt::print("wrote {}: {} classes, {} of {} labels wrong\n", shown(*options.output), order.labels.size(),
             grouped(counts.wrong()), grouped(counts.compared()));
  return 0;
}

}  // namespace

void add_noise_confusion(Program& program) {
  auto options = std::make_shared<Options>();
  auto* command = program.add(
      "confusion", "Draw which class carries which label, ordered by the taxonomy",
      "noise confusion --format html -o confusion.html\n  noise confusion noisy.parquet > confusion.svg");
  command->add_option("file", options->labels.file, "Label set (default: the workspace's newest)");
  command->add_option("--format", options->format, "What to write")
      ->check(CLI::IsMember({"svg", "html", "csv"}));
  command->add_option("--output,-o", options->output, "File to write (default: standard output)")
      ->type_name("FILE");
  command->add_option("--taxonomy", options->taxonomy, "Taxonomy file (default: the workspace's newest)")
      ->type_name("FILE");
  command->add_option("--split", options->split, "Split to count");
  command->add_option("--threads", options->threads, "Threads (0: one per processor)");
  command->add_flag("--force", options->force, "Replace an existing file");
  program.on(command, [options](const GlobalOptions& global) { return run(*options, global); });
}

}  // namespace procsim::tools
