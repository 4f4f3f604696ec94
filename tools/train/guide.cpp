#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "data/base/error.hpp"
#include "tools/program/option_groups.hpp"
#include "tools/program/print_safely.hpp"
#include "tools/program/validators.hpp"
#include "tools/program/workspace_choice.hpp"
#include "tools/train/commands.hpp"
#include "tools/train/shared/train_options.hpp"
#include "train/guidance/pseudo_labels.hpp"
#include "train/settings/option_text.hpp"

namespace procsim::tools {
namespace guide_command {
namespace {

namespace fs = std::filesystem;
using nlohmann::ordered_json;

struct Options {
  std::optional<fs::path> labels;
  std::optional<fs::path> root;
  OutputOptions output;
  train::TrainConfig config;
  bool print = false;
  train::MachineOptions machine;
};

void setup(Options& options) { options.config.validate(); }

void print_table(const GlobalOptions& global, const fs::path& path, const GuidanceTable& table,
                 bool entries) {
  if (global.json) {
    ordered_json json{{"file", path.string()},
                      {"per", table.per_sample ? "sample" : "class"},
                      {"entries", table.entries.size()},
                      {"ranks", table.ranks()},
                      {"dimension", table.dimension}};
    if (entries) {
      json["pseudo_labels"] = ordered_json::array();
      for (const auto& entry : table.entries) {
        ordered_json row{{"key", entry.key}, {"name", entry.name}, {"labels", ordered_json::array()}};
        for (const auto& label : entry.labels)
          row["labels"].push_back({{"wnid", label.wnid}, {"name", label.name}, {"score", label.score}});
        json["pseudo_labels"].push_back(row);
      }
    }
    fmt::print("{}\n", json.dump());
    return;
  }
  if (entries) {
    for (const auto& entry : table.entries) {
      std::string labels;
      for (const auto& label : entry.labels)
        labels += fmt::format("{}{} {:.2f}", labels.empty() ? "" : ", ", label.name, label.score);
      print_safely("{}\t{}\n", entry.name, labels);
    }
    return;
  }
  print_safely("{}  {} {} with {} pseudo-labels each, text vectors of {} numbers\n", path.string(),
               table.entries.size(), table.per_sample ? "samples" : "classes", table.ranks(),
               table.dimension);
}

int run(const Options& options, const GlobalOptions& global) {
  const auto place = find_labelled_images(global, options.labels, options.root);
  if (place.root.empty()) throw UsageError("outside a workspace give the folder of the images with --root");
  auto machine = options.machine;
  complete_machine(machine, place.home);
  const auto data = train::load_train_data(place.labels, place.root);
  const auto labels = train::pseudo_label_options(options.config, machine);
  const auto path = options.output.path.value_or(train::guidance_table_path(labels, data, machine));
  const bool known = !options.output.path && fs::exists(path);
  if (options.output.path && fs::exists(path) && !options.output.force)
    throw Error(fmt::format("{} already exists. Use --force to replace it.", path.string()));
  if (!known || options.output.force)
    write_guidance_table(path, train::make_guidance_table(labels, data, machine, plain_observer(global)),
                         IfExists::kReplace);
  else
    say(global, fmt::format("the table is there already: {}", path.string()));
  print_table(global, path, read_guidance_table(path), options.print);
  return 0;
}

}  // namespace
}  // namespace guide_command

void add_procsim_train_guide(Program& program) {
  using namespace guide_command;
  auto options = std::make_shared<Options>();
  auto* command = program.add("guide", "Make the table of pseudo-labels that --guidance plg learns from",
                              "procsim-train guide --print");
  add_labels_option(command, options->labels, "Label set");
  add_root_option(command, options->root);
  add_output_options(
      command, options->output,
      "Table to write, for --guidance file:FILE (default: in the cache, where training finds it)");
  command->add_flag("--print", options->print, "Print every class with its pseudo-labels and their scores");
  auto& config = options->config;
  command->add_option("--guidance-per", config.guidance_per, "Pseudo-labels of each class or each sample")
      ->check(offering(train::choices_of("guidance_per")));
  command->add_option("--guidance-ranks", config.guidance_ranks, "Pseudo-labels of each");
  command->add_option("--guidance-backbone", config.guidance_backbone, "ImageNet classifier")
      ->check(offering(train::choices_of("guidance_backbone")));
  command->add_option("--guidance-weights", config.guidance_weights,
                      "Its weights with 1,000 outputs (safetensors)");
  command->add_option("--text-encoder", config.text_encoder, "BERT folder, or its name in the model folder");
  command->add_option("--text-pooling", config.text_pooling, "mean or cls")
      ->check(offering(train::choices_of("text_pooling")));
  add_machine_options(command, options->machine);
  program.on(command, options, setup, run);
}

}  // namespace procsim::tools
