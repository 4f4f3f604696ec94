#include <fmt/format.h>

#include "data/atomic_file.hpp"
#include "data/error.hpp"
#include "taxonomy/taxonomy.hpp"
#include "tools/procsim_train.hpp"

namespace procsim {
namespace {

std::shared_ptr<const Taxonomy> read(const std::filesystem::path& file) {
  return std::make_shared<const Taxonomy>(Taxonomy::from_json(read_file(file), file.string()));
}

// The same classes under the same numbers. Published names decide: a tree may spell a class its own way.
bool fits(const Taxonomy& taxonomy, const LabelSetInfo& info) {
  if (taxonomy.class_count() != static_cast<std::int32_t>(info.classes.size())) return false;
  for (std::int32_t label = 0; label < taxonomy.class_count(); ++label) {
    const auto& there = taxonomy.class_at(label);
    const auto& here = info.classes[static_cast<std::size_t>(label)];
    const bool published = !there.published.empty() && !here.published.empty();
    if (published ? there.published != here.published : there.name != here.name) return false;
  }
  return true;
}

}  // namespace

void attach_taxonomy(TrainData& data, const GlobalOptions& global,
                     const std::optional<std::filesystem::path>& file) {
  if (file) {
    data.taxonomy = read(*file);
    if (!fits(*data.taxonomy, data.info))
      throw Error(fmt::format("{} does not have the classes of the label set ({} of {} classes)",
                              file->string(), data.taxonomy->dataset(), data.taxonomy->class_count()));
    return;
  }
  const auto folder = Workspace::find(global.workspace);
  if (!folder) return;
  const auto workspace = Workspace::open(*folder);
  const auto record = workspace.newest_taxonomy(data.info.dataset);
  if (!record) return;
  auto taxonomy = read(workspace.resolve(record->path));
  if (!fits(*taxonomy, data.info)) {
    say(global,
        fmt::format("taxonomy: {} has other classes than the label set and is not used", record->path));
    return;
  }
  say(global, fmt::format("taxonomy: {} ({})", record->dataset, record->path));
  data.taxonomy = std::move(taxonomy);
}

}  // namespace procsim
