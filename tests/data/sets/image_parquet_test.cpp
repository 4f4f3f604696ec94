#include "data/sets/image_parquet.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "data/sets/dataset.hpp"
#include "tests/support/errors.hpp"
#include "tests/support/test_files.hpp"

namespace procsim {
namespace {

std::int64_t write_images(const test::TemporaryFolder& folder, const char* out) {
  FileChanges files;
  const auto rows =
      write_image_parquet(folder / "set.parquet", folder.path(), folder / out, IfExists::kFail, files);
  files.replace();
  files.keep();
  return rows;
}

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
  EXPECT_EQ(write_images(folder, "out"), 250);
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
  EXPECT_THAT(test::error_of([&] { write_images(folder, "out"); }),
              testing::HasSubstr("already exists. Use --force"));
  std::filesystem::remove(folder / "images/3.jpg");
  EXPECT_THAT(test::error_of([&] { write_images(folder, "b"); }),
              testing::HasSubstr("the image of sample 997 cannot be put into"));
}
TEST(ImageParquet, StaysInItsFolderWhateverASplitIsCalled) {
  const test::TemporaryFolder folder;
  LabelSet set;
  set.info.dataset = "birds";
  set.info.classes = {{"Gull", "g", ""}};
  folder.write("1.jpg", "picture");
  set.rows.push_back({1, "1.jpg", "../../elsewhere", 0, {}});
  write_label_set(folder / "set.parquet", set, IfExists::kFail);
  EXPECT_EQ(write_images(folder, "out"), 1);
  std::size_t inside = 0;
  for (const auto& entry : std::filesystem::directory_iterator(folder / "out" / "data"))
    inside += entry.is_regular_file() ? 1 : 0;
  EXPECT_EQ(inside, 1U);
  std::size_t beside = 0;
  for (const auto& entry : std::filesystem::directory_iterator(folder.path()))
    beside += entry.exists() ? 1 : 0;
  EXPECT_EQ(beside, 3U);  // 1.jpg, set.parquet, out
}

}  // namespace
}  // namespace procsim
