#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "noise/rank.hpp"

namespace procsim::noise {

// Finds, in passes over the ranks of many samples, cutoffs below which an exact number of samples of a group
// lies. Memory does not hold the samples: ranks are uniform, so a cutoff is looked for only in a narrow
// window around the place where it must be (about 16 √n candidates); the rare miss widens the window and asks
// for another pass.
//
//   OrderStatistics cutoffs({{n, {k}}, …});
//   do { for (every sample) cutoffs.add(group, rank); } while (!cutoffs.finish_pass());
class OrderStatistics {
 public:
  struct Group {
    std::int64_t size = 0;             // samples that will be added in each pass
    std::vector<std::int64_t> counts;  // wanted below each cutoff, ascending, at most `size`
  };

  explicit OrderStatistics(std::span<const Group> groups);

  void add(std::size_t group, const Rank& rank);
  // True when every cutoff is known. False: add all samples again.
  bool finish_pass();
  // A cutoff for each count of the group, once finish_pass() has returned true.
  std::vector<Rank> cutoffs(std::size_t group) const;

 private:
  struct Window {
    std::int64_t count = 0;  // wanted below the cutoff
    std::int64_t size = 0;
    double half_width = 0;  // of the window, as a share of the range
    std::uint64_t low = 0, high = 0;
    std::int64_t below = 0;
    std::vector<Rank> inside;
    bool found = false;
    Rank cutoff;

    void place();
    void look();
  };
  std::vector<Window> windows_;
  std::vector<std::size_t> first_;  // group → its first window; one more at the end
};

}  // namespace procsim::noise
