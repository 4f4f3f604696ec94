#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "tools/train/commands.hpp"
#include "train/run_tasks.hpp"

namespace procsim::tools {
namespace {

struct Options {
  std::shared_ptr<RunChoice> choice = std::make_shared<RunChoice>();
  std::shared_ptr<train::MachineOptions> machine = std::make_shared<train::MachineOptions>();
  std::int64_t sheets = 0;
  std::filesystem::path sheet_folder;
};

int run(const Options& options, const GlobalOptions& global) {
  const auto opened = open_run(global, *options.choice);
  say(global, fmt::format("run: {}", opened.checkpoint.string()));
  auto machine = *options.machine;
  complete_machine(machine, opened.workspace_home);
  const auto data = load_images(opened, machine, global);
  const auto observer = plain_observer(global);
  const auto metrics = train::evaluate_checkpoint(opened.config, data, opened.checkpoint, machine, observer);
  std::vector<std::filesystem::path> sheets;
  if (options.sheets > 0) {
    train::SheetOptions sheet;
    sheet.folder = options.sheet_folder.empty() ? opened.files.folder / "sheets" : options.sheet_folder;
    sheet.queries = options.sheets;
    sheets = train::write_retrieval_sheets(opened.config, data, opened.checkpoint, machine, observer, sheet);
  }
  if (global.json) {
    nlohmann::ordered_json json;
    for (const auto& [name, value] : metrics) json[name] = value;
    if (!sheets.empty())
      for (const auto& sheet : sheets) json["sheets"].push_back(sheet.string());
    fmt::print("{}\n", json.dump());
    return 0;
  }
  for (const auto& [name, value] : metrics) fmt::print("{:<12} {:.4f}\n", name, value);
  for (const auto& sheet : sheets) fmt::print("{}\n", sheet.string());
  return 0;
}

}  // namespace

void add_procsim_train_eval(Program& program) {
  auto options = std::make_shared<Options>();
  auto* command = program.add("eval", "Recall@K, R-precision, mAP@R and NMI of a run on the unseen classes",
                              "procsim-train eval cub200-1 --checkpoint best --sheets 12");
  add_run_options(command, options->choice);
  command->add_option("--sheets", options->sheets, "Draw so many queries with their neighbours, as PNG")
      ->check(CLI::Range(0, 10000));
  command
      ->add_option("--sheet-folder", options->sheet_folder,
                   "Where the sheets go (default: sheets/ in the run)")
      ->type_name("DIR");
  add_machine_options(command, options->machine);
  program.on(command, [options](const GlobalOptions& global) { return run(*options, global); });
}

}  // namespace procsim::tools
