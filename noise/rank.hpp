#pragma once

#include <compare>
#include <cstdint>
#include <limits>

namespace procsim::noise {

// A sample's place in the keyed order that decides who is corrupted first: 53 random bits that belong to its
// id, and the id itself, so that no two samples share a place. A cutoff c takes every sample with rank < c.
struct Rank {
  std::uint64_t draw = 0;
  std::int64_t id = 0;

  auto operator<=>(const Rank&) const = default;
};

inline constexpr std::uint64_t kRankRange = std::uint64_t{1} << 53;  // draws are below
inline constexpr Rank kBeforeAll{0, std::numeric_limits<std::int64_t>::min()};
inline constexpr Rank kAfterAll{kRankRange, std::numeric_limits<std::int64_t>::min()};

}  // namespace procsim::noise
