#include "curate/report/left_out.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/curate/scored_birds.hpp"
#include "tests/support/test_files.hpp"

namespace procsim::curate {
namespace {

TEST(LeftOut, AreLabelledSamplesOfTheScoredSplitWithTheReason) {
  const test::TemporaryFolder folder;
  LabelSet set;
  set.info.dataset = "birds";
  set.info.classes = test::bird_classes();
  set.rows = {{0, "0.jpg", "train", 0, {}},           {1, "broken.jpg", "train", 1, {}},
              {2, "gone.jpg", "train", 1, {}},        {3, "t.jpg", "test", 1, {}},
              {4, "u.jpg", "train", kUnlabelled, {}}, {5, "readable.jpg", "train", 0, {}}};
  write_label_set(folder / "set.parquet", set, IfExists::kFail);
  folder.write("images/broken.jpg", "no image");
  test::write_image(folder / "images/readable.jpg", 3);
  const auto table = test::bird_table({test::scored(0, 0, 1, 0.5)});
  const ImageStore images(folder / "images");
  const auto found = find_left_out(folder / "set.parquet", table, &images);
  ASSERT_EQ(found.size(), 3U);
  EXPECT_EQ(found[0].sample, 1);
  EXPECT_THAT(found[0].why, testing::StartsWith("not a JPEG or PNG"));
  EXPECT_EQ(found[1].path, "gone.jpg");
  EXPECT_THAT(found[1].why, testing::HasSubstr("No such file"));
  EXPECT_EQ(found[2].why, "not scored");
  EXPECT_EQ(find_left_out(folder / "set.parquet", table, nullptr)[0].why, "not scored");
}

}  // namespace
}  // namespace procsim::curate
