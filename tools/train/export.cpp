#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "tools/program/option_groups.hpp"
#include "tools/program/print_safely.hpp"
#include "tools/train/commands.hpp"
#include "tools/train/shared/train_options.hpp"
#include "train/runs/run_tasks.hpp"

namespace procsim::tools {
namespace export_command {
namespace {

struct Options {
  RunChoice choice;
  OutputOptions output;
  bool trust_code = false;
};

int run(const Options& options, const GlobalOptions& global) {
  const auto opened = open_run(global, options.choice);
  say(global, fmt::format("run: {}", opened.checkpoint.string()));
  train::export_model(opened.config, opened.checkpoint, options.trust_code, *options.output.path,
                      options.output.if_exists());
  const auto model = (*options.output.path / "model.safetensors").string();
  const auto config = (*options.output.path / "config.json").string();
  if (global.json)
    fmt::print("{}\n", nlohmann::ordered_json{{"model", model}, {"config", config}}.dump());
  else
    print_safely("{}\n{}\n", model, config);
  return 0;
}

}  // namespace
}  // namespace export_command

void add_procsim_train_export(Program& program) {
  using namespace export_command;
  auto options = std::make_shared<Options>();
  auto* command = program.add("export", "Write a run's model as safetensors and config.json for Python",
                              "procsim-train export --run cub200-1 --checkpoint best -o model/");
  add_run_options(command, options->choice);
  add_output_options(command, options->output, "Folder to write", "DIR")->required();
  command->add_flag("--trust-code", options->trust_code, "Run the code that a TorchScript backbone brings");
  program.on(command, options, run);
}

}  // namespace procsim::tools
