#pragma once

#include <cstdint>
#include <span>

#include "data/noise_model/class_distances.hpp"

namespace procsim::taxonomy {

struct ClassTree;

// How far classes are from each other in a class tree, for the noise model. `labels[c]` is the label of class
// c; throws Error where the tree has no leaf for one.
ClassDistances tree_distances(const ClassTree& tree, std::span<const std::int32_t> labels);

}  // namespace procsim::taxonomy
