#include "train/samples/train_data.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "data/base/error.hpp"
#include "tests/support/errors.hpp"
#include "tests/support/test_files.hpp"
#include "tests/train/tiny_dataset.hpp"

namespace procsim::train {
namespace {

using ::testing::HasSubstr;

class TrainDataTest : public ::testing::Test {
 protected:
  test::TinyDataset dataset;
  TrainData data = load_train_data(dataset.label_file(), dataset.root());
};

TEST_F(TrainDataTest, BrokenImagesCanBeLeftOut) {
  const auto path = data.train[4].path;
  dataset.folder.write("images/" + path, "nothing");
  const auto before = data.train.size();
  const auto messages = drop_broken_images(data, 2);
  ASSERT_EQ(messages.size(), 1U);
  EXPECT_THAT(messages.front(), HasSubstr(path));
  EXPECT_EQ(data.train.size(), before - 1);
  EXPECT_EQ(data.train_class.size(), data.train.size());
}

TEST_F(TrainDataTest, MissingImagesAreCountedWithAWayOut) {
  try {
    load_train_data(dataset.label_file(), dataset.folder / "elsewhere");
    FAIL();
  } catch (const Error& error) {
    EXPECT_THAT(error.what(), HasSubstr("96 of 96 images are missing"));
    EXPECT_THAT(error.what(), HasSubstr("--root"));
  }
}

TEST_F(TrainDataTest, AMissingImageIsNoReasonToLookForTheDataSet) {
  const auto path = data.train[4].path;
  std::filesystem::remove(dataset.root() / path);
  EXPECT_THAT(test::error_of([&] { load_train_data(dataset.label_file(), dataset.root()); }),
              testing::AllOf(HasSubstr("1 of 96 images are missing"), HasSubstr("--skip-broken")));
  const auto messages = drop_broken_images(data, 2);
  ASSERT_EQ(messages.size(), 1U);
  EXPECT_THAT(messages.front(), HasSubstr(path));
  EXPECT_EQ(data.train.size(), 47U);
}

TEST_F(TrainDataTest, UnlabelledSamplesDoNotTrain) {
  dataset.labels.rows[1].label = kUnlabelled;
  dataset.rewrite();
  data = load_train_data(dataset.label_file(), dataset.root());
  EXPECT_EQ(data.unlabelled, 1);
  EXPECT_EQ(data.train.size(), 47U);
  EXPECT_EQ(data.classes, (std::vector<std::int32_t>{0, 2, 4, 6, 8, 10}));
}

TEST_F(TrainDataTest, ScoresTakeOneSplitOrAll) {
  const test::TemporaryFolder folder;
  LabelSet set{{"two", {{"a", "", ""}, {"b", "", ""}}, nlohmann::ordered_json::object()}, {}};
  set.rows = {{1, "1", "train", 0, {}},
              {2, "2", "train", 1, {}},
              {3, "3", "test", 0, {}},
              {4, "4", "test", kUnlabelled, {}}};
  write_label_set(folder / "set.parquet", set, IfExists::kFail);
  const auto test = load_labels_of(folder / "set.parquet", "test");
  EXPECT_EQ(test.train_ids(), (std::vector<std::int64_t>{3}));
  EXPECT_EQ(test.other_splits, 2);
  EXPECT_EQ(test.unlabelled, 1);
  const auto all = load_labels_of(folder / "set.parquet", kAllSplits);
  EXPECT_EQ(all.train_ids(), (std::vector<std::int64_t>{1, 2, 3}));
  EXPECT_EQ(all.other_splits, 0);
  EXPECT_TRUE(all.test.empty());
  EXPECT_THROW(load_labels_of(folder / "set.parquet", "valid"), Error);
  // Features of the training split alone, but for one of them: what is missing is for the reader to say.
  const auto featured = load_labels_of(folder / "set.parquet", kAllSplits, std::vector<std::int64_t>{2, 77});
  EXPECT_EQ(featured.train_ids(), (std::vector<std::int64_t>{1, 2}));
  EXPECT_EQ(featured.other_splits, 1);
  const auto nothing = load_labels_of(folder / "set.parquet", kAllSplits, std::vector<std::int64_t>{77});
  EXPECT_EQ(nothing.train.size(), 3U);
}

TEST_F(TrainDataTest, ASingleTrainingClassIsRefused) {
  for (auto& row : dataset.labels.rows)
    if (row.split == "train") row.label = 4;
  dataset.rewrite();
  EXPECT_THROW(load_train_data(dataset.label_file(), dataset.root()), Error);
}

}  // namespace
}  // namespace procsim::train
