#include "tools/train/shared/train_taxonomy.hpp"

#include <fmt/format.h>

#include "data/base/error.hpp"
#include "taxonomy/tree/same_classes.hpp"
#include "tools/program/taxonomy_store.hpp"
#include "tools/program/workspace_choice.hpp"

namespace procsim::tools {

void attach_taxonomy(train::TrainData& data, const GlobalOptions& global,
                     const std::optional<std::filesystem::path>& file) {
  const auto found = find_taxonomy_file(find_workspace(global), file, data.info.dataset);
  if (!found) return;
  auto taxonomy = std::make_shared<const taxonomy::Taxonomy>(read_taxonomy(found->file));
  if (taxonomy::class_mismatch(*taxonomy, data.info)) {
    if (found->is_given)
      throw Error(fmt::format("{} does not have the classes of the label set ({} of {} classes)",
                              found->shown, taxonomy->dataset(), taxonomy->class_count()));
    say(global,
        fmt::format("taxonomy: {} has other classes than the label set and is not used", found->shown));
    return;
  }
  if (!found->is_given) say(global, fmt::format("taxonomy: {} ({})", data.info.dataset, found->shown));
  data.taxonomy = std::move(taxonomy);
}

}  // namespace procsim::tools
