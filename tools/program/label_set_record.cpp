#include "tools/program/label_set_record.hpp"

#include <fmt/format.h>

#include "data/base/digest.hpp"

namespace procsim::tools {
namespace {

bool is_recorded(const Workspace& workspace, const std::string& stored, const std::string& digest) {
  const auto known = workspace.label_set_by_digest(digest);
  return known && known->path == stored;
}

}  // namespace

void store_label_set(std::optional<Workspace>& workspace, FileChanges& files,
                     const std::filesystem::path& path, LabelSetRecord record, const GlobalOptions& global) {
  if (workspace && !workspace->is_writable()) {
    say(global, fmt::format("labels: not recorded, the workspace cannot be written; go on with: --labels {}",
                            path.string()));
  }
  if (!workspace || !workspace->is_writable()) {
    files.replace();
    files.keep();
    return;
  }
  record.path = workspace->stored_path(path);
  if (std::filesystem::is_regular_file(path)) {
    const auto replaced = sha256_file(path);
    if (replaced != record.digest && is_recorded(*workspace, record.path, replaced))
      files.keep_previous(path, kept_path(path, replaced));
  }
  workspace->put_together(files, [&] { workspace->put_label_set(record); });
}

}  // namespace procsim::tools
