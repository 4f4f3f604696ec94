#pragma once

#include <string>
#include <vector>

namespace procsim::train {

// ImageNet-1k's classes in the order of a classifier's outputs.
struct ImageNetClass {
  std::string wnid;  // "n01440764", a noun of WordNet 3.0
  std::string name;  // its first word: "tench"
};
// Throws Error when WordNet is not installed or of another release.
std::vector<ImageNetClass> imagenet_classes();

}  // namespace procsim::train
