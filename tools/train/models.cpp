#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "tools/program/print_safely.hpp"
#include "tools/train/commands.hpp"
#include "tools/train/shared/train_options.hpp"
#include "train/models/model_list.hpp"
#include "train/settings/model_folder.hpp"

namespace procsim::tools {
namespace models_command {
namespace {

using nlohmann::ordered_json;

struct Options {
  train::MachineOptions machine;
  bool all = false;
};

ordered_json to_json(const train::ListedModel& model) {
  const auto& known = *model.architecture;
  ordered_json json{{"backbone", known.name},       {"about", known.about},
                    {"features", known.features},   {"image_size", known.input.size},
                    {"resize", known.input.resize}, {"bicubic", known.input.pixels.bicubic},
                    {"stages", stage_names(known)}, {"file", nullptr}};
  if (!model.file) return json;
  json["file"] = model.file->string();
  json["bytes"] = model.bytes;
  json["source"] = model.source;
  if (!model.damage.empty()) json["damage"] = model.damage;
  return json;
}

void print_table(const std::vector<train::ListedModel>& models, bool all) {
  for (const auto& model : models) {
    if (!all && !model.file) continue;
    const auto& known = *model.architecture;
    const auto file = model.file ? fmt::format("{}  {:.0f} MB", model.file->filename().string(),
                                               static_cast<double>(model.bytes) / 1e6)
                                 : std::string("-");
    print_safely("{:<22} {:>4} features at {:>3} px  {:<42}  {}\n", known.name, known.features,
                 known.input.size, file, model.source.empty() ? known.about : model.source);
    if (!model.damage.empty()) print_safely("{:<22} {}\n", "", model.damage);
  }
}

int run(const Options& options, const GlobalOptions& global) {
  auto machine = options.machine;
  complete_model_folder(machine);
  const auto models = train::list_models(machine.model_folder);
  const auto best = train::best_backbone(machine.model_folder);
  if (global.json) {
    ordered_json json{{"folder", machine.model_folder.string()}, {"best", nullptr}};
    if (best) json["best"] = *best;
    for (const auto& model : models) json["models"].push_back(to_json(model));
    fmt::print("{}\n", json.dump());
    return 0;
  }
  print_safely("models in {}\n", machine.model_folder.string());
  print_table(models, options.all);
  if (best)
    print_safely("'score --no-train' takes {}, the best of these that has been measured\n", *best);
  else
    print_safely("no weights that 'score --no-train' could take: run scripts/setup.sh --models\n");
  return 0;
}

}  // namespace
}  // namespace models_command

void add_procsim_train_models(Program& program) {
  using namespace models_command;
  auto options = std::make_shared<Options>();
  auto* command =
      program.add("models", "Which backbones there are, and whose pretrained weights are found where",
                  "procsim-train models --all");
  command->add_flag("--all", options->all, "Also those without weights here");
  command
      ->add_option("--models", options->machine.model_folder,
                   "Folder of pretrained weights (default: PROCSIM_MODELS)")
      ->type_name("DIR");
  program.on(command, options, run);
}

}  // namespace procsim::tools
