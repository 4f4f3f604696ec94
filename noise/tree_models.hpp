#pragma once

#include <memory>

#include "noise/noise_spec.hpp"
#include "noise/target_model.hpp"
#include "taxonomy/tree/class_tree.hpp"

namespace procsim::noise {

// The trees below are pruned to the classes of the split, single children collapsed, so that a class's first
// ancestor with two children or more is its parent.

// One of the parent's other children, equally likely; from an inner child on, child after child down to a
// leaf (kDescend), or one of the leaves below it, equally likely (kLeaves).
std::unique_ptr<TargetModel> make_semantic_model(std::shared_ptr<const taxonomy::ClassTree> tree,
                                                 InnerStep step);

// Another class below the same ancestor at depth `level` (root 0), equally likely. A class that hangs higher
// up, or alone, has no target.
std::unique_ptr<TargetModel> make_superclass_model(std::shared_ptr<const taxonomy::ClassTree> tree,
                                                   std::int32_t level);

// Any other class with weight exp(−d / temperature), d the edges between the two leaves.
std::unique_ptr<TargetModel> make_distance_model(std::shared_ptr<const taxonomy::ClassTree> tree,
                                                 double temperature);

}  // namespace procsim::noise
