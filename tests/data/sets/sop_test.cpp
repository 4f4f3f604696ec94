#include <algorithm>
#include <set>
#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "data/sets/dataset.hpp"
#include "tests/support/expect_error.hpp"
#include "tests/support/test_files.hpp"

namespace procsim {
namespace {

using test::expect_error;
using test::TemporaryFolder;

const std::string kHeader = "image_id class_id super_class_id path\n";
const std::string kTrain = kHeader +
                           "1 1 1 bicycle_final/111_0.JPG\n2 1 1 bicycle_final/111_1.JPG\n"
                           "3 2 4 coffee_maker_final/222_0.JPG\n";
const std::string kTest = kHeader + "4 3 1 bicycle_final/333_0.JPG\n5 3 1 bicycle_final/333_1.JPG\n";

Dataset open(const TemporaryFolder& folder, SplitPolicy split = SplitPolicy::kDefault) {
  DatasetOptions options;
  options.root = folder.path();
  options.split = split;
  return open_dataset("sop", options);
}

TEST(Sop, ReadsBothListsWithSuperClasses) {
  const TemporaryFolder folder;
  folder.write("Stanford_Online_Products/Ebay_train.txt", kTrain);
  folder.write("Stanford_Online_Products/Ebay_test.txt", kTest);
  const auto dataset = open(folder);
  EXPECT_EQ(dataset.root, folder / "Stanford_Online_Products");
  ASSERT_EQ(dataset.classes.size(), 3u);
  EXPECT_EQ(dataset.classes[0].published, "1");
  EXPECT_EQ(dataset.classes[0].super_class, "bicycle");
  EXPECT_EQ(dataset.classes[1].super_class, "coffee maker");
  EXPECT_EQ(dataset.classes[1].name, "coffee maker 2");
  ASSERT_EQ(dataset.samples.size(), 5u);
  EXPECT_EQ(dataset.samples[3].id, 4);
  EXPECT_EQ(dataset.samples[3].path, "bicycle_final/333_0.JPG");
  EXPECT_EQ(dataset.samples[3].label, 2);
}

TEST(Sop, TheListsAreTheOfficialSplit) {
  const TemporaryFolder folder;
  folder.write("Ebay_train.txt", kTrain);
  folder.write("Ebay_test.txt", kTest);
  for (const auto policy : {SplitPolicy::kDefault, SplitPolicy::kOfficial, SplitPolicy::kOwn}) {
    for (const auto& sample : open(folder, policy).samples) {
      EXPECT_EQ(sample.split, sample.id <= 3 ? "train" : "test");
    }
  }
}

TEST(Sop, WrongLinesAreRefusedWithFileAndLine) {
  const TemporaryFolder folder;
  const auto refuse = [&](const std::string& train, const std::string& test,
                          const std::vector<std::string>& pieces) {
    folder.write("Ebay_train.txt", train);
    folder.write("Ebay_test.txt", test);
    expect_error([&] { open(folder); }, pieces);
  };
  refuse(kHeader + "1 1 1 a/x.JPG\n3 1 1 a/y.JPG\n", kTest,
         {"Ebay_train.txt, line 3", "image_id is 3", "missing"});
  refuse(kHeader + "1 1 1 a/x.JPG\n1 1 1 a/y.JPG\n", kTest, {"line 3", "occurs twice"});
  refuse(kTrain, kHeader + "4 5 1 bicycle_final/x.JPG\n",
         {"Ebay_test.txt, line 2", "class_id is 5 where 3 follows"});
  refuse(kTrain, kHeader + "4 2 4 coffee_maker_final/x.JPG\n",
         {"Ebay_test.txt, line 2", "class_id 2", "Ebay_train"});
  refuse(kHeader + "1 0 1 a/x.JPG\n", kTest, {"line 2", "class_id is 0, expected 1 to"});
  refuse(kHeader + "1 1 1\n", kTest, {"line 2", "3 fields, expected 4"});
  refuse(kHeader + "1 one 1 a/x.JPG\n", kTest, {"line 2", "class_id is 'one'"});
  refuse(kHeader + "1 1 1 x.JPG\n", kTest, {"line 2", "super-class's folder"});
  refuse(kHeader + "1 1 1 a/x.JPG\n2 1 1 b/x.JPG\n", kTest,
         {"line 3", "super_class_id 1 is 'a' above and 'b' here"});
  refuse(kHeader + "1 1 1 a/x.JPG\n2 1 2 b/x.JPG\n", kTest, {"line 3", "class_id 1 belongs to 'a'"});
  refuse(kHeader + "1 1 1 ../a/x.JPG\n", kTest, {"line 2", "not a path below"});
  refuse("1 1 1 a/x.JPG\n", kTest, {"line 1", "header"});
  refuse(kHeader, kTest, {"Ebay_train.txt lists no images"});
  refuse("", kTest, {"Ebay_train.txt, line 1", "header"});
}

TEST(Sop, AMissingListIsNamed) {
  const TemporaryFolder folder;
  folder.write("Ebay_train.txt", kTrain);
  expect_error([&] { open(folder); }, {"Ebay_test.txt", "No such file"});
}

TEST(Sop, EveryTruncationIsReadOrRefused) {
  const TemporaryFolder folder;
  folder.write("Ebay_test.txt", kTest);
  for (std::size_t length = 0; length < kTrain.size(); ++length) {
    folder.write("Ebay_train.txt", kTrain.substr(0, length));
    try {
      open(folder);
    } catch (const Error& error) {
      EXPECT_EQ(std::string(error.what()).find('\n'), std::string::npos);
    }
  }
}

TEST(Sop, TheRealOneHasItsPublishedCounts) {
  const auto root = test::shared_data("sop");
  if (!root) GTEST_SKIP() << "no ../shared/sop";
  DatasetOptions options;
  options.root = *root;
  const auto dataset = open_dataset("sop", options);
  EXPECT_EQ(dataset.classes.size(), 22634u);
  std::set<std::string> super_classes;
  for (const auto& entry : dataset.classes) super_classes.insert(entry.super_class);
  EXPECT_THAT(super_classes,
              testing::ElementsAre("bicycle", "cabinet", "chair", "coffee maker", "fan", "kettle", "lamp",
                                   "mug", "sofa", "stapler", "table", "toaster"));
  std::set<std::int32_t> train_classes, test_classes;
  std::int64_t train = 0;
  for (const auto& sample : dataset.samples) {
    train += sample.split == "train";
    (sample.split == "train" ? train_classes : test_classes).insert(sample.label);
  }
  EXPECT_EQ(train, 59551);
  EXPECT_EQ(static_cast<std::int64_t>(dataset.samples.size()) - train, 60502);
  EXPECT_EQ(train_classes.size(), 11318u);
  EXPECT_EQ(test_classes.size(), 11316u);
}

}  // namespace
}  // namespace procsim
