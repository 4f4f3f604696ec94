#include "data/sets/dataset.hpp"

#include <set>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <stdlib.h>

#include "tests/support/expect_error.hpp"
#include "tests/support/test_files.hpp"

namespace procsim {
namespace {

namespace fs = std::filesystem;
using test::expect_error;
using test::TemporaryFolder;
using testing::ElementsAre;

// PROCSIM_DATA and the current folder for the length of a test.
class Surroundings {
 public:
  Surroundings(const fs::path& current, const char* data) : before_(fs::current_path()) {
    fs::current_path(current);
    if (const char* value = ::getenv("PROCSIM_DATA")) data_ = value;
    if (data != nullptr) {
      ::setenv("PROCSIM_DATA", data, 1);
    } else {
      ::unsetenv("PROCSIM_DATA");
    }
  }
  ~Surroundings() {
    fs::current_path(before_);
    if (data_) {
      ::setenv("PROCSIM_DATA", data_->c_str(), 1);
    } else {
      ::unsetenv("PROCSIM_DATA");
    }
  }

 private:
  fs::path before_;
  std::optional<std::string> data_;
};

void write_sop(const TemporaryFolder& folder, const std::string& below) {
  const std::string header = "image_id class_id super_class_id path\n";
  folder.write(below + "Ebay_train.txt", header + "1 1 1 mug_final/1.JPG\n");
  folder.write(below + "Ebay_test.txt", header + "2 2 1 mug_final/2.JPG\n");
}

// Classes c00 … with two images each.
Dataset many_classes(int classes, const DatasetOptions& options) {
  const TemporaryFolder folder;
  for (int i = 0; i < classes; ++i) {
    const auto name = "c" + std::to_string(100 + i);
    folder.write(name + "/1.jpg", "");
    folder.write(name + "/2.jpg", "");
  }
  return open_dataset(folder.path().string(), options);
}

std::set<std::int32_t> training_classes(const Dataset& dataset) {
  std::set<std::int32_t> labels;
  for (const auto& sample : dataset.samples) {
    if (sample.split == "train") labels.insert(sample.label);
  }
  return labels;
}

TEST(OpenDataset, LooksBelowTheRootThenTheVariableThenHere) {
  const TemporaryFolder folder;
  write_sop(folder, "root/sop/");
  write_sop(folder, "variable/Stanford_Online_Products/");
  write_sop(folder, "here/");
  const auto variable = (folder / "variable").string();
  {
    const Surroundings surroundings(folder / "here", variable.c_str());
    DatasetOptions options;
    options.root = folder / "root";
    EXPECT_EQ(open_dataset("sop", options).root, folder / "root/sop");
    EXPECT_EQ(open_dataset("sop").root, folder / "variable/Stanford_Online_Products");
  }
  const Surroundings surroundings(folder / "here", nullptr);
  EXPECT_TRUE(fs::equivalent(open_dataset("sop").root, folder / "here"));
  EXPECT_TRUE(open_dataset("sop").root.is_absolute());
}

TEST(OpenDataset, SaysWhereItLookedAndWhatToDo) {
  const TemporaryFolder folder;
  DatasetOptions options;
  options.root = folder.path();
  expect_error([&] { open_dataset("cub200", options); },
               {"cub200 was not found", folder.path().string(), "--root", "CUB_200_2011",
                "cub200/CUB_200_2011", "image_class_labels.txt", "PROCSIM_DATA"});
  expect_error([&] { open_dataset("cars196", options); }, {"cars196/devkit", "cars_train_annos.mat"});
  expect_error([&] { open_dataset("sop", options); }, {"Stanford_Online_Products", "Ebay_train.txt"});
  options.root = folder / "none";
  expect_error([&] { open_dataset("cub200", options); }, {"none (--root) does not exist"});
  options.root = folder.write("file", "");
  expect_error([&] { open_dataset("cub200", options); }, {"file (--root) is not a folder"});
}

TEST(OpenDataset, ARootThatDoesNotExistIsRefusedForPathsToo) {
  const TemporaryFolder folder;
  const auto table = folder.write("t.csv", "path,label\na.jpg,x\n");
  folder.write("birds/a/1.jpg", "");
  DatasetOptions options;
  options.root = folder / "none";
  expect_error([&] { open_dataset(table.string(), options); }, {"none (--root) does not exist"});
  expect_error([&] { open_dataset((folder / "birds").string(), options); }, {"none (--root) does not exist"});
  options.root = table;
  expect_error([&] { open_dataset(table.string(), options); }, {"t.csv (--root) is not a folder"});
}

TEST(OpenDataset, AnUnknownNameSuggestsTheNearest) {
  const TemporaryFolder folder;
  const Surroundings surroundings(folder.path(), nullptr);
  expect_error([] { open_dataset("cub20"); },
               {"'cub20'", "cub200, cars196, sop, fieldguide", "did you mean 'cub200'"});
  expect_error([] { open_dataset(""); }, {"cub200"});
  folder.write("notes.doc", "x");
  expect_error([] { open_dataset("notes.doc"); }, {"notes.doc", ".csv"});
}

TEST(OpenDataset, APathIsFoundBelowTheRootToo) {
  const TemporaryFolder folder;
  folder.write("birds/a/1.jpg", "");
  folder.write("birds/b/1.jpg", "");
  DatasetOptions options;
  options.root = folder.path();
  EXPECT_EQ(open_dataset("birds", options).root, folder / "birds");
  EXPECT_EQ(open_dataset((folder / "birds/").string()).name, "birds");
}

TEST(OpenDataset, FieldguideIsDrawnBelowTheRootWhenItIsNotThere) {
  const TemporaryFolder folder;
  DatasetOptions options;
  options.root = folder / "data";
  const auto dataset = open_dataset("fieldguide", options);
  EXPECT_EQ(dataset.kind, "fieldguide");
  EXPECT_EQ(dataset.root, folder / "data/fieldguide");
  ASSERT_EQ(dataset.classes.size(), 48u);
  EXPECT_EQ(dataset.samples.size(), 48u * 40u);
  EXPECT_TRUE(missing_images(dataset).empty());
  EXPECT_EQ(dataset.notes.size(), 1u);
  for (const auto& sample : dataset.samples) {
    // The training half comes first, and the folders say the same.
    ASSERT_EQ(sample.split, sample.label < 24 ? "train" : "test");
    ASSERT_TRUE(sample.path.starts_with(
        sample.split + "/" + dataset.classes[static_cast<std::size_t>(sample.label)].published + "/"));
  }
  EXPECT_EQ(read_sample_bytes(dataset.root, dataset.samples[7].path).substr(0, 2), "\xFF\xD8");

  // The second time it is found: by its name below the root, as the root, and by its folder.
  EXPECT_TRUE(open_dataset("fieldguide", options).notes.empty());
  options.root = folder / "data/fieldguide";
  EXPECT_EQ(open_dataset("fieldguide", options).root, folder / "data/fieldguide");
  EXPECT_EQ(open_dataset((folder / "data/fieldguide").string()).kind, "fieldguide");
}

TEST(OpenDataset, AFolderWithAFileNamedLikeFieldguidesManifestIsNotRedrawn) {
  for (const auto* manifest : {"{}", R"({"format": 5})"}) {
    const TemporaryFolder folder;
    folder.write("mine/fieldguide.json", manifest);
    folder.write("mine/thesis.txt", "years of work");
    expect_error([&] { open_dataset((folder / "mine").string()); }, {"holds no images in class folders"});
    EXPECT_EQ(test::read_all(folder / "mine/thesis.txt"), "years of work");
  }
}

TEST(Split, OfficialIsTheFirstHalfOfTheClasses) {
  DatasetOptions options;
  options.split = SplitPolicy::kOfficial;
  EXPECT_THAT(training_classes(many_classes(4, options)), ElementsAre(0, 1));
  EXPECT_THAT(training_classes(many_classes(5, options)), ElementsAre(0, 1, 2));
}

TEST(Split, SeededDrawsHalfOfTheClassesBySeed) {
  DatasetOptions options;
  options.split = SplitPolicy::kSeeded;
  const auto one = training_classes(many_classes(40, options));
  EXPECT_EQ(one.size(), 20u);
  EXPECT_EQ(training_classes(many_classes(40, options)), one);
  options.split_seed = 2;
  const auto two = training_classes(many_classes(40, options));
  EXPECT_EQ(two.size(), 20u);
  EXPECT_NE(two, one);
  EXPECT_EQ(training_classes(many_classes(41, options)).size(), 21u);
}

TEST(Split, SeededKeepsClassesWhole) {
  DatasetOptions options;
  options.split = SplitPolicy::kSeeded;
  const auto dataset = many_classes(10, options);
  for (std::size_t i = 0; i < dataset.samples.size(); i += 2) {
    EXPECT_EQ(dataset.samples[i].split, dataset.samples[i + 1].split);
  }
}

TEST(Split, SamplesWithoutLabelBelongToNoHalf) {
  const TemporaryFolder folder;
  const auto file = folder.write("t.csv", "path,label,split\na,x,train\nb,y,train\nc,,test\n");
  DatasetOptions options;
  options.split = SplitPolicy::kOfficial;
  EXPECT_EQ(open_dataset(file.string(), options).samples[2].split, "unlabelled");
  options.split = SplitPolicy::kSeeded;
  EXPECT_EQ(open_dataset(file.string(), options).samples[2].split, "unlabelled");
  options.split = SplitPolicy::kOwn;
  EXPECT_EQ(open_dataset(file.string(), options).samples[2].split, "test");
}

TEST(Split, OwnIsRefusedWhereThereIsNone) {
  DatasetOptions options;
  options.split = SplitPolicy::kOwn;
  expect_error([&] { many_classes(2, options); }, {"no split of its own", "--split seeded"});
}

TEST(MissingImages, AreListedInSampleOrder) {
  const TemporaryFolder folder;
  folder.write("here.jpg", "");
  fs::create_directories(folder / "folder.jpg");
  const auto file = folder.write("t.csv", "path,label\nz.jpg,x\nhere.jpg,x\nfolder.jpg,y\na.jpg,y\n");
  EXPECT_THAT(missing_images(open_dataset(file.string())), ElementsAre("z.jpg", "folder.jpg", "a.jpg"));
}

TEST(MakeLabelSet, SaysWhatTheDataSetSays) {
  const TemporaryFolder folder;
  const auto file =
      folder.write("t.csv", "sample_id,path,label,split\n7,a.jpg,001.Sooty_Tern,train\n8,b.jpg,,test\n");
  auto dataset = open_dataset(file.string());
  const auto set = make_label_set(dataset, {"n1"});
  EXPECT_EQ(set.info.dataset, "t");
  EXPECT_THAT(set.info.classes, ElementsAre(LabelClass{"Sooty Tern", "001.Sooty_Tern", "n1"}));
  EXPECT_THAT(set.rows, ElementsAre(LabelRow{7, "a.jpg", "train", 0, std::nullopt},
                                    LabelRow{8, "b.jpg", "test", kUnlabelled, std::nullopt}));
  EXPECT_EQ(make_label_set(dataset).info.classes[0].node, "");
  expect_error([&] { make_label_set(dataset, {"n1", "n2"}); }, {"2 taxonomy nodes", "1 classes"});
  dataset.kind = "cub200";
  EXPECT_THAT(make_label_set(dataset).rows,
              ElementsAre(LabelRow{7, "a.jpg", "train", 0, 0},
                          LabelRow{8, "b.jpg", "test", kUnlabelled, std::nullopt}));
}

TEST(MakeLabelSet, IsWrittenAndReadBack) {
  const TemporaryFolder folder;
  const auto file = folder.write("t.csv", "path,label\na.jpg,x\nb.jpg,\n");
  const auto set = make_label_set(open_dataset(file.string()));
  write_label_set(folder / "labels.parquet", set, IfExists::kFail);
  EXPECT_EQ(read_label_set(folder / "labels.parquet").rows, set.rows);
}

}  // namespace
}  // namespace procsim
