#pragma once

#include <string>

#include "taxonomy/tree/class_tree.hpp"
#include "taxonomy/tree/taxonomy.hpp"

namespace procsim::taxonomy {

// The tree as a web page that folds, zooms and searches: one file that loads nothing. `page.html#sparrow`
// opens it at the first match. Names and glosses are data inside it, never markup.
std::string html_page(const Taxonomy& taxonomy, const ClassTree& tree);

}  // namespace procsim::taxonomy
