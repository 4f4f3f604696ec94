#include "data/noise_model/class_distances.hpp"

#include <gtest/gtest.h>

#include "tests/data/noise_model/simulated_scores.hpp"

namespace procsim {
namespace {

using Lists = std::vector<std::vector<std::int32_t>>;

TEST(ClassDistances, CountsTheStepsUntilTheOtherClassIsBelow) {
  const auto distances = small_distances();
  EXPECT_EQ(distances.steps(), 3);
  EXPECT_EQ(distances.distance(0, 0), 0);
  EXPECT_EQ(distances.distance(0, 1), 1);
  EXPECT_EQ(distances.distance(0, 4), 2);
  EXPECT_EQ(distances.distance(2, 5), 3);
  EXPECT_EQ(distances.distance(5, 2), 1);
  EXPECT_EQ(distances.others_below(0, 1), 1);
  EXPECT_EQ(distances.others_below(3, 1), 2);
  EXPECT_EQ(distances.others_below(3, 2), 4);
  EXPECT_EQ(distances.others_below(5, 3), 5);
}

// Class 0 loses labels to class 5, across the tree, and to class 1, its sibling.
TEST(ClassDistances, DominantConfusionsComeBeforeTheSteps) {
  const auto plain = small_distances();
  std::vector<ClassDistances::DominantConfusions> dominant(6, {ClassDistances::kNone, ClassDistances::kNone});
  dominant[0] = {5, 1};
  const auto distances = plain.with_dominant_confusions(dominant);
  EXPECT_EQ(distances.steps(), plain.steps() + 1);
  EXPECT_EQ(distances.distance(0, 0), 0);
  EXPECT_EQ(distances.distance(0, 5), 1);
  EXPECT_EQ(distances.distance(0, 1), 1);
  EXPECT_EQ(distances.distance(5, 0), 1 + plain.distance(5, 0)) << "not the other way round";
  EXPECT_EQ(distances.distance(0, 2), 1 + plain.distance(0, 2));
  EXPECT_EQ(distances.others_below(0, 1), 2);
  EXPECT_EQ(distances.others_below(0, 2), plain.others_below(0, 1) + 1)
      << "siblings, and the dominant confusion from afar";
  EXPECT_EQ(distances.others_below(0, distances.steps()), 5);
  EXPECT_EQ(distances.others_below(1, 1), 0);
  EXPECT_EQ(distances.others_below(1, 2), plain.others_below(1, 1));
}

TEST(ClassDistances, WithoutATreeEveryOtherClassIsOneStepAway) {
  const ClassDistances distances(4);
  EXPECT_EQ(distances.steps(), 1);
  EXPECT_EQ(distances.distance(0, 3), 1);
  EXPECT_EQ(distances.others_below(2, 1), 3);
}

TEST(ClassDistances, ClassesThatLookAlikeAreNear) {
  // Each class's list: the others in rising order after it, round a ring of 15.
  Lists alike(15);
  for (std::int32_t c = 0; c < 15; ++c)
    for (std::int32_t k = 1; k <= 12; ++k) alike[static_cast<std::size_t>(c)].push_back((c + k) % 15);
  const ClassDistances distances(alike, {});
  EXPECT_EQ(distances.steps(), 4);
  EXPECT_EQ(distances.distance(4, 4), 0);
  EXPECT_EQ(distances.distance(4, 5), 1);
  EXPECT_EQ(distances.distance(4, 7), 2);
  EXPECT_EQ(distances.distance(4, 8), 3);
  EXPECT_EQ(distances.distance(4, 14), 3);
  EXPECT_EQ(distances.distance(4, 0), 4);  // eleventh of the list
  EXPECT_EQ(distances.others_below(4, 1), 1);
  EXPECT_EQ(distances.others_below(4, 2), 3);
  EXPECT_EQ(distances.others_below(4, 3), 10);
  EXPECT_EQ(distances.others_below(4, 4), 14);
  const Lists five{{1, 2, 3, 4}, {0, 2, 3, 4}, {0, 1, 3, 4}, {0, 1, 2, 4}, {0, 1, 2, 3}};
  const ClassDistances few(five, {});
  EXPECT_EQ(few.steps(), 3);
  EXPECT_EQ(few.distance(0, 4), 3);
  EXPECT_EQ(few.others_below(0, 3), 4);
  EXPECT_EQ(ClassDistances(Lists{{1}, {0}}, {}).distance(0, 1), 1);
}

}  // namespace
}  // namespace procsim
