#pragma once

#include <string>
#include <vector>

#include "taxonomy/tree/taxonomy.hpp"

namespace procsim::taxonomy {

struct Finding {
  enum class Severity {
    kDefect,   // not a taxonomy
    kWarning,  // somebody should mend it
    kNote,     // worth knowing, may well be right
  };
  Severity severity = Severity::kWarning;
  std::string kind;                   // "cycle", "orphan", "duplicate-id", "duplicate-name", …
  std::string message;                // one line
  std::vector<std::string> subjects;  // classes by name or nodes by id
};

// Everything that keeps the parts from being a taxonomy, not only the first: duplicate ids, edges to nowhere,
// all cycles, nodes outside the tree (orphans), classes on unknown nodes. Empty when Taxonomy(parts) would
// succeed, but for text that is not UTF-8.
std::vector<Finding> find_defects(const TaxonomyParts& parts);

// What a person should look at in a taxonomy that is sound: classes or nodes of the same name, classes at
// nodes that have families below, classes alone in their family (semantic noise has to climb further for
// them), unresolved classes, branches without classes.
std::vector<Finding> find_warnings(const Taxonomy& taxonomy);

}  // namespace procsim::taxonomy
