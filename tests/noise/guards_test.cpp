#include "noise/guards.hpp"

#include <algorithm>
#include <random>

#include <gtest/gtest.h>

namespace procsim::noise {
namespace {

std::vector<std::int64_t> counts_after(std::vector<std::int64_t> counts, const std::vector<Flip>& flips,
                                       const CountGuard::Outcome& outcome) {
  for (const auto& flip : flips) {
    const auto cutoff = outcome.cutoffs.find(flip.from);
    if (cutoff != outcome.cutoffs.end() && flip.rank >= cutoff->second) continue;
    --counts[static_cast<std::size_t>(flip.from)];
    if (flip.to >= 0) ++counts[static_cast<std::size_t>(flip.to)];
  }
  return counts;
}

CountGuard::Outcome resolve(const std::vector<std::int64_t>& counts, std::int64_t min,
                            const std::vector<Flip>& flips) {
  CountGuard guard(counts, min);
  for (const auto& flip : flips) guard.add(flip);
  return guard.resolve();
}

TEST(CountGuard, DoesNothingWhereEveryClassKeepsEnough) {
  const auto outcome = resolve({5, 5}, 2, {{{1, 1}, 0, 1}, {{2, 2}, 0, 1}});
  EXPECT_TRUE(outcome.events.empty());
  EXPECT_TRUE(outcome.cutoffs.empty());
}

TEST(CountGuard, TakesBackTheLastFlipsOfAClassThatWouldVanish) {
  const std::vector<Flip> flips{{{10, 1}, 0, 1}, {{30, 2}, 0, 1}, {{20, 3}, 0, 1}};
  const auto outcome = resolve({3, 4}, 2, flips);
  ASSERT_EQ(outcome.events, (std::vector<GuardEvent>{{0, 2}}));
  EXPECT_EQ(outcome.cutoffs.at(0), (Rank{20, 3}));  // ranks 20 and 30 stay, 10 goes
  EXPECT_EQ(counts_after({3, 4}, flips, outcome), (std::vector<std::int64_t>{2, 5}));
}

TEST(CountGuard, CountsSamplesThatComeIn) {
  // Class 0 loses both of its samples but gains two: nothing to guard.
  const std::vector<Flip> flips{{{1, 1}, 0, 1}, {{2, 2}, 0, 1}, {{3, 3}, 1, 0}, {{4, 4}, 1, 0}};
  EXPECT_TRUE(resolve({2, 5}, 2, flips).events.empty());
}

TEST(CountGuard, FollowsWhatTakingBackDoesToOtherClasses) {
  // 0 → 1 all, 1 → 2 all: class 1 lives on what comes from 0; taking back 0's flips uncovers 1.
  const std::vector<Flip> flips{{{1, 1}, 0, 1}, {{2, 2}, 0, 1}, {{3, 3}, 1, 2}, {{4, 4}, 1, 2}};
  const auto outcome = resolve({2, 2, 2}, 2, flips);
  EXPECT_EQ(outcome.events, (std::vector<GuardEvent>{{0, 2}, {1, 2}}));
  EXPECT_EQ(counts_after({2, 2, 2}, flips, outcome), (std::vector<std::int64_t>{2, 2, 2}));
}

TEST(CountGuard, AsksNoMoreOfAClassThanItHad) {
  const std::vector<Flip> flips{{{1, 1}, 0, 1}};
  const auto outcome = resolve({1, 9}, 5, flips);
  EXPECT_EQ(outcome.events, (std::vector<GuardEvent>{{0, 1}}));
  EXPECT_EQ(counts_after({1, 9}, flips, outcome), (std::vector<std::int64_t>{1, 9}));
}

TEST(CountGuard, NeverLetsAClassVanishEvenWithoutAMinimum) {
  const std::vector<Flip> flips{{{1, 1}, 0, 1}, {{2, 2}, 0, 1}};
  EXPECT_EQ(resolve({2, 2}, 0, flips).events, (std::vector<GuardEvent>{{0, 1}}));
}

TEST(CountGuard, CountsAReplacedImageAsGone) {
  const std::vector<Flip> flips{{{1, 1}, 0, -1}, {{2, 2}, 0, -1}};
  EXPECT_EQ(resolve({2, 2}, 2, flips).events, (std::vector<GuardEvent>{{0, 2}}));
}

TEST(CountGuard, HoldsItsPromiseOnRandomFlipsInAnyOrder) {
  std::mt19937 generator(7);
  for (int round = 0; round < 300; ++round) {
    const int classes = 2 + round % 6;
    const std::int64_t min = round % 4;
    std::vector<std::int64_t> counts;
    std::vector<Flip> flips;
    std::int64_t id = 0;
    for (std::int32_t from = 0; from < classes; ++from) {
      counts.push_back(1 + static_cast<std::int64_t>(generator() % 6));
      for (std::int64_t i = 0; i < counts.back(); ++i, ++id) {
        const auto to = static_cast<std::int32_t>(generator() % static_cast<unsigned>(classes));
        if (to != from) flips.push_back({{generator() % 50, id}, from, to});
      }
    }
    const auto outcome = resolve(counts, min, flips);
    const auto after = counts_after(counts, flips, outcome);
    for (std::size_t label = 0; label < counts.size(); ++label) {
      EXPECT_GE(after[label], std::min(counts[label], std::max<std::int64_t>(1, min)));
    }
    std::shuffle(flips.begin(), flips.end(), generator);
    EXPECT_EQ(resolve(counts, min, flips).cutoffs, outcome.cutoffs);
  }
}

}  // namespace
}  // namespace procsim::noise
