#pragma once

#include <cstdint>
#include <span>
#include <unordered_map>
#include <vector>

#include "data/noise_model/class_distances.hpp"

namespace procsim {

// Errors that go to one or two classes, wherever these stand in the tree: a pair of products that was
// swapped, a species that was renamed. The tree has no place for them, and a noise model that has none either
// takes them for confusions of the classifier, and the set for clean.

// What makes a confusion dominant: so many errors, and such a part of all errors of the true class.
struct DominanceRule {
  double errors;
  double part;
};

// `pairs`: errors by true class · classes + given class; `all`: by true class.
std::vector<ClassDistances::DominantConfusions> find_dominant_confusions(
    const std::unordered_map<std::uint64_t, double>& pairs, std::span<const double> all,
    const DominanceRule& rule);

}  // namespace procsim
