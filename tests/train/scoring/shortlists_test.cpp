#include "train/scoring/shortlists.hpp"

#include <algorithm>
#include <numeric>

#include <gtest/gtest.h>

#include "data/base/keyed_random.hpp"

namespace procsim::train {
namespace {

std::vector<std::int32_t> list_of(const Shortlists& lists, std::int64_t sample) {
  const auto list = lists.of(sample);
  return {list.begin(), list.end()};
}

TEST(Shortlists, OfFewClassesHoldThemAll) {
  const Shortlists lists(4);
  EXPECT_TRUE(lists.everything());
  EXPECT_EQ(list_of(lists, 0), (std::vector<std::int32_t>{0, 1, 2, 3}));
  EXPECT_EQ(list_of(lists, 99), list_of(lists, 0));
}

TEST(Shortlists, HoldTheBestAndTheGivenClassInAnyCase) {
  Shortlists lists(3, 2);
  const std::vector<float> scores{0.5F, 0.1F, 0.5F, 0.9F, 0.5F};
  lists.set(0, scores, 3);
  lists.set(1, scores, 4);
  lists.set(2, scores, 0);
  EXPECT_EQ(list_of(lists, 0), (std::vector<std::int32_t>{0, 3})) << "ties by class";
  EXPECT_EQ(list_of(lists, 1), (std::vector<std::int32_t>{3, 4})) << "in the place of the worst";
  EXPECT_EQ(list_of(lists, 2), (std::vector<std::int32_t>{0, 3}));
}

TEST(Shortlists, OfManyClassesAreThoseOfASort) {
  const std::int64_t classes = 1003, width = 17;
  const KeyedRandom random(1, "test/shortlists");
  Shortlists lists(50, width);
  for (std::int64_t i = 0; i < 50; ++i) {
    std::vector<float> scores;
    auto draws = random.for_id(i);
    // Few different values, so that there are many ties; some samples' scores only rise.
    for (std::int64_t c = 0; c < classes; ++c)
      scores.push_back(i % 5 == 0 ? static_cast<float>(c) : static_cast<float>(draws.below(200)));
    std::vector<std::int32_t> order(static_cast<std::size_t>(classes));
    std::iota(order.begin(), order.end(), 0);
    std::ranges::stable_sort(order, [&](std::int32_t a, std::int32_t b) {
      return scores[static_cast<std::size_t>(a)] > scores[static_cast<std::size_t>(b)];
    });
    order.resize(static_cast<std::size_t>(width));
    std::ranges::sort(order);
    lists.set(i, scores, order[3]);
    EXPECT_EQ(list_of(lists, i), order);
  }
}

}  // namespace
}  // namespace procsim::train
