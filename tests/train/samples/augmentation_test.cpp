#include "train/samples/augmentation.hpp"

#include <algorithm>
#include <stdexcept>

#include <gtest/gtest.h>

namespace procsim::train {
namespace {

TEST(RandomCrop, StaysInsideAndKeepsTheLeastArea) {
  double smallest = 1;
  double largest = 0;
  for (std::int64_t id = 0; id < 2000; ++id) {
    auto draws = KeyedRandom(1, "test/crop").for_id(id);
    const auto view = random_crop_view({120, 80}, 0.2, true, draws);
    ASSERT_GE(view.x, 0);
    ASSERT_GE(view.y, 0);
    ASSERT_LE(view.x + view.width, 120);
    ASSERT_LE(view.y + view.height, 80);
    const double area = view.width * view.height / (120.0 * 80);
    smallest = std::min(smallest, area);
    largest = std::max(largest, area);
  }
  EXPECT_NEAR(smallest, 0.2, 0.02);
  EXPECT_GT(largest, 0.85);
}

TEST(RandomCrop, MirrorsHalfOfTheImagesOrNone) {
  int mirrored = 0;
  for (std::int64_t id = 0; id < 1000; ++id) {
    auto draws = KeyedRandom(1, "test/mirror").for_id(id);
    mirrored += random_crop_view({50, 50}, 0.5, true, draws).mirrored;
    auto same = KeyedRandom(1, "test/mirror").for_id(id);
    EXPECT_FALSE(random_crop_view({50, 50}, 0.5, false, same).mirrored);
  }
  EXPECT_NEAR(mirrored, 500, 60);
}

TEST(RandomCrop, OfAnExtremeShapeFallsBackToTheCentre) {
  auto draws = KeyedRandom(1, "test/extreme").for_id(0);
  const auto view = random_crop_view({1000, 10}, 0.9, false, draws);
  EXPECT_EQ(view.height, 10);
  EXPECT_EQ(view.width, 13);
  EXPECT_EQ(view.x, (1000 - 13) / 2);
}

TEST(CentreCrop, IsASquareInTheMiddle) {
  const auto view = centre_crop_view({200, 100}, 0.5);
  EXPECT_EQ(view.width, 50);
  EXPECT_EQ(view.height, 50);
  EXPECT_EQ(view.x, 75);
  EXPECT_EQ(view.y, 25);
}

TEST(RenderView, MirrorsLeftAndRight) {
  Image image{2, 1, {10, 20, 30, 200, 210, 220}};
  const auto plain = render_view(image, {0, 0, 2, 1, false}, 2);
  const auto mirrored = render_view(image, {0, 0, 2, 1, true}, 2);
  EXPECT_EQ(plain.pixel(0, 0)[0], mirrored.pixel(1, 0)[0]);
  EXPECT_LT(plain.pixel(0, 0)[0], plain.pixel(1, 0)[0]);
  EXPECT_GT(mirrored.pixel(0, 0)[0], mirrored.pixel(1, 0)[0]);
}

}  // namespace
}  // namespace procsim::train
