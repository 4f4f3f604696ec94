#include <fmt/format.h>

#include "data/error.hpp"
#include "taxonomy/same_classes.hpp"
#include "tools/procsim_train.hpp"
#include "tools/taxonomy_store.hpp"
#include "tools/workspace_choice.hpp"

namespace procsim {
namespace {

std::shared_ptr<const Taxonomy> read(const std::filesystem::path& file) {
  return std::make_shared<const Taxonomy>(read_taxonomy(file));
}

}  // namespace

void attach_taxonomy(TrainData& data, const GlobalOptions& global,
                     const std::optional<std::filesystem::path>& file) {
  if (file) {
    data.taxonomy = read(*file);
    if (class_mismatch(*data.taxonomy, data.info))
      throw Error(fmt::format("{} does not have the classes of the label set ({} of {} classes)",
                              file->string(), data.taxonomy->dataset(), data.taxonomy->class_count()));
    return;
  }
  const auto workspace = find_workspace(global);
  const auto record = workspace ? workspace->newest_taxonomy(data.info.dataset) : std::nullopt;
  if (!record) return;
  auto taxonomy = read(workspace->resolve(record->path));
  if (class_mismatch(*taxonomy, data.info)) {
    say(global,
        fmt::format("taxonomy: {} has other classes than the label set and is not used", record->path));
    return;
  }
  say(global, fmt::format("taxonomy: {} ({})", record->dataset, record->path));
  data.taxonomy = std::move(taxonomy);
}

}  // namespace procsim
