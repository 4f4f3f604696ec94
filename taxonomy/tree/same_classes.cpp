#include "taxonomy/tree/same_classes.hpp"

#include <fmt/format.h>

namespace procsim::taxonomy {

std::optional<std::string> class_mismatch(const Taxonomy& taxonomy, const LabelSetInfo& info) {
  if (taxonomy.class_count() != static_cast<std::int32_t>(info.classes.size()))
    return fmt::format("{} classes there, {} here", taxonomy.class_count(), info.classes.size());
  for (std::int32_t label = 0; label < taxonomy.class_count(); ++label) {
    const auto& there = taxonomy.class_at(label);
    const auto& here = info.classes[static_cast<std::size_t>(label)];
    const bool published = !there.published.empty() && !here.published.empty();
    if (published ? there.published == here.published : there.name == here.name) continue;
    return fmt::format("class {} is '{}' there and '{}' here", label,
                       published ? there.published : there.name, published ? here.published : here.name);
  }
  return std::nullopt;
}

}  // namespace procsim::taxonomy
