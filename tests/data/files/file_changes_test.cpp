#include "data/files/file_changes.hpp"

#include <set>
#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "data/labels/label_set.hpp"
#include "tests/support/test_files.hpp"

namespace procsim {
namespace {

using testing::ElementsAre;

std::set<std::string> names_in(const test::TemporaryFolder& folder) {
  std::set<std::string> names;
  for (const auto& entry : std::filesystem::directory_iterator(folder.path()))
    names.insert(entry.path().filename().string());
  return names;
}

// A folder with a file that will be replaced and one that will go.
struct BeforeChanges : test::TemporaryFolder {
  BeforeChanges() {
    write("old", "old content");
    write("gone", "still here");
  }
};

// A change of every kind.
void change_all(FileChanges& changes, const test::TemporaryFolder& folder) {
  changes.write(folder / "old", "new content");
  changes.keep_previous(folder / "old", folder / "old-kept");
  changes.write(folder / "fresh", "here now");
  write_label_set(folder / "labels.parquet", LabelSet{{"birds", {}, {}}, {}}, changes);
  changes.remove(folder / "gone");
  changes.remove(folder / "never there");
}

TEST(FileChanges, NothingIsSeenBeforeTheyAreReplaced) {
  const BeforeChanges folder;
  {
    FileChanges changes;
    change_all(changes, folder);
    EXPECT_EQ(test::read_all(folder / "old"), "old content");
    EXPECT_FALSE(std::filesystem::exists(folder / "fresh"));
  }
  EXPECT_THAT(names_in(folder), ElementsAre("gone", "old"));
}

TEST(FileChanges, WhatIsReplacedComesBackUnlessItIsKept) {
  const BeforeChanges folder;
  {
    FileChanges changes;
    change_all(changes, folder);
    changes.replace();
    EXPECT_EQ(test::read_all(folder / "old"), "new content");
    EXPECT_EQ(test::read_all(folder / "fresh"), "here now");
    EXPECT_FALSE(std::filesystem::exists(folder / "gone"));
  }
  EXPECT_EQ(test::read_all(folder / "old"), "old content");
  EXPECT_THAT(names_in(folder), ElementsAre("gone", "old"));
}

TEST(FileChanges, WhatStoodThereStaysUnderItsOtherNameOnceKept) {
  const BeforeChanges folder;
  FileChanges changes;
  change_all(changes, folder);
  changes.replace();
  changes.keep();
  EXPECT_EQ(test::read_all(folder / "old-kept"), "old content");
  EXPECT_THAT(names_in(folder), ElementsAre("fresh", "labels.parquet", "old", "old-kept"));
}

TEST(FileChanges, AFailureMidWayBringsBackThoseBefore) {
  const test::TemporaryFolder folder;
  folder.write("old", "old content");
  {
    FileChanges changes;
    changes.write(folder / "old", "new content");
    changes.write(folder / "folder", "no file can take the name of a folder");
    folder.write("folder/file", "");  // somebody makes one meanwhile
    EXPECT_ANY_THROW(changes.replace());
  }
  EXPECT_EQ(test::read_all(folder / "old"), "old content");
  EXPECT_THAT(names_in(folder), ElementsAre("folder", "old"));
}

// A file is what it was before, under any of its names, until it is replaced.
TEST(FileChanges, UndoingWhatHadNotBegunTakesBackTheSecondNameOnly) {
  const BeforeChanges folder;
  FileChanges changes;
  changes.write(folder / "old", "new content");
  changes.keep_previous(folder / "old", folder / "old-kept");
  const auto step = changes.steps().front();
  for (const bool linked : {true, false}) {  // or a file system that has no hard links
    if (linked)
      std::filesystem::create_hard_link(step.target, step.aside);
    else
      std::filesystem::copy_file(step.target, step.aside);
    FileChanges::undo(step);
    EXPECT_EQ(test::read_all(folder / "old"), "old content");
    EXPECT_THAT(names_in(folder), ElementsAre("gone", "old"));
  }
}

TEST(FileChanges, AreOfAFileAndItsOwnOtherNames) {
  const auto possible = [](const char* target, const char* temporary, const char* aside) {
    return FileChanges::is_possible({target, temporary, aside, ""});
  };
  EXPECT_TRUE(possible("/a/b.csv", "/a/.b.csv.12-34.0.tmp", ""));
  EXPECT_TRUE(possible("/a/b.csv", "/a/.b.csv.12-34.0.tmp", "/a/.b.csv.12-34.1.tmp"));
  EXPECT_TRUE(possible("/a/b.csv", "/a/.b.csv.12-34.0.tmp", "/a/b-01234567.csv"));
  EXPECT_TRUE(possible("/a/b.csv", "", "/a/.b.csv.12-34.1.tmp"));
  EXPECT_FALSE(possible("/a/b.csv", "", "/a/b-01234567.csv")) << "what goes is not kept";
  EXPECT_FALSE(possible("/a/b.csv", "/a/.c.csv.12-34.0.tmp", ""));
  EXPECT_FALSE(possible("/a/b.csv", "/c/.b.csv.12-34.0.tmp", ""));
  EXPECT_FALSE(possible("/a/b.csv", "/a/.b.csv.txt.0.tmp", ""));
  EXPECT_FALSE(possible("/a/b.csv", "/a/.b.csv.12-34.0.tmp", "/a/c-01234567.csv"));
  EXPECT_FALSE(possible("/a/b.csv", "/a/.b.csv.12-34.0.tmp", "/a/b-01234567.txt"));
  EXPECT_FALSE(possible("/a/b.csv", "/a/.b.csv.12-34.0.tmp", "/c/b-01234567.csv"));
  EXPECT_FALSE(possible("/a/", "", ""));
}

}  // namespace
}  // namespace procsim
