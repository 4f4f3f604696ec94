#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "taxonomy/tree/class_tree.hpp"
#include "taxonomy/tree/taxonomy.hpp"

namespace procsim::taxonomy {

struct TreeTextOptions {
  std::int32_t from = 0;  // where in the tree to start
  std::optional<std::uint32_t>
      depth;  // levels below the start; what lies deeper, or 500 levels below, is only counted
  std::optional<std::int32_t> path_to;  // a label: only branches on the way to this class are open
};

// The tree for a terminal, a line per node, drawn with box characters (UTF-8). Inner nodes carry their class
// count; a branch that is not opened ends in "…".
std::string tree_text(const Taxonomy& taxonomy, const ClassTree& tree, const TreeTextOptions& options = {});

}  // namespace procsim::taxonomy
