#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>

#include "data/files/file_changes.hpp"
#include "data/workspace/workspace.hpp"
#include "tools/program/program.hpp"

namespace procsim::tools {

// A scores file that is written and not there yet.
struct WrittenScores {
  std::filesystem::path path;
  std::string digest;
};

// Scores that no training made are recorded under `name` (with a number where it is taken), so that the
// commands that follow find them; made again into the same file, they are the same scores and the newest.
// `labels`: digest of the label set. Where the workspace does not know it or cannot be written, nothing is
// recorded, and it says so.
// The file appears with its record, or neither does.
void store_scores(std::optional<Workspace>& workspace, FileChanges& files, std::string_view labels,
                  const WrittenScores& scores, const std::string& name, std::string_view made_by,
                  const GlobalOptions& global);

// The scores of a run, which carry its name: they are the newest.
void remember_scores_of_run(Workspace& workspace, const RunRecord& run, const std::filesystem::path& scores,
                            std::string_view made_by);
// The same for a run that was scored again: file and record together. Says so where the workspace cannot be
// written.
void store_scores_of_run(std::optional<Workspace>& workspace, FileChanges& files, const RunRecord& run,
                         const WrittenScores& scores, const GlobalOptions& global);

}  // namespace procsim::tools
