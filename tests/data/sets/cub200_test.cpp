#include <algorithm>
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

// Four classes, six images; the files are not in the same order.
struct SmallCub {
  TemporaryFolder folder;

  SmallCub() {
    write("classes.txt",
          "1 001.Black_footed_Albatross\n2 002.Laysan_Albatross\n3 003.Sooty_Albatross\n4 "
          "004.Groove_billed_Ani\n");
    write("images.txt",
          "1 001.Black_footed_Albatross/a.jpg\n2 001.Black_footed_Albatross/b.jpg\n3 "
          "002.Laysan_Albatross/c.jpg\n"
          "4 003.Sooty_Albatross/d.jpg\n5 004.Groove_billed_Ani/e.jpg\n6 004.Groove_billed_Ani/f.jpg\n");
    write("image_class_labels.txt", "6 4\n5 4\n4 3\n3 2\n2 1\n1 1\n");
    write("train_test_split.txt", "1 0\n2 1\n3 0\n4 1\n5 0\n6 1\n");
  }
  void write(const std::string& name, const std::string& content) const {
    folder.write("CUB_200_2011/" + name, content);
  }
  Dataset open(DatasetOptions options = {}) const {
    options.root = folder.path();
    return open_dataset("cub200", options);
  }
  void expect_refused(const std::vector<std::string>& pieces, const DatasetOptions& options = {}) const {
    expect_error([&] { open(options); }, pieces);
  }
};

TEST(Cub200, ReadsClassesImagesAndLabels) {
  const SmallCub cub;
  const auto dataset = cub.open();
  EXPECT_EQ(dataset.name, "cub200");
  EXPECT_EQ(dataset.kind, "cub200");
  EXPECT_EQ(dataset.root, cub.folder / "CUB_200_2011");
  ASSERT_EQ(dataset.classes.size(), 4u);
  EXPECT_EQ(dataset.classes[0].published, "001.Black_footed_Albatross");
  EXPECT_EQ(dataset.classes[0].name, "Black-footed Albatross");
  EXPECT_EQ(dataset.classes[0].super_class, "");
  ASSERT_EQ(dataset.samples.size(), 6u);
  EXPECT_EQ(dataset.samples[2].id, 3);
  EXPECT_EQ(dataset.samples[2].path, "images/002.Laysan_Albatross/c.jpg");
  EXPECT_EQ(dataset.samples[2].label, 1);
  EXPECT_EQ(dataset.samples[5].label, 3);
  EXPECT_FALSE(dataset.samples[0].box);
  EXPECT_TRUE(dataset.notes.empty());
}

TEST(Cub200, OfficialSplitTrainsOnTheFirstHalfOfTheClasses) {
  const auto dataset = SmallCub().open();
  for (const auto& sample : dataset.samples) EXPECT_EQ(sample.split, sample.label < 2 ? "train" : "test");
}

TEST(Cub200, OwnSplitIsTheOneInTheFile) {
  DatasetOptions options;
  options.split = SplitPolicy::kOwn;
  const auto dataset = SmallCub().open(options);
  for (const auto& sample : dataset.samples) EXPECT_EQ(sample.split, sample.id % 2 == 0 ? "train" : "test");
}

TEST(Cub200, OwnSplitNeedsItsFileAndTheOfficialOneDoesNot) {
  const SmallCub cub;
  std::filesystem::remove(cub.folder / "CUB_200_2011/train_test_split.txt");
  EXPECT_THAT(cub.open().notes, testing::ElementsAre(testing::HasSubstr("train_test_split.txt")));
  DatasetOptions options;
  options.split = SplitPolicy::kOwn;
  cub.expect_refused({"no split of its own", "--split seeded"}, options);
}

TEST(Cub200, BoundingBoxesComeWhenAskedFor) {
  const SmallCub cub;
  DatasetOptions options;
  options.bounding_boxes = true;
  cub.expect_refused({"bounding_boxes.txt", "does not exist"}, options);
  cub.write("bounding_boxes.txt",
            "1 60.0 27.0 325.0 304.0\n2 1 2 3 4\n3 1 2 3 4\n4 1 2 3 4\n5 1 2 3 4\n6 0.5 2 3 4\n");
  const auto dataset = cub.open(options);
  ASSERT_TRUE(dataset.samples[0].box);
  EXPECT_EQ(dataset.samples[0].box->x, 60);
  EXPECT_EQ(dataset.samples[0].box->height, 304);
  EXPECT_EQ(dataset.samples[5].box->x, 0.5f);
  cub.write("bounding_boxes.txt", "1 60.0 27.0 0 304.0\n");
  cub.expect_refused({"bounding_boxes.txt, line 1", "empty"}, options);
}

TEST(Cub200, IsRecognisedByItsFolderToo) {
  const SmallCub cub;
  const auto dataset = open_dataset((cub.folder / "CUB_200_2011").string());
  EXPECT_EQ(dataset.kind, "cub200");
  EXPECT_EQ(dataset.samples.size(), 6u);
}

TEST(Cub200, WindowsLineEndsAndByteOrderMarksAreAccepted) {
  const SmallCub cub;
  cub.write("classes.txt",
            "\xEF\xBB\xBF"
            "1 a\r\n2 b\r\n3 c\r\n4 d\r\n\r\n");
  EXPECT_EQ(cub.open().classes[3].name, "d");
}

TEST(Cub200, WrongLinesAreRefusedWithFileAndLine) {
  const SmallCub cub;
  const auto refuse = [&](const std::string& file, const std::string& content,
                          std::vector<std::string> pieces) {
    const auto path = cub.folder / ("CUB_200_2011/" + file);
    const auto good = test::read_all(path);
    cub.write(file, content);
    pieces.push_back(file);
    cub.expect_refused(pieces);
    cub.write(file, good);
  };
  // a missing line, an extra one, one that occurs twice
  refuse("image_class_labels.txt", "1 1\n2 1\n3 2\n4 3\n6 4\n", {"image_id 5", "no line"});
  refuse("image_class_labels.txt", "1 1\n2 1\n3 2\n4 3\n5 4\n6 4\n7 4\n",
         {"line 7", "image_id 7 is not in images.txt"});
  refuse("image_class_labels.txt", "1 1\n2 1\n2 2\n", {"line 3", "image_id 2 occurs twice"});
  refuse("train_test_split.txt", "1 1\n2 1\n", {"image_id 3"});
  // classes out of range
  refuse("image_class_labels.txt", "1 1\n2 5\n", {"line 2", "class_id is 5, expected 1 to 4"});
  refuse("image_class_labels.txt", "1 0\n", {"line 1", "class_id is 0, expected 1 to 4"});
  refuse("image_class_labels.txt", "1 99999999999999999999\n", {"line 1", "whole number"});
  refuse("classes.txt", "1 a\n2 b\n4 c\n5 d\n", {"class_id 3 is missing"});
  refuse("classes.txt", "1 a\n1 b\n", {"line 2", "class_id 1 occurs twice"});
  refuse("classes.txt", "", {"lists no classes"});
  refuse("train_test_split.txt", "1 2\n", {"line 1", "is_training_image is 2, expected 0 to 1"});
  // the wrong number of fields, no numbers
  refuse("images.txt", "1\n", {"line 1", "1 field, expected 2: image_id image_name"});
  refuse("images.txt", "1 a b\n", {"line 1", "3 fields, expected 2"});
  refuse("images.txt", "one a.jpg\n", {"line 1", "image_id is 'one', expected a whole number"});
  refuse("image_class_labels.txt", "1 1.0\n", {"line 1", "class_id is '1.0'"});
  refuse("images.txt", "1 a.jpg\n1 b.jpg\n", {"line 2", "image_id 1 occurs twice"});
  refuse("images.txt", "1 ../../etc/passwd\n", {"line 1", "not a path below"});
  refuse("images.txt", "1 /etc/passwd\n", {"line 1", "not a path below"});
  refuse("images.txt", "", {"lists no images"});
  // no text at all
  refuse("images.txt", "1 " + std::string(1u << 20, 'x'), {"line 1", "longer than 64 KiB"});
  refuse("images.txt", std::string("1 a\0b\n", 6), {"line 1", "zero byte"});
  refuse("images.txt", "1 caf\xE9.jpg\n", {"line 1", "UTF-8"});
}

TEST(Cub200, AMissingListIsNamed) {
  for (const auto* name : {"classes.txt", "images.txt", "image_class_labels.txt"}) {
    const SmallCub cub;
    std::filesystem::remove(cub.folder / ("CUB_200_2011/" + std::string(name)));
    cub.expect_refused({name, "No such file"});
  }
}

// Cut anywhere, a list is read (when only its last line end is gone) or refused; it never crashes.
TEST(Cub200, EveryTruncationIsReadOrRefused) {
  const SmallCub cub;
  for (const auto* name : {"classes.txt", "images.txt", "image_class_labels.txt", "train_test_split.txt"}) {
    const auto whole = test::read_all(cub.folder / ("CUB_200_2011/" + std::string(name)));
    for (std::size_t length = 0; length < whole.size(); ++length) {
      cub.write(name, whole.substr(0, length));
      try {
        const auto dataset = cub.open();
        EXPECT_EQ(dataset.samples.size(), 6u) << name << " cut at " << length;
      } catch (const Error& error) {
        EXPECT_EQ(std::string(error.what()).find('\n'), std::string::npos);
      }
    }
    cub.write(name, whole);
  }
}

TEST(Cub200, TheRealOneHasItsPublishedCounts) {
  const auto root = test::shared_data("cub200");
  if (!root) GTEST_SKIP() << "no ../shared/cub200";
  DatasetOptions options;
  options.root = *root;
  const auto dataset = open_dataset("cub200", options);
  EXPECT_EQ(dataset.classes.size(), 200u);
  EXPECT_EQ(dataset.samples.size(), 11788u);
  const auto train = std::count_if(dataset.samples.begin(), dataset.samples.end(),
                                   [](const Sample& sample) { return sample.split == "train"; });
  EXPECT_EQ(train, 5864);
  const auto own_train = std::count_if(dataset.samples.begin(), dataset.samples.end(),
                                       [](const Sample& sample) { return sample.own_split == "train"; });
  EXPECT_EQ(own_train, 5994);  // lines that end in 1 in train_test_split.txt
  EXPECT_TRUE(missing_images(dataset).empty());
  EXPECT_EQ(read_sample_bytes(dataset.root, dataset.samples[0].path).substr(0, 2), "\xFF\xD8");
}

}  // namespace
}  // namespace procsim
