#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "taxonomy/tree/class_tree.hpp"
#include "taxonomy/tree/taxonomy.hpp"

namespace procsim::taxonomy {

enum class Layout {
  kRadial,   // leaves on a circle, labels turned outwards
  kLayered,  // leaves below each other on the right
};

// Where a drawing puts things, in pixels. Computed apart from the SVG so that "no two labels overlap" can be
// tested.
struct TreeDrawing {
  struct Item {
    double row = 0;  // leaves 0, 1, …; inner nodes in the middle of theirs
    double across =
        0;  // distance from the centre (radial) or from the left edge (layered) where the node stands
    double x = 0, y = 0;                  // of the node
    double label_from = 0, label_to = 0;  // the label's extent across, at the node's row
    bool label_above = false;             // above its branch (inner nodes) or beside the node (leaves)
    std::string text;                     // shortened where it had to be
    std::int32_t family = -1;             // as families() says
  };
  Layout layout = Layout::kRadial;
  double width = 0, height = 0;
  double row_step = 0;  // pixels (layered) or radians (radial) between leaves
  double font_size = 11;
  std::vector<Item> items;  // as tree.nodes
};

// Inner nodes stand as far out as their subtree allows (a parent of leaves only is one step from them), which
// keeps labels of a ring apart: a node that is h steps from its leaves has at least h + 1 of them. `tree`
// must be collapsed for the radial layout.
TreeDrawing lay_out(const Taxonomy& taxonomy, const ClassTree& tree, Layout layout);

// The drawing as SVG: coloured by family, labels with a halo, a tooltip with id and gloss on each node. No
// script, no fonts or images from elsewhere.
std::string svg(const Taxonomy& taxonomy, const ClassTree& tree, const TreeDrawing& drawing);

}  // namespace procsim::taxonomy
