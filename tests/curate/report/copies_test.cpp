#include "curate/report/copies.hpp"

#include <fstream>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "data/images/image.hpp"
#include "tests/support/test_files.hpp"

namespace procsim::curate {
namespace {

using ::testing::HasSubstr;
using ::testing::StartsWith;

// Blocks of colour that differ from number to number.
Image drawing(int number, int side) {
  Image image{side, side, std::vector<std::uint8_t>(static_cast<std::size_t>(3 * side * side))};
  for (int y = 0; y < side; ++y)
    for (int x = 0; x < side; ++x)
      for (int c = 0; c < 3; ++c)
        image.pixel(x, y)[c] = static_cast<std::uint8_t>(
            (37 * number + 91 * (4 * x / side) * (number % 5 + 1) + 53 * (4 * y / side)) % 256);
  return image;
}

class Copies : public ::testing::Test {
 protected:
  void add(std::int64_t id, const std::string& bytes, std::int32_t label,
           const std::string& split = "train") {
    const auto name = std::to_string(id) + ".img";
    std::ofstream(folder_ / name, std::ios::binary) << bytes;
    samples_.push_back({id, name, label, split});
  }
  std::vector<CopyGroup> found(CopyOptions options = {}) {
    return find_copies(samples_, ImageStore(folder_.path()), options).groups;
  }
  std::vector<DamagedSample> damaged(CopyOptions options = {}) {
    return find_copies(samples_, ImageStore(folder_.path()), options).damaged;
  }

  test::TemporaryFolder folder_;
  std::vector<CopySample> samples_;
};

TEST_F(Copies, TheSameBytesUnderAnyLabelAreOneGroup) {
  for (int i = 0; i < 30; ++i) add(i, encode_png(drawing(i, 40)), i % 3);
  add(100, encode_png(drawing(4, 40)), 1);
  add(101, encode_png(drawing(5, 40)), 0, "test");
  CopyOptions exact;
  exact.near = false;
  const auto groups = found(exact);
  ASSERT_EQ(groups.size(), 2U);
  EXPECT_EQ(groups[0].members, (std::vector<std::size_t>{5, 31})) << "leaks first";
  EXPECT_TRUE(groups[0].across_splits);
  EXPECT_TRUE(groups[0].labels_differ);
  EXPECT_EQ(groups[1].members, (std::vector<std::size_t>{4, 30}));
  EXPECT_TRUE(groups[1].exact);
  EXPECT_FALSE(groups[1].labels_differ);
  EXPECT_FALSE(groups[1].across_splits);
}

TEST_F(Copies, ScaledAndEncodedAgainIsANearCopyAndAnotherImageIsNone) {
  for (int i = 0; i < 30; ++i) add(i, encode_png(drawing(i, 96)), 0);
  add(100, encode_jpeg(resize(drawing(7, 96), 48, 48), 80), 0);
  const auto groups = found();
  ASSERT_EQ(groups.size(), 1U);
  EXPECT_EQ(groups[0].members, (std::vector<std::size_t>{7, 30}));
  EXPECT_FALSE(groups[0].exact);
}

TEST_F(Copies, ThinStrokesOnWhitePaperAreNoCopiesOfOneAnother) {
  for (int i = 0; i < 6; ++i) {
    Image paper{96, 96, std::vector<std::uint8_t>(3 * 96 * 96, 255)};
    for (int y = 30; y < 60; ++y)
      for (int c = 0; c < 3; ++c) paper.pixel(20 + 9 * i + (i % 2) * (y - 30) / 5, y)[c] = 0;
    add(i, encode_png(paper), i % 2);
  }
  EXPECT_TRUE(found().empty());
}

TEST_F(Copies, WhatCannotBeReadHasNone) {
  samples_.push_back({1, "missing.png", 0, "train"});
  samples_.push_back({2, "missing.png", 0, "train"});
  add(3, "no image", 0);
  add(4, "no image", 1);
  const auto groups = found();
  ASSERT_EQ(groups.size(), 1U) << "files that are no images are still the same bytes";
  EXPECT_EQ(groups[0].members, (std::vector<std::size_t>{2, 3}));
}

TEST_F(Copies, WhatCannotBeLookedAtIsNamedWithTheReason) {
  add(1, encode_png(drawing(1, 40)), 0);
  const auto whole = encode_jpeg(drawing(2, 96), 90);
  add(2, whole.substr(0, whole.size() / 2), 0);
  samples_.push_back({3, "missing.png", 0, "train"});
  samples_.push_back({4, "../outside.png", 0, "train"});
  add(5, "", 0);
  const auto named = damaged();
  ASSERT_EQ(named.size(), 4U);
  EXPECT_EQ(named[0].id, 2);
  EXPECT_EQ(named[0].path, "2.img");
  EXPECT_THAT(named[0].why, StartsWith("the JPEG is truncated or damaged"));
  EXPECT_THAT(named[1].why, HasSubstr("No such file"));
  EXPECT_THAT(named[2].why, HasSubstr("outside the data set's folder"));
  EXPECT_THAT(named[3].why, HasSubstr("empty"));
  CopyOptions exact;
  exact.near = false;
  ASSERT_EQ(damaged(exact).size(), 2U) << "bytes can be compared without being decoded";
  EXPECT_EQ(damaged(exact)[0].id, 3);
}

TEST(KeptCopy, IsOfATestSplitThenOfTheCommonestLabelThenTheFirst) {
  const std::vector<CopySample> samples{
      {1, "", 5, "train"}, {2, "", 6, "train"}, {3, "", 6, "train"}, {4, "", 5, "test"}};
  EXPECT_EQ(kept_copy({{0, 1, 2, 3}}, samples), 3U);
  EXPECT_EQ(kept_copy({{0, 1, 2}}, samples), 1U);
  EXPECT_EQ(kept_copy({{0, 1}}, samples), 0U);
}

}  // namespace
}  // namespace procsim::curate
