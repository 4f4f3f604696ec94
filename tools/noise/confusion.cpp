#include <cstdio>
#include <memory>

#include <fmt/format.h>

#include "noise/confusion_drawing.hpp"
#include "tools/noise/commands.hpp"
#include "tools/noise/shared/noise_files.hpp"
#include "tools/program/option_groups.hpp"
#include "tools/program/print_safely.hpp"
#include "tools/program/validators.hpp"
#include "tools/program/workspace_choice.hpp"

namespace procsim::tools {
namespace confusion_command {
namespace {

struct Options {
  LabelChoice labels;
  std::optional<std::filesystem::path> taxonomy;
  OutputOptions output;
  std::string split = "train";
  std::string format = "svg";
  unsigned threads = 0;
};

int run(const Options& options, const GlobalOptions& global) {
  const auto file = choose_labels(global, options.labels);
  const auto counts =
      noise::count_confusions(file, options.split, options.threads, progress_bar(global, "count"));
  const auto taxonomy = find_taxonomy(global, options.taxonomy, counts.info, file);
  if (!taxonomy) say(global, "no taxonomy: classes stand in label order");
  const auto order = noise::order_classes(counts, taxonomy ? taxonomy->taxonomy.get() : nullptr);
  const auto text = options.format == "csv"    ? noise::confusion_csv(counts, order)
                    : options.format == "html" ? noise::confusion_html(counts, order)
                                               : noise::confusion_svg(counts, order);
  write_output(options.output, text);
  if (!options.output.path) return 0;
  print_safely("wrote {}: {} classes, {} of {} labels wrong\n", shown(*options.output.path),
               order.labels.size(), grouped(counts.wrong()), grouped(counts.compared()));
  return 0;
}

}  // namespace
}  // namespace confusion_command

void add_noise_confusion(Program& program) {
  using namespace confusion_command;
  auto options = std::make_shared<Options>();
  auto* command = program.add("confusion", "Draw which class carries which label, ordered by the taxonomy",
                              "noise confusion --format html -o confusion.html\n  noise confusion --labels "
                              "noisy.parquet > confusion.svg");
  add_label_options(command, options->labels, "Label set to draw");
  command->add_option("--format", options->format, "What to write")->check(one_of({"svg", "html", "csv"}));
  add_output_options(command, options->output, "File to write (default: standard output)");
  add_taxonomy_file_option(command, options->taxonomy);
  command->add_option("--split", options->split, "Split to count");
  add_threads_option(command, options->threads);
  program.on(command, options, run);
}

}  // namespace procsim::tools
