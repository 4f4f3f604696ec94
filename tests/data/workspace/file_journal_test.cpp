#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include "data/base/error.hpp"
#include "data/files/file_changes.hpp"
#include "data/workspace/workspace.hpp"
#include "tests/support/test_files.hpp"

namespace procsim {
namespace {

DatasetRecord birds(std::int64_t samples) { return {"birds", "csv", "birds.csv", "", 2, samples, "{}"}; }

// Replaces one file, makes another, removes a third, and records it.
void change_all(Workspace& workspace, const test::TemporaryFolder& folder,
                const std::function<void()>& meanwhile) {
  FileChanges files;
  files.write(folder / "old", "new content");
  files.write(folder / "fresh", "here now");
  files.remove(folder / "gone");
  workspace.put_together(files, [&] {
    workspace.put_dataset(birds(2));
    meanwhile();
  });
}

void expect_before(const test::TemporaryFolder& folder) {
  EXPECT_EQ(test::read_all(folder / "old"), "old content");
  EXPECT_EQ(test::read_all(folder / "gone"), "still here");
  EXPECT_FALSE(std::filesystem::exists(folder / "fresh"));
  for (const auto& entry : std::filesystem::directory_iterator(folder.path()))
    EXPECT_FALSE(entry.path().filename().string().ends_with(".tmp")) << entry.path();
}

struct Journal : testing::Test {
  test::TemporaryFolder folder;
  Journal() {
    folder.write("old", "old content");
    folder.write("gone", "still here");
    Workspace::open_or_create(folder.path()).put_dataset(birds(1));
  }
};

TEST_F(Journal, FilesAndRecordsComeTogether) {
  auto workspace = Workspace::open(folder.path());
  change_all(workspace, folder, [] {});
  EXPECT_EQ(test::read_all(folder / "old"), "new content");
  EXPECT_EQ(test::read_all(folder / "fresh"), "here now");
  EXPECT_FALSE(std::filesystem::exists(folder / "gone"));
  EXPECT_EQ(Workspace::open(folder.path()).current_dataset()->samples, 2);
}

TEST_F(Journal, AFailureLeavesBothAsTheyWere) {
  auto workspace = Workspace::open(folder.path());
  EXPECT_THROW(change_all(workspace, folder, [] { throw Error("no"); }), Error);
  expect_before(folder);
  EXPECT_EQ(workspace.current_dataset()->samples, 1);
}

// Killed after so many of the steps that replace() takes: link aside ×2, then put ×3.
TEST_F(Journal, WhatAKilledProcessHadBegunIsUndoneByTheNext) {
  const auto child = ::fork();
  if (child == 0) {
    auto workspace = Workspace::open(folder.path());
    FileChanges files;
    files.write(folder / "old", "new content");
    files.write(folder / "fresh", "here now");
    files.remove(folder / "gone");
    try {
      // Records come first; then the files are replaced by hand so that the process can go in the middle.
      workspace.put_together(files, [&] {
        workspace.put_dataset(birds(2));
        files.replace();
        ::_exit(0);
      });
    } catch (...) {
    }
    ::_exit(1);
  }
  int status = 1;
  ::waitpid(child, &status, 0);
  ASSERT_EQ(status, 0);
  ASSERT_EQ(test::read_all(folder / "old"), "new content") << "the child got as far as it should";
  auto workspace = Workspace::open(folder.path());
  expect_before(folder);
  EXPECT_EQ(workspace.current_dataset()->samples, 1);
  change_all(workspace, folder, [] {});
  EXPECT_EQ(test::read_all(folder / "old"), "new content");
}

// Somebody else has made the file since: it is not ours to take away.
TEST_F(Journal, AFileThatAnotherPutThereStays) {
  const auto child = ::fork();
  if (child == 0) {
    auto workspace = Workspace::open(folder.path());
    FileChanges files;
    files.write(folder / "fresh", "here now");
    workspace.put_together(files, [&] { ::_exit(0); });
  }
  ::waitpid(child, nullptr, 0);
  folder.write("fresh", "by another");
  Workspace::open(folder.path());
  EXPECT_EQ(test::read_all(folder / "fresh"), "by another");
}

}  // namespace
}  // namespace procsim
