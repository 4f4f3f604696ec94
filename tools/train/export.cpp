#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "tools/train/commands.hpp"
#include "train/run_tasks.hpp"

namespace procsim::tools {
namespace {

struct Options {
  std::shared_ptr<RunChoice> choice = std::make_shared<RunChoice>();
  std::filesystem::path out;
  bool trust_code = false;
  bool force = false;
};

int run(const Options& options, const GlobalOptions& global) {
  const auto opened = open_run(global, *options.choice);
  say(global, fmt::format("run: {}", opened.checkpoint.string()));
  train::export_model(opened.config, opened.checkpoint, options.trust_code, options.out,
                      options.force ? IfExists::kReplace : IfExists::kFail);
  const auto model = (options.out / "model.safetensors").string();
  const auto config = (options.out / "config.json").string();
  if (global.json)
    fmt::print("{}\n", nlohmann::ordered_json{{"model", model}, {"config", config}}.dump());
  else
    fmt::print("{}\n{}\n", model, config);
  return 0;
}

}  // namespace

void add_procsim_train_export(Program& program) {
  auto options = std::make_shared<Options>();
  auto* command = program.add("export", "Write a run's model as safetensors and config.json for Python",
                              "procsim-train export cub200-1 --checkpoint best --out model/");
  add_run_options(command, options->choice);
  command->add_option("--out", options->out, "Folder to write")->required()->type_name("DIR");
  command->add_flag("--trust-code", options->trust_code, "Run the code that a TorchScript backbone brings");
  command->add_flag("--force", options->force, "Replace the files");
  program.on(command, [options](const GlobalOptions& global) { return run(*options, global); });
}

}  // namespace procsim::tools
