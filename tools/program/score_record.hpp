#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>

#include "data/workspace/workspace.hpp"
#include "tools/program/program.hpp"

namespace procsim::tools {

// Scores that no training made are recorded under `name` (with a number where it is taken), so that the
// commands that follow find them; made again into the same file, they are the same scores and the newest.
// `labels`: digest of the label set. Where the workspace does not know it or cannot be written, nothing is
// recorded, and it says so.
void remember_scores(std::optional<Workspace>& workspace, std::string_view labels,
                     const std::filesystem::path& scores, const std::string& name, std::string_view made_by,
                     const GlobalOptions& global);

// The scores of a run, which carry its name: they are the newest.
void remember_scores_of_run(Workspace& workspace, const RunRecord& run, const std::filesystem::path& scores,
                            std::string_view made_by);
// The same for a run that was scored again; says so where the workspace cannot be written.
void renew_scores_of_run(std::optional<Workspace>& workspace, const RunRecord& run,
                         const std::filesystem::path& scores, const GlobalOptions& global);

}  // namespace procsim::tools
