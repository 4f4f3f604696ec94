#include <memory>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "curate/decisions/decisions.hpp"
#include "data/files/file_name.hpp"
#include "data/files/leftovers.hpp"
#include "data/labels/label_set.hpp"
#include "tools/program/print_safely.hpp"
#include "tools/program/validators.hpp"
#include "tools/program/workspace_choice.hpp"
#include "tools/taxo/commands.hpp"

namespace procsim::tools {
namespace doctor_command {
namespace {

namespace fs = std::filesystem;

struct Options {
  std::optional<fs::path> backup;
};

struct Findings {
  std::vector<std::string> problems;  // that only a person can solve
  std::vector<std::string> repaired;
  std::size_t files = 0;
};

void check_file(const Workspace& workspace, const RecordedFile& file, Findings& findings) {
  ++findings.files;
  const auto path = workspace.resolve(file.path);
  const auto what = fmt::format("{} '{}'", file.kind, file.name);
  if (!fs::exists(path)) {
    findings.problems.push_back(
        fmt::format("{}: {} is not there. Put it back from a copy, or make it again.", what, path.string()));
    return;
  }
  if (file.digest.empty()) return;
  const auto digest = parts_digest(path);
  if (digest != file.digest)
    findings.problems.push_back(
        fmt::format("{}: {} has changed since it was recorded. Put it back from a copy, or make it again.",
                    what, path.string()));
}

// What killed programs left behind, wherever it is in the workspace.
void remove_rubbish(const fs::path& home, Findings& findings) {
  std::vector<fs::path> rubbish;
  for (const auto& entry : fs::recursive_directory_iterator(home)) {
    const auto name = entry.path().filename().string();
    if (name.starts_with('.') && name.ends_with(".tmp")) rubbish.push_back(entry.path());
  }
  for (const auto& path : rubbish) {
    // .<target>.<process>.<number>.tmp
    const auto name = path.filename().string();
    auto end = name.size() - std::string_view(".tmp").size();
    for (int dots = 0; dots < 2 && end != std::string::npos && end > 0; ++dots)
      end = name.rfind('.', end - 1);
    if (end == std::string::npos || end < 2) continue;
    remove_leftovers(path.parent_path() / name.substr(1, end - 1));
    if (!fs::exists(path))
      findings.repaired.push_back(fmt::format("removed {}, left by a killed program", path.string()));
  }
}

Findings examine(Workspace& workspace) {
  Findings findings;
  for (const auto& damage : workspace.damage())
    findings.problems.push_back(fmt::format("the database is damaged: {}. Put it back from a copy.", damage));
  for (const auto& file : workspace.recorded_files()) check_file(workspace, file, findings);
  if (auto fault = curate::log_fault(workspace.decisions(""), workspace.decisions_head()); !fault.empty())
    findings.problems.push_back(std::move(fault));
  if (workspace.is_writable()) {
    for (const auto& name : workspace.mark_interrupted_runs())
      findings.repaired.push_back(
          fmt::format("run '{0}' was interrupted: go on with procsim-train --resume {0}", name));
    remove_rubbish(workspace.home(), findings);
  }
  return findings;
}

int run(const Options& options, const GlobalOptions& global) {
  auto workspace = open_workspace(global);  // undoes what a killed program had begun
  const auto findings = examine(workspace);
  if (options.backup) workspace.back_up(*options.backup);
  if (global.json) {
    nlohmann::ordered_json json{{"files", findings.files},
                                {"decisions", workspace.decisions_head().rows},
                                {"problems", findings.problems},
                                {"repaired", findings.repaired}};
    if (options.backup) json["backup"] = fs::absolute(*options.backup).string();
    fmt::print("{}\n", json.dump(1));
    return findings.problems.empty() ? 0 : 1;
  }
  for (const auto& line : findings.repaired) print_safely("repaired  {}\n", line);
  for (const auto& line : findings.problems) print_safely("problem   {}\n", line);
  print_safely(
      "{} files, {} decisions: {}\n", findings.files, workspace.decisions_head().rows,
      findings.problems.empty() ? "all as recorded" : fmt::format("{} problems", findings.problems.size()));
  if (options.backup) print_safely("backup    {}\n", fs::absolute(*options.backup).string());
  return findings.problems.empty() ? 0 : 1;
}

}  // namespace
}  // namespace doctor_command

void add_taxo_doctor(Program& program) {
  using namespace doctor_command;
  auto options = std::make_shared<Options>();
  auto* command = program.add(
      "doctor", "Check the workspace: files, digests, decisions, runs; clean up after killed programs",
      "taxo doctor --backup /mnt/copies/birds");
  command
      ->add_option("--backup", options->backup,
                   "Also copy the workspace into this folder, as it is at one moment, while others work")
      ->type_name("DIR")
      ->check(written_here());
  program.on(command, options, run);
}

}  // namespace procsim::tools
