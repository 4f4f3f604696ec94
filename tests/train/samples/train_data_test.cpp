#include "train/samples/train_data.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "data/base/error.hpp"
#include "tests/support/errors.hpp"
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

TEST_F(TrainDataTest, ASingleTrainingClassIsRefused) {
  for (auto& row : dataset.labels.rows)
    if (row.split == "train") row.label = 4;
  dataset.rewrite();
  EXPECT_THROW(load_train_data(dataset.label_file(), dataset.root()), Error);
}

}  // namespace
}  // namespace procsim::train
