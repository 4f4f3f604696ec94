#include "data/sets/image_parquet.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "data/sets/dataset.hpp"
#include "tests/support/errors.hpp"
#include "tests/support/test_files.hpp"

namespace procsim {
namespace {

TEST(ImageParquet, IsADataSetThatIsReadAgain) {
  const test::TemporaryFolder folder;
  LabelSet set;
  set.info.dataset = "birds";
  set.info.classes = {{"Arctic Tern", "t", ""}, {"Gull", "g", ""}};
  for (int i = 0; i < 250; ++i) {
    const auto name = "images/" + std::to_string(i) + ".jpg";
    folder.write(name, "picture " + std::to_string(i));
    set.rows.push_back({1000 - i, name, i % 5 ? "train" : "test", i == 7 ? kUnlabelled : i % 2, {}});
  }
  write_label_set(folder / "set.parquet", set, IfExists::kFail);
  EXPECT_EQ(write_image_parquet(folder / "set.parquet", folder.path(), folder / "out", IfExists::kFail), 250);
  const auto dataset = open_dataset((folder / "out").string());
  ASSERT_EQ(dataset.samples.size(), 250U);
  EXPECT_EQ(dataset.classes[0].name, "Arctic Tern");
  std::size_t met = 0;
  for (const auto& sample : dataset.samples) {
    const auto& row = set.rows[static_cast<std::size_t>(1000 - sample.id)];
    EXPECT_EQ(sample.label, row.label);
    EXPECT_EQ(sample.own_split, row.split);
    met +=
        read_sample_bytes(dataset.root, sample.path) == "picture " + std::to_string(1000 - sample.id) ? 1 : 0;
  }
  EXPECT_EQ(met, 250U);
  EXPECT_THAT(test::error_of([&] {
                write_image_parquet(folder / "set.parquet", folder.path(), folder / "out", IfExists::kFail);
              }),
              testing::HasSubstr("already exists. Use --force"));
  std::filesystem::remove(folder / "images/3.jpg");
  EXPECT_THAT(test::error_of([&] {
                write_image_parquet(folder / "set.parquet", folder.path(), folder / "b", IfExists::kFail);
              }),
              testing::HasSubstr("the image of sample 997 cannot be put into"));
}

}  // namespace
}  // namespace procsim
