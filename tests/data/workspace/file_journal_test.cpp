#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include "data/base/error.hpp"
#include "data/files/file_changes.hpp"
#include "data/workspace/workspace.hpp"
#include "tests/data/workspace/workspace_rows.hpp"
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

// A process that is killed when everything is replaced and nothing is recorded yet.
void kill_within(const std::filesystem::path& folder, const std::filesystem::path& target) {
  const auto child = ::fork();
  if (child == 0) {
    auto workspace = Workspace::open(folder);
    FileChanges files;
    files.write(target, "new content");
    workspace.put_together(files, [&] {
      files.replace();
      ::_exit(0);
    });
  }
  ::waitpid(child, nullptr, 0);
}

TEST_F(Journal, ACopyOfAWorkspaceLeavesTheOtherAsItIs) {
  folder.write(".procsim/labels/old", "old content");
  kill_within(folder.path(), folder / ".procsim/labels/old");
  const test::TemporaryFolder copy;
  std::filesystem::copy(folder / ".procsim", copy / ".procsim", std::filesystem::copy_options::recursive);
  Workspace::open(copy.path());
  EXPECT_EQ(test::read_all(folder / ".procsim/labels/old"), "new content") << "not undone from elsewhere";
  Workspace::open(folder.path());
  EXPECT_EQ(test::read_all(folder / ".procsim/labels/old"), "old content");
}

TEST_F(Journal, ABackupHasNothingToUndo) {
  auto workspace = Workspace::open(folder.path());
  test::sql(folder.path(),
            "INSERT INTO pending_files VALUES (1, '1 2 3', '/x', '/.x.1-2.0.tmp', '', 'file')");
  const test::TemporaryFolder elsewhere;
  workspace.back_up(elsewhere / "copy");
  EXPECT_EQ(test::sql(elsewhere / "copy", "SELECT count(*) FROM pending_files"), "0");
}

// A copy has other numbers for its files than the journal says: what was kept under a name of its own stays.
TEST_F(Journal, WhatWasKeptStaysWhereNobodyCanTellTheFilesApart) {
  const auto noted = [&](const std::string& target, const std::string& temporary, const std::string& aside) {
    test::sql(folder.path(),
              "INSERT INTO pending_files (process, target, temporary, aside, file) VALUES ('1 2 3', '" +
                  (folder / target).string() + "', '" + (folder / temporary).string() + "', '" +
                  (folder / aside).string() + "', '7 7 7')");
  };
  folder.write("a-01234567.parquet", "the old labels");
  folder.write("a.parquet", "the new labels");
  noted("a.parquet", ".a.parquet.1-2.0.tmp", "a-01234567.parquet");
  Workspace::open(folder.path());
  EXPECT_EQ(test::read_all(folder / "a-01234567.parquet"), "the old labels");
  EXPECT_EQ(test::read_all(folder / "a.parquet"), "the new labels");
  EXPECT_EQ(test::sql(folder.path(), "SELECT count(*) FROM pending_files"), "0");
}

// A workspace from somebody else says that files of ours are its own leftovers.
TEST_F(Journal, NamesNoFilesButItsOwn) {
  folder.write("letter.txt", "mine");
  folder.write(".letter.txt.1-2.0.tmp.txt", "mine");
  folder.write("evil", "theirs");
  const auto path = [&](const char* name) { return "'" + (folder / name).string() + "'"; };
  for (const auto& step :
       {path("x") + ", '', " + path("letter.txt"),             // would be removed
        path("x") + ", " + path("letter.txt") + ", ''",        // likewise
        path("rc") + ", '', " + path("evil"),                  // would become rc
        path("letter.txt") + ", '', " + path("letter.txt-1"),  // nothing is kept of what goes
        path("letter") + ", '', " + path(".letter.txt.1-2.0.tmp.txt"),
        path("old") + ", '', " + path(".procsim/.old.1-2.0.tmp")})
    test::sql(folder.path(),
              "INSERT INTO pending_files (process, target, temporary, aside, file) VALUES ('1 2 3', " + step +
                  ", '')");
  Workspace::open(folder.path());
  EXPECT_EQ(test::read_all(folder / "letter.txt"), "mine");
  EXPECT_EQ(test::read_all(folder / ".letter.txt.1-2.0.tmp.txt"), "mine");
  EXPECT_EQ(test::read_all(folder / "evil"), "theirs");
  EXPECT_FALSE(std::filesystem::exists(folder / "rc"));
  EXPECT_EQ(test::sql(folder.path(), "SELECT count(*) FROM pending_files"), "0");
}

}  // namespace
}  // namespace procsim
