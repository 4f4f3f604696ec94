#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "curate/evidence/score_table.hpp"

namespace procsim::curate {

// The samples as points of a plane, as the scores file has them (map_x, map_y), for the page's map.
struct SampleMap {
  std::vector<std::uint16_t> x, y;  // 0 to 65535 over the points' extent, the same scale both ways
  std::vector<std::int32_t> label;  // as given
  std::vector<std::uint8_t> p;      // probability of a wrong label, 255 = 1
  std::size_t all = 0;              // samples that have a place
};

inline constexpr std::size_t kMostMapPoints = 100'000;  // more than a screen tells apart

// The rows of `first`, in order, and as many of the others as make `most`, drawn evenly. Rows without a place
// are left out of the others; empty when a row of `first` has none. `wrong`: a row each, the probability that
// its label is wrong, 1 or 0 where people found out; the scores' own where it is empty.
SampleMap make_sample_map(const ScoreTable& table, std::span<const std::uint32_t> first,
                          std::span<const double> wrong = {}, std::size_t most = kMostMapPoints);

}  // namespace procsim::curate
