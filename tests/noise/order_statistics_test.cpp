#include "noise/order_statistics.hpp"

#include <algorithm>

#include <gtest/gtest.h>

#include "data/base/keyed_random.hpp"

namespace procsim::noise {
namespace {

std::vector<Rank> ranks_of(std::int64_t count, std::uint64_t seed) {
  const KeyedRandom random(seed, "test/ranks");
  std::vector<Rank> ranks;
  for (std::int64_t id = 0; id < count; ++id) ranks.push_back({random.for_id(id).next_bits() >> 11, id});
  return ranks;
}

int passes_until_found(OrderStatistics& statistics, const std::vector<std::vector<Rank>>& groups) {
  int passes = 0;
  do {
    ++passes;
    for (std::size_t group = 0; group < groups.size(); ++group) {
      for (const auto& rank : groups[group]) statistics.add(group, rank);
    }
  } while (!statistics.finish_pass() && passes < 50);
  return passes;
}

std::int64_t below(const std::vector<Rank>& ranks, const Rank& cutoff) {
  return std::count_if(ranks.begin(), ranks.end(), [&](const auto& rank) { return rank < cutoff; });
}

TEST(OrderStatistics, CutsOffExactlyTheWantedNumber) {
  const std::vector<std::vector<Rank>> groups{ranks_of(100000, 1), ranks_of(37, 2), ranks_of(1, 3)};
  OrderStatistics statistics(std::vector<OrderStatistics::Group>{
      {100000, {0, 1, 19999, 20000, 99999, 100000}}, {37, {7, 20}}, {1, {1}}});
  EXPECT_EQ(passes_until_found(statistics, groups), 1);
  const std::vector<std::int64_t> wanted{0, 1, 19999, 20000, 99999, 100000};
  const auto cutoffs = statistics.cutoffs(0);
  for (std::size_t i = 0; i < wanted.size(); ++i) EXPECT_EQ(below(groups[0], cutoffs[i]), wanted[i]);
  EXPECT_EQ(below(groups[1], statistics.cutoffs(1)[0]), 7);
  EXPECT_EQ(below(groups[1], statistics.cutoffs(1)[1]), 20);
  EXPECT_EQ(below(groups[2], statistics.cutoffs(2)[0]), 1);
}

TEST(OrderStatistics, SeparatesSamplesWithTheSameDrawByTheirIds) {
  std::vector<Rank> ranks;
  for (std::int64_t id = 0; id < 10; ++id) ranks.push_back({kRankRange / 2, id});
  OrderStatistics statistics(std::vector<OrderStatistics::Group>{{10, {4}}});
  passes_until_found(statistics, {ranks});
  EXPECT_EQ(below(ranks, statistics.cutoffs(0)[0]), 4);
}

TEST(OrderStatistics, WidensItsWindowWhenRanksAreNotWhereTheyShouldBe) {
  std::vector<Rank> ranks;  // all in the lowest hundredth: no uniform draw looks like this
  for (std::int64_t id = 0; id < 5000; ++id) ranks.push_back({static_cast<std::uint64_t>(id) << 30, id});
  OrderStatistics statistics(std::vector<OrderStatistics::Group>{{5000, {4000}}});
  EXPECT_GT(passes_until_found(statistics, {ranks}), 1);
  EXPECT_EQ(below(ranks, statistics.cutoffs(0)[0]), 4000);
}

}  // namespace
}  // namespace procsim::noise
