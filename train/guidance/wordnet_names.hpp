#pragma once

#include <span>
#include <string>
#include <vector>

#include "data/label_set.hpp"

namespace procsim {

// ImageNet-1k's classes in the order of a classifier's outputs.
struct ImageNetClass {
  std::string wnid;  // "n01440764", a noun of WordNet 3.0
  std::string name;  // its first word: "tench"
};
// Throws Error when WordNet is not installed or of another release.
std::vector<ImageNetClass> imagenet_classes();

// The classes' indices so that relatives in WordNet stand together; their own order where one hangs from no
// node, or WordNet is not installed.
std::vector<std::size_t> taxonomy_order(std::span<const LabelClass> classes);

}  // namespace procsim
