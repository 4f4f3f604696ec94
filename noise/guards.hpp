#pragma once

#include <cstdint>
#include <map>
#include <span>
#include <vector>

#include "noise/rank.hpp"

namespace procsim::noise {

// One label that noise would change.
struct Flip {
  Rank rank;
  std::int32_t from = 0;
  std::int32_t to = 0;  // kUnlabelled when the image leaves the data set (open-set noise)
};

// A class that a guard has held back, and how many of its samples keep their labels because of it.
struct GuardEvent {
  std::int32_t label = 0;
  std::int64_t kept = 0;

  bool operator==(const GuardEvent&) const = default;
};

// Keeps every class at `min_per_class` samples or more (at what it had, when it had fewer), and never lets
// one vanish.
//
// Count every flip; resolve() then says from which rank on the samples of a class keep their labels. Taking a
// flip back also takes a sample from its target, so classes are looked at again until all have enough. The
// outcome depends on the set of flips, not on their order. Memory: `min_per_class` flips per class.
class CountGuard {
 public:
  CountGuard(std::span<const std::int64_t> class_counts, std::int64_t min_per_class);

  void add(const Flip& flip);

  struct Outcome {
    std::map<std::int32_t, Rank> cutoffs;  // samples of the class with rank >= cutoff keep their labels
    std::vector<GuardEvent> events;        // by label
  };
  Outcome resolve();

 private:
  struct Class {
    std::int64_t floor = 0;
    std::int64_t count = 0;  // after the flips so far
    std::vector<Flip> last;  // a heap of the flips with the largest ranks, smallest on top
  };
  std::vector<Class> classes_;
};

}  // namespace procsim::noise
