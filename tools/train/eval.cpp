#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "tools/program/print_safely.hpp"
#include "tools/program/validators.hpp"
#include "tools/train/commands.hpp"
#include "tools/train/shared/train_options.hpp"
#include "train/runs/run_tasks.hpp"

namespace procsim::tools {
namespace eval_command {
namespace {

struct Options {
  RunChoice choice;
  train::MachineOptions machine;
  std::int64_t sheets = 0;
  std::optional<std::filesystem::path> sheet_folder;
};

int run(const Options& options, const GlobalOptions& global) {
  const auto [run, machine, data] = open_run_task(global, options.choice, options.machine);
  const auto observer = plain_observer(global);
  const auto metrics = train::evaluate_checkpoint(run.config, data, run.checkpoint, machine, observer);
  std::vector<std::filesystem::path> sheets;
  if (options.sheets > 0) {
    train::SheetOptions sheet;
    sheet.folder = options.sheet_folder.value_or(run.files.folder / "sheets");
    sheet.queries = options.sheets;
    sheets = train::write_retrieval_sheets(run.config, data, run.checkpoint, machine, observer, sheet);
  }
  if (global.json) {
    nlohmann::ordered_json json;
    for (const auto& [name, value] : metrics) json[name] = value;
    if (!sheets.empty())
      for (const auto& sheet : sheets) json["sheets"].push_back(sheet.string());
    fmt::print("{}\n", json.dump());
    return 0;
  }
  for (const auto& [name, value] : metrics) print_safely("{:<12} {:.4f}\n", name, value);
  for (const auto& sheet : sheets) print_safely("{}\n", sheet.string());
  return 0;
}

}  // namespace
}  // namespace eval_command

void add_procsim_train_eval(Program& program) {
  using namespace eval_command;
  auto options = std::make_shared<Options>();
  auto* command = program.add("eval", "Recall@K, R-precision, mAP@R and NMI of a run on the unseen classes",
                              "procsim-train eval --run cub200-1 --checkpoint best --sheets 12");
  add_run_options(command, options->choice);
  command->add_option("--sheets", options->sheets, "Draw so many queries with their neighbours, as PNG")
      ->check(CLI::Range(0, 10000));
  command
      ->add_option("--output,-o", options->sheet_folder, "Where the sheets go (default: sheets/ in the run)")
      ->type_name("DIR")
      ->check(written_here());
  add_machine_options(command, options->machine);
  program.on(command, options, run);
}

}  // namespace procsim::tools
