#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "tools/program/option_groups.hpp"
#include "tools/program/print_safely.hpp"
#include "tools/program/validators.hpp"
#include "tools/train/commands.hpp"
#include "tools/train/shared/train_options.hpp"
#include "train/runs/run_tasks.hpp"

namespace procsim::tools {
namespace embed_command {
namespace {

struct Options {
  RunChoice choice;
  train::MachineOptions machine;
  OutputOptions output;
  std::string split = "all";
};

int run(const Options& options, const GlobalOptions& global) {
  const auto [run, machine, data] = open_run_task(global, options.choice, options.machine);
  const auto file = options.output.path->string();
  const auto rows = train::write_embeddings(run.config, data, run.checkpoint, machine, plain_observer(global),
                                            options.split, file, options.output.if_exists());
  if (global.json) {
    fmt::print(
        "{}\n",
        nlohmann::ordered_json{{"file", file}, {"rows", rows}, {"dimension", run.config.dimension}}.dump());
  } else {
    print_safely("{}  {} embeddings of {} numbers\n", file, rows, run.config.dimension);
  }
  return 0;
}

}  // namespace
}  // namespace embed_command

void add_procsim_train_embed(Program& program) {
  using namespace embed_command;
  auto options = std::make_shared<Options>();
  auto* command = program.add("embed", "Write the embeddings of a run's samples to Parquet",
                              "procsim-train embed --run cub200-1 --split test -o embeddings.parquet");
  add_run_options(command, options->choice);
  add_output_options(command, options->output, "Parquet file to write")->required();
  command->add_option("--split", options->split, "Whose samples")->check(one_of({"train", "test", "all"}));
  add_machine_options(command, options->machine);
  program.on(command, options, run);
}

}  // namespace procsim::tools
