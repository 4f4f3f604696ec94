#pragma once

#include <filesystem>
#include <utility>

#include "tools/program/taxonomy_store.hpp"

namespace procsim::test {

// A taxonomy and a base label set as 'taxo build' leaves them in the workspace, each by itself.
inline std::filesystem::path store_taxonomy(Workspace& workspace, const taxonomy::Taxonomy& taxonomy) {
  FileChanges files;
  const auto record = tools::write_taxonomy(files, workspace, taxonomy);
  workspace.put_together(files, [&] { workspace.put_taxonomy(record); });
  return workspace.resolve(record.path);
}

inline std::filesystem::path store_base_labels(Workspace& workspace, LabelSet base,
                                               const taxonomy::Taxonomy& taxonomy) {
  FileChanges files;
  const auto record = tools::write_base_labels(files, workspace, std::move(base), taxonomy);
  workspace.put_together(files, [&] { tools::record_base_labels(workspace, record); });
  return workspace.resolve(record.path);
}

}  // namespace procsim::test
