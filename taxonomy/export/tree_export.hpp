#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "taxonomy/tree/class_tree.hpp"
#include "taxonomy/tree/taxonomy.hpp"

namespace procsim::taxonomy {

// A display tree (taxonomy/display_tree.hpp) in the formats of others. Names may hold any text: each writer
// escapes what its format needs. The same tree gives the same bytes.

// {"name", "id", "gloss", "children": […]} for nodes, {"name", "label", "published"} for classes; from `from`
// down.
std::string nested_json(const Taxonomy& taxonomy, const ClassTree& tree, std::int32_t from = 0);

// Graphviz. Classes are boxes; parents that the tree does not follow are dashed where both ends are shown.
std::string dot_graph(const Taxonomy& taxonomy, const ClassTree& tree);

// Names of inner nodes included; branch lengths are edges of the full tree, so that distances survive
// collapsing.
std::string newick(const Taxonomy& taxonomy, const ClassTree& tree);

// A labelling configuration for Label Studio: an image and a Taxonomy of nested Choices; a class's published
// name is its alias, so annotation results carry it.
std::string label_studio_config(const Taxonomy& taxonomy, const ClassTree& tree);

// Datumaro's JSON with label categories and no items: classes first, in label order, then inner nodes; each
// names its parent. Names are unique as Datumaro wants them: a name that is taken carries the published name,
// id or label.
std::string datumaro_categories(const Taxonomy& taxonomy, const ClassTree& tree);

}  // namespace procsim::taxonomy
