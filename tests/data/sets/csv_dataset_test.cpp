#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "data/sets/dataset.hpp"
#include "tests/support/expect_error.hpp"
#include "tests/support/test_files.hpp"

namespace procsim {
namespace {

using test::expect_error;
using test::TemporaryFolder;
using testing::ElementsAre;
using testing::HasSubstr;

Dataset open(const TemporaryFolder& folder, const std::string& content, const DatasetOptions& options = {}) {
  return open_dataset(folder.write("birds.csv", content).string(), options);
}

std::vector<std::string> published(const Dataset& dataset) {
  std::vector<std::string> result;
  for (const auto& entry : dataset.classes) result.push_back(entry.published);
  return result;
}

std::vector<std::int32_t> labels(const Dataset& dataset) {
  std::vector<std::int32_t> result;
  for (const auto& sample : dataset.samples) result.push_back(sample.label);
  return result;
}

void expect_refused(const std::string& content, const std::vector<std::string>& pieces,
                    const DatasetOptions& options = {}) {
  const TemporaryFolder folder;
  expect_error([&] { open(folder, content, options); }, pieces);
}

TEST(CsvDataset, TextLabelsMakeClassesInTheOrderOfTheirBytes) {
  const TemporaryFolder folder;
  const auto dataset =
      open(folder, "path,label\nimg/1.jpg,tern\nimg/2.jpg,black_footed_albatross\nimg/3.jpg,tern\n");
  EXPECT_EQ(dataset.name, "birds");
  EXPECT_EQ(dataset.kind, "csv");
  EXPECT_EQ(dataset.root, folder.path());
  EXPECT_THAT(published(dataset), ElementsAre("black_footed_albatross", "tern"));
  EXPECT_EQ(dataset.classes[0].name, "black-footed albatross");
  EXPECT_THAT(labels(dataset), ElementsAre(1, 0, 1));
  EXPECT_EQ(dataset.samples[2].id, 2);
  EXPECT_EQ(dataset.samples[2].path, "img/3.jpg");
  EXPECT_EQ(dataset.samples[2].split, "train");
}

TEST(CsvDataset, IntegerLabelsAreOrderedByValue) {
  const TemporaryFolder folder;
  const auto dataset = open(folder, "path,label\na,10\nb,2\nc,-1\nd,\n");
  EXPECT_THAT(published(dataset), ElementsAre("2", "10"));
  EXPECT_THAT(labels(dataset), ElementsAre(1, 0, kUnlabelled, kUnlabelled));
  EXPECT_THAT(dataset.notes,
              testing::IsSupersetOf({HasSubstr("not 0 to 1"), HasSubstr("2 samples carry no label")}));
  EXPECT_THAT(published(open(folder, "path,label\na,1\nb,0\n")), ElementsAre("0", "1"));
  // Zeros in front make a name, not a number.
  EXPECT_THAT(published(open(folder, "path,label\na,010\nb,9\n")), ElementsAre("010", "9"));
}

TEST(CsvDataset, AColumnOfClassNamesNamesIntegerLabels) {
  const TemporaryFolder folder;
  const auto dataset = open(folder, "path,label,class_name\na,1,tern\nb,0,gull\nc,1,tern\n");
  EXPECT_THAT(published(dataset), ElementsAre("gull", "tern"));
  expect_refused("path,label,class_name\na,1,tern\nb,1,gull\n",
                 {"line 3", "label 1", "'gull' here and 'tern' before"});
}

TEST(CsvDataset, SplitAndSampleIdColumnsAreUsed) {
  const TemporaryFolder folder;
  const auto dataset = open(folder, "sample_id,path,label,split\n70,a,x,Training\n5,b,y,valid\n6,c,x,odd\n");
  EXPECT_EQ(dataset.samples[0].id, 70);
  EXPECT_EQ(dataset.samples[0].split, "train");
  EXPECT_EQ(dataset.samples[1].split, "val");
  EXPECT_EQ(dataset.samples[2].split, "odd");
  EXPECT_TRUE(dataset.notes.empty());
}

TEST(CsvDataset, ColumnsAreChosenByNameOrIndex) {
  const TemporaryFolder folder;
  const std::string table = "file,genus,species\na.jpg,Sterna,hirundo\nb.jpg,Larus,canus\n";
  EXPECT_THAT(published(open(folder, table)), ElementsAre("canus", "hirundo"));
  DatasetOptions options;
  options.label_column = "Genus";
  EXPECT_THAT(published(open(folder, table, options)), ElementsAre("Larus", "Sterna"));
  options.label_column = "1";
  EXPECT_THAT(published(open(folder, table, options)), ElementsAre("Larus", "Sterna"));
  options.label_column = "2";
  options.path_column = "0";
  EXPECT_EQ(open(folder, table, options).samples[1].path, "b.jpg");
  options.label_column = "genux";
  expect_refused(table, {"no column 'genux'", "file, genus, species", "did you mean 'genus'"}, options);
  options.label_column = "3";
  expect_refused(table, {"no column '3'"}, options);
  options.label_column = "file";
  expect_refused(table, {"'file'", "both"}, options);
}

TEST(CsvDataset, PathsAreRelativeToTheRootOrTheTable) {
  const TemporaryFolder folder;
  folder.write("elsewhere/img/a.jpg", "");
  DatasetOptions options;
  options.root = folder / "elsewhere";
  const auto inside = (folder / "elsewhere/img/a.jpg").string();
  const auto dataset = open(folder, "path,label\n./img//a.jpg,x\n" + inside + ",y\n", options);
  EXPECT_EQ(dataset.root, folder / "elsewhere");
  EXPECT_EQ(dataset.samples[0].path, "img/a.jpg");
  EXPECT_EQ(dataset.samples[1].path, "img/a.jpg");
  EXPECT_THAT(dataset.notes, testing::Contains(HasSubstr("1 samples repeat the path")));
  EXPECT_TRUE(missing_images(dataset).empty());
}

TEST(CsvDataset, WrongRowsAreRefusedWithTheirLine) {
  expect_refused("path,label\n../a.jpg,x\n", {"birds.csv, line 2, column 'path'", "'../a.jpg' is outside"});
  expect_refused("path,label\n/etc/passwd,x\n", {"line 2", "outside"});
  expect_refused("path,label\n,x\n", {"line 2", "'path'", "empty"});
  expect_refused("path,label\na,0\nb,-3\n", {"line 3", "label -3 is negative"});
  expect_refused("path,label,split\na,0,\n", {"line 2", "'split'", "empty"});
  expect_refused("path,label,sample_id\na,0,1\nb,0,1\n", {"line 3", "'sample_id'", "1 occurs twice"});
  expect_refused("path,label,sample_id\na,0,x\n",
                 {"line 2", "'sample_id'", "'x' is not a whole number", "Rename the column"});
  expect_refused("path,label\na\n", {"line 2", "1 column where the first line has 2"});
  expect_refused("path,label\n", {"no rows"});
  expect_refused("a,b\n1,2\n", {"no column that looks like labels", "a, b", "--label-column"});
  expect_refused("x,label\n1,2\n", {"no column that looks like paths", "--path-column"});
}

TEST(CsvDataset, TsvIsReadToo) {
  const TemporaryFolder folder;
  const auto file = folder.write("birds.tsv", "path\tlabel\na b.jpg\tcommon tern\n");
  const auto dataset = open_dataset(file.string());
  EXPECT_EQ(dataset.samples[0].path, "a b.jpg");
  EXPECT_EQ(dataset.classes[0].name, "common tern");
}

}  // namespace
}  // namespace procsim
