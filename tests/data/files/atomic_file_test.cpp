#include "data/files/atomic_file.hpp"

#include <csignal>

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "tests/support/errors.hpp"
#include "tests/support/test_files.hpp"

namespace procsim {
namespace {

namespace fs = std::filesystem;
using test::error_of;
using test::read_all;
using ::testing::HasSubstr;

std::size_t files_in(const fs::path& folder) {
  return static_cast<std::size_t>(std::distance(fs::directory_iterator(folder), fs::directory_iterator{}));
}

TEST(AtomicFile, AppearsOnlyWhenCommitted) {
  const test::TemporaryFolder folder;
  AtomicFile file(folder / "new/sub/a.txt");
  file.write("half ");
  EXPECT_FALSE(fs::exists(folder / "new/sub/a.txt"));
  file.write("whole");
  file.commit();
  EXPECT_EQ(read_all(folder / "new/sub/a.txt"), "half whole");
  EXPECT_EQ(files_in(folder / "new/sub"), 1u);
}

TEST(AtomicFile, TheSameContentMayBeWrittenAgainAndAnotherIsRefused) {
  const test::TemporaryFolder folder;
  for (int i = 0; i < 2; ++i) write_file(folder / "a.txt", "same", IfExists::kKeepSame);
  EXPECT_THAT(error_of([&] { write_file(folder / "a.txt", "else", IfExists::kKeepSame); }),
              HasSubstr("already exists. Use --force"));
  EXPECT_EQ(read_all(folder / "a.txt"), "same");
  EXPECT_EQ(files_in(folder.path()), 1u);
}

// A renamed file would take the place of the device.
TEST(AtomicFile, DevicesPipesAndSocketsAreNotReplaced) {
  const test::TemporaryFolder folder;
  ASSERT_EQ(::mkfifo((folder / "pipe").c_str(), 0600), 0);
  EXPECT_THAT(error_of([&] { write_file(folder / "pipe", "x", IfExists::kReplace); }),
              HasSubstr("a pipe or a socket, not a file"));
  EXPECT_TRUE(fs::is_fifo(folder / "pipe"));
}

TEST(AtomicFile, LeavesTheOldFileWhenItIsGivenUp) {
  const test::TemporaryFolder folder;
  folder.write("a.txt", "old");
  {
    AtomicFile(folder / "a.txt", IfExists::kReplace).write("new");
  }
  EXPECT_EQ(read_all(folder / "a.txt"), "old");
  EXPECT_EQ(files_in(folder.path()), 1u);
}

TEST(AtomicFile, ReplacesOnlyWhenTold) {
  const test::TemporaryFolder folder;
  folder.write("a.txt", "old");
  EXPECT_THAT(error_of([&] { AtomicFile file(folder / "a.txt"); }), HasSubstr("Use --force"));
  write_file(folder / "a.txt", "new", IfExists::kReplace);
  EXPECT_EQ(read_all(folder / "a.txt"), "new");
}

TEST(AtomicFile, OfTwoWritersTheSecondIsRefused) {
  const test::TemporaryFolder folder;
  AtomicFile first(folder / "a.txt"), second(folder / "a.txt");
  first.write("first");
  second.write("second");
  first.commit();
  EXPECT_THAT(error_of([&] { second.commit(); }), HasSubstr("already exists"));
  EXPECT_EQ(read_all(folder / "a.txt"), "first");
}

TEST(AtomicFile, CleansUpAfterAKilledProcess) {
  const test::TemporaryFolder folder;
  const pid_t child = ::fork();
  if (child == 0) {
    AtomicFile file(folder / "a.txt");
    file.write("never finished");
    ::kill(::getpid(), SIGKILL);
  }
  ::waitpid(child, nullptr, 0);
  ASSERT_EQ(files_in(folder.path()), 1u) << "the killed process leaves its temporary file";
  write_file(folder / "a.txt", "done", IfExists::kFail);
  EXPECT_EQ(files_in(folder.path()), 1u);
  EXPECT_EQ(read_all(folder / "a.txt"), "done");
}

// Names say when the process started, so that another one with its number keeps nobody's files.
TEST(AtomicFile, CleansUpAfterAProcessWhoseNumberIsTakenAgain) {
  const test::TemporaryFolder folder;
  const auto gone = folder.write(fmt::format(".a.txt.{}-1.0.tmp", ::getpid()), "never finished");
  const auto foreign = folder.write(".a.txt.notes.0.tmp", "none of ours");
  write_file(folder / "a.txt", "done", IfExists::kFail);
  EXPECT_FALSE(fs::exists(gone));
  EXPECT_TRUE(fs::exists(foreign));
}

TEST(AtomicFile, KeepsTheTemporaryFilesOfOthersThatRun) {
  const test::TemporaryFolder folder;
  AtomicFile other(folder / "a.txt");
  other.write("mine");
  write_file(folder / "a.txt", "theirs", IfExists::kReplace);
  EXPECT_TRUE(fs::exists(other.path()));
}

TEST(AtomicFile, SignalHandlersCanRemoveUnfinishedFiles) {
  const test::TemporaryFolder folder;
  AtomicFile file(folder / "a.txt");
  remove_unfinished_files();
  EXPECT_EQ(files_in(folder.path()), 0u);
}

// A file-size limit stands for a full disk: write() fails half-way with an error.
TEST(AtomicFile, ReportsAFullDiskAndLeavesNothing) {
  const test::TemporaryFolder folder;
  folder.write("a.txt", "old");
  const pid_t child = ::fork();
  if (child == 0) {
    ::signal(SIGXFSZ, SIG_IGN);
    const rlimit limit{4096, 4096};
    ::setrlimit(RLIMIT_FSIZE, &limit);
    const auto message =
        error_of([&] { write_file(folder / "a.txt", std::string(100'000, 'x'), IfExists::kReplace); });
    ::_exit(message.find((folder / "a.txt").string()) != std::string::npos &&
                    message.find("File too large") != std::string::npos
                ? 0
                : 1);
  }
  int status = 0;
  ::waitpid(child, &status, 0);
  EXPECT_EQ(WEXITSTATUS(status), 0);
  EXPECT_EQ(read_all(folder / "a.txt"), "old");
  EXPECT_EQ(files_in(folder.path()), 1u);
}

TEST(AtomicFile, SaysWhichFolderCannotBeWritten) {
  EXPECT_THAT(error_of([] { AtomicFile file("/proc/none/a.txt"); }), HasSubstr("/proc/none"));
}

TEST(AtomicFile, RefusesTheNameOfAFolderBeforeAnythingIsWritten) {
  const test::TemporaryFolder folder;
  for (const auto& name : {folder.path(), folder / "new/"}) try {
      const AtomicFile file(name, IfExists::kReplace);
      FAIL() << name;
    } catch (const Error& error) {
      EXPECT_EQ(error.what(), name.string() + " is a folder, not a file");
    }
  EXPECT_FALSE(std::filesystem::exists(folder / "new"));
}

TEST(ReadFile, RefusesAFolder) {
  const test::TemporaryFolder folder;
  EXPECT_THAT(error_of([&] { read_file(folder.path()); }), HasSubstr("is a folder"));
}

}  // namespace
}  // namespace procsim
