// What a user can get wrong: one line that says what and where, exit 1, nothing on stdout, and every file as
// it was.

#include <functional>
#include <map>
#include <ostream>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/mount.h>

#include "tests/cli/noise_workspace.hpp"
#include "tests/noise/sample_labels.hpp"
#include "tests/support/run_program.hpp"
#include "tests/support/test_files.hpp"

namespace procsim::test {
namespace {

namespace fs = std::filesystem;
using ::testing::HasSubstr;
using ::testing::StartsWith;

// Everything below a folder, hidden files too, with what the files hold.
std::map<std::string, std::string> contents_of(const fs::path& folder) {
  std::map<std::string, std::string> contents;
  for (const auto& entry : fs::recursive_directory_iterator(folder)) {
    contents[entry.path().lexically_relative(folder).string()] =
        entry.is_regular_file() ? read_all(entry.path()) : "";
  }
  return contents;
}

void expect_refused(const fs::path& folder, const std::string& program, std::vector<std::string> arguments,
                    const std::string& message) {
  const auto before = contents_of(folder);
  arguments.push_back("--quiet");  // what it picked is not said
  ProgramOptions options;
  options.folder = folder;
  const auto result = run_program(program, arguments, options);
  EXPECT_EQ(result.exit_code, 1);
  EXPECT_EQ(result.out, "");
  EXPECT_EQ(lines_of(result.err), 1) << result.err;
  EXPECT_THAT(result.err, StartsWith(program + ": "));
  EXPECT_THAT(result.err, HasSubstr(message));
  const auto after = contents_of(folder);
  for (const auto& [name, content] : after) {
    EXPECT_TRUE(before.contains(name) && before.at(name) == content) << "wrote " << name;
  }
  EXPECT_EQ(before.size(), after.size());
}

void run_python(const fs::path& folder, const std::string& script) {
  const auto result = run_program(python_program().string(), {"-c", script}, {folder, {}, ""});
  ASSERT_EQ(result.exit_code, 0) << result.err;
}

void write_labels(const TemporaryFolder& folder, const std::function<void(LabelSet&)>& spoil) {
  auto set = even_labels(noise_birds(), 240);
  spoil(set);
  write_label_set(folder / "labels.parquet", set, IfExists::kFail);
}

// Our label set after a line of Python has changed its table or its header.
void rewrite_labels(const TemporaryFolder& folder, const std::string& change) {
  write_labels(folder, [](LabelSet&) {});
  run_python(folder.path(), R"(
import pyarrow as pa, pyarrow.parquet as pq
table = pq.read_table('labels.parquet')
header = table.schema.metadata[b'procsim']
)" + change + R"(
pq.write_table(table.replace_schema_metadata({'procsim': header}), 'labels.parquet'))");
}

void write_cub(const TemporaryFolder& folder, const std::string& labels) {
  folder.write("CUB_200_2011/classes.txt", "1 001.Laysan_Albatross\n2 002.House_Sparrow\n");
  folder.write("CUB_200_2011/images.txt", "1 001.Laysan_Albatross/a.jpg\n2 002.House_Sparrow/b.jpg\n");
  folder.write("CUB_200_2011/train_test_split.txt", "1 1\n2 0\n");
  folder.write("CUB_200_2011/image_class_labels.txt", labels);
}

void write_newer_workspace(const TemporaryFolder& folder) {
  folder.write("names.txt", "House Sparrow\nHerring Gull\n");
  Workspace::open_or_create(folder.path());
  run_python(folder.path(), R"(
import sqlite3
database = sqlite3.connect('.procsim/workspace.db')
database.execute('PRAGMA user_version = 99')
database.commit()
database.close())");
}

void repeat_an_id(LabelSet& set) { set.rows[30].sample_id = set.rows[4].sample_id; }
void leave_the_classes(LabelSet& set) { set.rows[30].label = 12; }

const std::string kOtherType = "table = table.set_column(3, 'label', table['label'].cast(pa.int64()))";
const std::string kNewer = R"(header = header.replace(b'"version":1', b'"version":2', 1))";

struct BadInput {
  std::string name;
  std::function<void(const TemporaryFolder&)> prepare;
  std::string program;
  std::vector<std::string> arguments;
  std::string message;
};

void PrintTo(const BadInput& input, std::ostream* out) { *out << input.name; }

class BadInputs : public ::testing::TestWithParam<BadInput> {};

TEST_P(BadInputs, GivesOneLineAndLeavesEverythingAsItWas) {
  const TemporaryFolder folder;
  GetParam().prepare(folder);
  ASSERT_FALSE(HasFatalFailure());
  expect_refused(folder.path(), GetParam().program, GetParam().arguments, GetParam().message);
}

std::vector<BadInput> bad_inputs() {
  const std::vector<std::string> build{"build", "labels.parquet"};
  const std::vector<std::string> inject{"inject",         "--uniform", "0.2",          "--labels",
                                        "labels.parquet", "-o",        "noisy.parquet"};
  const std::vector<std::string> cub{"build", "cub200", "--root", "."};
  const auto labels = [](void (*spoil)(LabelSet&)) {
    return [spoil](const TemporaryFolder& folder) { write_labels(folder, spoil); };
  };
  const auto rewritten = [](const std::string& change) {
    return [change](const TemporaryFolder& folder) { rewrite_labels(folder, change); };
  };
  const auto cub_labels = [](const std::string& lines) {
    return [lines](const TemporaryFolder& folder) { write_cub(folder, lines); };
  };
  const auto nothing = [](const TemporaryFolder&) {};
  return {
      {"TaxoMissingRoot", nothing, "taxo", {"build", "cub200", "--root", "nowhere"}, "nowhere (--root)"},
      {"TaxoMissingLine", cub_labels("1 1\n"), "taxo", cub, "image_class_labels.txt"},
      {"TaxoClassOutOfRange", cub_labels("1 1\n2 3\n"), "taxo", cub,
       "image_class_labels.txt, line 2: class_id is 3"},
      {"TaxoPathOfTwoLines",
       [](const TemporaryFolder& folder) {
         folder.write("birds.csv", "path,label\n\"../x\ny\x1b[31m.jpg\",House Sparrow\n");
       },
       "taxo",
       {"build", "birds.csv"},
       "../x y [31m.jpg"},
      {"TaxoLabelOutOfRange", labels(leave_the_classes), "taxo", build, "label 12 in row 30"},
      {"TaxoRepeatedId", labels(repeat_an_id), "taxo", build, "sample_id 13 in row 30"},
      {"TaxoColumnType", rewritten(kOtherType), "taxo", build, "column 'label' is int64, expected int32"},
      {"TaxoNewerFormat", rewritten(kNewer), "taxo", build, "labels.parquet is labelset/2"},
      {"TaxoNewerWorkspace", write_newer_workspace, "taxo", {"build", "names.txt"}, "version 99"},
      {"TaxoNewerWorkspaceBeforeDrawing",
       write_newer_workspace,
       "taxo",
       {"build", "fieldguide"},
       "version 99"},
      {"NoiseMissingFile", nothing, "noise", inject, "labels.parquet does not exist"},
      {"NoiseLabelOutOfRange", labels(leave_the_classes), "noise", inject, "label 12 in row 30"},
      {"NoiseRepeatedId", labels(repeat_an_id), "noise", inject, "sample_id 13 in row 30"},
      {"NoiseColumnType", rewritten(kOtherType), "noise", inject, "column 'label' is int64, expected int32"},
      {"NoiseNewerFormat", rewritten(kNewer), "noise", inject, "labels.parquet is labelset/2"},
      {"NoiseNewerWorkspace", write_newer_workspace, "noise", {"inject", "--uniform", "0.2"}, "version 99"},
  };
}

INSTANTIATE_TEST_SUITE_P(Programs, BadInputs, ::testing::ValuesIn(bad_inputs()),
                         [](const auto& bad) { return bad.param.name; });

// A disk of its own: root may write to folders that are only marked as read-only.
class Disk {
 public:
  explicit Disk(const char* options) : mounted_(::mount("tmpfs", path().c_str(), "tmpfs", 0, options) == 0) {}
  ~Disk() {
    if (mounted_) ::umount(path().c_str());
  }
  Disk(const Disk&) = delete;
  Disk& operator=(const Disk&) = delete;

  bool is_mounted() const { return mounted_; }
  const fs::path& path() const { return folder_.path(); }
  bool make_read_only() const {
    return ::mount(nullptr, path().c_str(), nullptr, MS_REMOUNT | MS_RDONLY, nullptr) == 0;
  }
  void write(const std::string& name, const std::string& content) const { folder_.write(name, content); }

 private:
  TemporaryFolder folder_;
  bool mounted_;
};

TEST(ReadOnlyFolder, GivesOneLineAndLeavesEverythingAsItWas) {
  const Disk disk("size=16m");
  if (!disk.is_mounted()) GTEST_SKIP() << "may not mount a disk here";
  disk.write("names.txt", "House Sparrow\nHerring Gull\n");
  write_label_set(disk.path() / "labels.parquet", even_labels(noise_birds(), 240), IfExists::kFail);
  fs::create_directory(disk.path() / "used");
  Workspace::open_or_create(disk.path() / "used");
  ASSERT_TRUE(disk.make_read_only());
  expect_refused(disk.path(), "taxo", {"build", "names.txt"}, ".procsim: Read-only file system");
  expect_refused(disk.path(), "taxo", {"build", "names.txt", "--workspace", "used"}, "used/.procsim");
  expect_refused(disk.path(), "taxo", {"build", "fieldguide"}, "Read-only file system");
  expect_refused(disk.path(), "noise",
                 {"inject", "--uniform", "0.2", "--labels", "labels.parquet", "-o", "noisy.parquet"},
                 "noisy.parquet: Read-only file system");
}

TEST(FullDisk, LeavesNoWorkspaceThatABuildHadBegun) {
  const Disk disk("size=16m");
  if (!disk.is_mounted()) GTEST_SKIP() << "may not mount a small disk here";
  const auto labels = disk.path() / "labels.parquet";
  write_label_set(labels, even_labels(noise_birds(), 500'000), IfExists::kFail);
  const auto room = fs::file_size(labels) / 2;  // enough for the database, not for the labels
  ASSERT_GT(room, 300'000u);
  disk.write("rest", std::string(fs::space(disk.path()).available - room, 'x'));
  expect_refused(disk.path(), "taxo", {"build", "labels.parquet"}, "No space left on device");
}

}  // namespace
}  // namespace procsim::test
