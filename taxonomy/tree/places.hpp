#pragma once

#include <string_view>

#include "taxonomy/tree/taxonomy.hpp"

namespace procsim::taxonomy {

// A place in the tree as people write it: a class (name, published name or label), a node's id
// ("sparrow.n.01"), or a node's name when only one node has it. `first` decides where a class and a node
// answer to the same word. Throws Error with the nearest known name.
enum class LookFirst { kClasses, kNodes };
NodeIndex find_place(const Taxonomy& taxonomy, std::string_view text, LookFirst first = LookFirst::kClasses);

}  // namespace procsim::taxonomy
