#include "noise/guards.hpp"

#include <algorithm>
#include <cassert>

namespace procsim::noise {
namespace {

bool later(const Flip& a, const Flip& b) { return a.rank > b.rank; }

}  // namespace

CountGuard::CountGuard(std::span<const std::int64_t> class_counts, std::int64_t min_per_class) {
  classes_.resize(class_counts.size());
  for (std::size_t label = 0; label < class_counts.size(); ++label) {
    classes_[label].count = class_counts[label];
    classes_[label].floor = std::min(class_counts[label], std::max<std::int64_t>(1, min_per_class));
  }
}

void CountGuard::add(const Flip& flip) {
  auto& from = classes_[static_cast<std::size_t>(flip.from)];
  --from.count;
  if (flip.to >= 0) ++classes_[static_cast<std::size_t>(flip.to)].count;
  // A class can lack at most `floor` samples, so no more than that many flips are ever taken back.
  if (static_cast<std::int64_t>(from.last.size()) < from.floor) {
    from.last.push_back(flip);
    std::push_heap(from.last.begin(), from.last.end(), later);
  } else if (!from.last.empty() && from.last.front().rank < flip.rank) {
    std::pop_heap(from.last.begin(), from.last.end(), later);
    from.last.back() = flip;
    std::push_heap(from.last.begin(), from.last.end(), later);
  }
}

CountGuard::Outcome CountGuard::resolve() {
  for (auto& each : classes_) std::sort(each.last.begin(), each.last.end(), later);  // largest rank first
  std::vector<std::size_t> taken_back(classes_.size(), 0);
  Outcome outcome;
  for (bool settled = false; !settled;) {
    settled = true;
    std::vector<std::int64_t> lacking(classes_.size());
    for (std::size_t label = 0; label < classes_.size(); ++label) {
      lacking[label] = std::max<std::int64_t>(0, classes_[label].floor - classes_[label].count);
    }
    for (std::size_t label = 0; label < classes_.size(); ++label) {
      for (; lacking[label] > 0; --lacking[label]) {
        settled = false;
        assert(taken_back[label] < classes_[label].last.size());
        const auto& flip = classes_[label].last[taken_back[label]++];
        outcome.cutoffs[flip.from] = flip.rank;
        ++classes_[label].count;
        if (flip.to >= 0) --classes_[static_cast<std::size_t>(flip.to)].count;
      }
    }
  }
  for (std::size_t label = 0; label < classes_.size(); ++label) {
    if (taken_back[label] == 0) continue;
    outcome.events.push_back(
        {static_cast<std::int32_t>(label), static_cast<std::int64_t>(taken_back[label])});
  }
  return outcome;
}

}  // namespace procsim::noise
