#pragma once

#include <optional>
#include <string>

#include "data/labels/label_set.hpp"
#include "taxonomy/tree/taxonomy.hpp"

namespace procsim::taxonomy {

// How the classes of a taxonomy ("there") and of a label set ("here") differ; nothing where they are the same
// under the same numbers. Published names decide where both have them: a tree may spell a class its own way.
std::optional<std::string> class_mismatch(const Taxonomy& taxonomy, const LabelSetInfo& info);

}  // namespace procsim::taxonomy
