#pragma once

#include <string>
#include <vector>

#include "taxonomy/tree/taxonomy.hpp"

namespace procsim::taxonomy {

// What changed from one taxonomy to another. Classes are the same when their published names are (the cleaned
// name where there is none; the n-th of several equal ones with the n-th), nodes when their ids are.
struct TaxonomyDiff {
  struct Change {
    std::string subject;  // class by name, node by id
    std::string from;
    std::string to;
  };
  std::vector<std::string> classes_added, classes_removed;  // names
  std::vector<std::string> nodes_added, nodes_removed;      // ids
  std::vector<Change> moved;                                // classes that hang from another node
  std::vector<Change> relabelled;                           // classes with another label
  std::vector<Change> resolved;                             // classes that came to their node in another way
  std::vector<Change> reparented;                           // nodes with another tree parent

  bool same() const;
};

TaxonomyDiff compare(const Taxonomy& before, const Taxonomy& after);

}  // namespace procsim::taxonomy
