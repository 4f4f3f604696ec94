#pragma once

#include <filesystem>
#include <optional>

#include "data/files/file_changes.hpp"
#include "data/workspace/workspace.hpp"
#include "tools/program/program.hpp"

namespace procsim::tools {

// Lets the label set `path`, written into `files`, appear, and records it where there is a workspace: both or
// neither. A recorded label set that it replaces is kept beside it under a name with its digest. Where the
// workspace cannot be written, nothing is recorded, and it says so. `record.path` need not be filled in.
void store_label_set(std::optional<Workspace>& workspace, FileChanges& files,
                     const std::filesystem::path& path, LabelSetRecord record, const GlobalOptions& global);

}  // namespace procsim::tools
