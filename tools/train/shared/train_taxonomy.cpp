#include <fmt/format.h>

#include "data/base/error.hpp"
#include "taxonomy/tree/same_classes.hpp"
#include "tools/program/taxonomy_store.hpp"
#include "tools/program/workspace_choice.hpp"
#include "tools/train/commands.hpp"

namespace procsim::tools {
namespace {

std::shared_ptr<const taxonomy::Taxonomy> read(const std::filesystem::path& file) {
  return std::make_shared<const taxonomy::Taxonomy>(read_taxonomy(file));
}

}  // namespace

void attach_taxonomy(train::TrainData& data, const GlobalOptions& global,
                     const std::optional<std::filesystem::path>& file) {
  if (file) {
    data.taxonomy = read(*file);
    if (taxonomy::class_mismatch(*data.taxonomy, data.info))
      throw Error(fmt::format("{} does not have the classes of the label set ({} of {} classes)",
                              file->string(), data.taxonomy->dataset(), data.taxonomy->class_count()));
    return;
  }
  const auto workspace = find_workspace(global);
  const auto record = workspace ? workspace->newest_taxonomy(data.info.dataset) : std::nullopt;
  if (!record) return;
  auto taxonomy = read(workspace->resolve(record->path));
  if (taxonomy::class_mismatch(*taxonomy, data.info)) {
    say(global,
        fmt::format("taxonomy: {} has other classes than the label set and is not used", record->path));
    return;
  }
  say(global, fmt::format("taxonomy: {} ({})", record->dataset, record->path));
  data.taxonomy = std::move(taxonomy);
}

}  // namespace procsim::tools
