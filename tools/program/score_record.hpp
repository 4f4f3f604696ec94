#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>

#include "data/workspace/workspace.hpp"
#include "tools/program/program.hpp"

namespace procsim::tools {

// Scores that no training made become a run of the workspace, so that the commands that follow find them;
// made again into the same file, they renew it. `labels`: digest of the label set. Where the workspace does
// not know it or cannot be written, nothing is recorded, and it says so.
void remember_scores(std::optional<Workspace>& workspace, std::string_view labels,
                     const std::filesystem::path& scores, const std::string& name, std::string_view made_by,
                     const GlobalOptions& global);

// A trained run that was scored again is the newest one.
void renew_run(std::optional<Workspace>& workspace, RunRecord run, const std::filesystem::path& scores,
               const GlobalOptions& global);

}  // namespace procsim::tools
