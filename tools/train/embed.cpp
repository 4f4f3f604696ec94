#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "tools/train/commands.hpp"
#include "train/run_tasks.hpp"

namespace procsim::tools {
namespace {

struct Options {
  std::shared_ptr<RunChoice> choice = std::make_shared<RunChoice>();
  std::shared_ptr<train::MachineOptions> machine = std::make_shared<train::MachineOptions>();
  std::filesystem::path out;
  std::string split = "all";
  bool force = false;
};

int run(const Options& options, const GlobalOptions& global) {
  const auto opened = open_run(global, *options.choice);
  say(global, fmt::format("run: {}", opened.checkpoint.string()));
  auto machine = *options.machine;
  complete_machine(machine, opened.workspace_home);
  const auto data = load_images(opened, machine, global);
  const auto rows = train::write_embeddings(opened.config, data, opened.checkpoint, machine,
                                            plain_observer(global), options.split, options.out,
                                            options.force ? IfExists::kReplace : IfExists::kFail);
  if (global.json) {
    fmt::print("{}\n",
               nlohmann::ordered_json{
                   {"file", options.out.string()}, {"rows", rows}, {"dimension", opened.config.dimension}}
                   .dump());
  } else {
    fmt::print("{}  {} embeddings of {} numbers\n", options.out.string(), rows, opened.config.dimension);
  }
  return 0;
}

}  // namespace

void add_procsim_train_embed(Program& program) {
  auto options = std::make_shared<Options>();
  auto* command = program.add("embed", "Write the embeddings of a run's samples to Parquet",
                              "procsim-train embed cub200-1 --split test --out embeddings.parquet");
  add_run_options(command, options->choice);
  command->add_option("--out", options->out, "Parquet file to write")->required()->type_name("FILE");
  command->add_option("--split", options->split, "train, test or all")
      ->check(CLI::IsMember({"train", "test", "all"}));
  command->add_flag("--force", options->force, "Replace the file");
  add_machine_options(command, options->machine);
  program.on(command, [options](const GlobalOptions& global) { return run(*options, global); });
}

}  // namespace procsim::tools
