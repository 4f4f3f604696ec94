// What a user can get wrong: one line that says what and where, exit 1, nothing on stdout, and every file as
// it was.

#include <functional>
#include <map>
#include <ostream>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/mount.h>
#include <sys/resource.h>
#include <unistd.h>

#include "data/labels/scores.hpp"
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

void write_scores(
    const fs::path& folder, const std::function<void(std::vector<ScoreRow>&)>& spoil = [](auto&) {}) {
  const auto labels = even_labels(noise_birds(), 60);
  std::vector<ScoreRow> rows;
  for (const auto& sample : labels.rows) {
    auto& row = rows.emplace_back();
    row.sample_id = sample.sample_id;
    row.path = sample.path;
    row.label = sample.label;
    row.suggested = (sample.label + 1) % 12;
    row.p_mislabelled = 0.5f;
    row.rivals = {{row.suggested, 0.5f}};
  }
  spoil(rows);
  ScoresWriter writer(folder / "scores.parquet", IfExists::kFail);
  writer.append(rows);
  writer.finish({labels.info.dataset, labels.info.classes, {}, {}});
}

// A file of ours after a line of Python has changed its table or its header.
void rewrite(const TemporaryFolder& folder, const std::string& file, const std::string& change) {
  run_python(folder.path(), "file = '" + file + "'" + R"(
import pyarrow as pa, pyarrow.parquet as pq
table = pq.read_table(file)
header = table.schema.metadata[b'procsim']
)" + change + R"(
pq.write_table(table.replace_schema_metadata({'procsim': header}), file))");
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
void repeat_a_scored_id(std::vector<ScoreRow>& rows) { rows[30].sample_id = rows[4].sample_id; }
void leave_the_scored_classes(std::vector<ScoreRow>& rows) { rows[30].label = 12; }

const std::string kOtherType =
    "at = table.column_names.index('label')\n"
    "table = table.set_column(at, 'label', table['label'].cast(pa.float64()))";
const std::string kNull =
    "at, values = table.column_names.index('p_mislabelled'), table['p_mislabelled'].to_pylist()\n"
    "values[3] = None\n"
    "table = table.set_column(at, 'p_mislabelled', pa.array(values, pa.float32()))";
const std::string kNewer =
    R"(header = header.replace(b'"version":1', b'"version":4', 1).replace(b'"version":3', b'"version":4', 1))";

// Ways to train; none where procsim-train is not built.
#ifdef PROCSIM_HAS_TRAIN
const std::vector<std::vector<std::string>> kTrainings{{"--weights", "none", "--epochs", "1"}};
#else
const std::vector<std::vector<std::string>> kTrainings{};
#endif

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
  const std::vector<std::string> report{"report", "--scores", "scores.parquet"};
  const std::vector<std::string> cub{"build", "cub200", "--root", "."};
  const auto labels = [](void (*spoil)(LabelSet&)) {
    return [spoil](const TemporaryFolder& folder) { write_labels(folder, spoil); };
  };
  const auto rewritten = [](const std::string& change) {
    return [change](const TemporaryFolder& folder) {
      write_labels(folder, [](LabelSet&) {});
      rewrite(folder, "labels.parquet", change);
    };
  };
  const auto scores = [](void (*spoil)(std::vector<ScoreRow>&)) {
    return [spoil](const TemporaryFolder& folder) { write_scores(folder.path(), spoil); };
  };
  const auto rewritten_scores = [](const std::string& change) {
    return [change](const TemporaryFolder& folder) {
      write_scores(folder.path());
      rewrite(folder, "scores.parquet", change);
    };
  };
  const auto cub_labels = [](const std::string& lines) {
    return [lines](const TemporaryFolder& folder) { write_cub(folder, lines); };
  };
  const auto nothing = [](const TemporaryFolder&) {};
  std::vector<BadInput> bad{
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
       R"(../x\ny\x1b[31m.jpg)"},
      {"TaxoLabelOutOfRange", labels(leave_the_classes), "taxo", build, "label 12 in row 30"},
      {"TaxoRepeatedId", labels(repeat_an_id), "taxo", build, "sample_id 13 in row 30"},
      {"TaxoColumnType", rewritten(kOtherType), "taxo", build, "column 'label' is double, expected int64"},
      {"TaxoNewerFormat", rewritten(kNewer), "taxo", build, "labels.parquet is labelset/4"},
      {"TaxoNewerWorkspace", write_newer_workspace, "taxo", {"build", "names.txt"}, "version 99"},
      {"TaxoNewerWorkspaceBeforeDrawing",
       write_newer_workspace,
       "taxo",
       {"build", "fieldguide"},
       "version 99"},
      {"NoiseMissingFile", nothing, "noise", inject, "labels.parquet does not exist"},
      {"NoiseLabelOutOfRange", labels(leave_the_classes), "noise", inject, "label 12 in row 30"},
      {"NoiseRepeatedId", labels(repeat_an_id), "noise", inject, "sample_id 13 in row 30"},
      {"NoiseColumnType", rewritten(kOtherType), "noise", inject, "column 'label' is double, expected int64"},
      {"NoiseNewerFormat", rewritten(kNewer), "noise", inject, "labels.parquet is labelset/4"},
      {"NoiseNewerWorkspace", write_newer_workspace, "noise", {"inject", "--uniform", "0.2"}, "version 99"},
      {"CurateMissingFile", nothing, "curate", report, "scores.parquet does not exist"},
      {"CurateLabelOutOfRange", scores(leave_the_scored_classes), "curate", report, "class 12 of sample 91"},
      {"CurateRepeatedId", scores(repeat_a_scored_id), "curate", report, "sample 13"},
      {"CurateNull", rewritten_scores(kNull), "curate", report, "p_mislabelled is null in row 3"},
      {"CurateColumnType", rewritten_scores(kOtherType), "curate", report,
       "column 'label' is double, expected int32"},
      {"CurateNewerFormat", rewritten_scores(kNewer), "curate", report, "scores.parquet is scores/4"},
      {"CurateOtherFormat",
       labels([](LabelSet&) {}),
       "curate",
       {"report", "--scores", "labels.parquet"},
       "holds 'labelset', expected 'scores'"},
      {"CurateNewerWorkspace", write_newer_workspace, "curate", {"report"}, "version 99"},
  };
  for (const auto& arguments : kTrainings) {
    auto train = arguments;
    train.insert(train.end(), {"--labels", "labels.parquet", "--root", ".", "--output", "run"});
    bad.insert(
        bad.end(),
        {{"TrainMissingFile", nothing, "procsim-train", train, "labels.parquet does not exist"},
         {"TrainLabelOutOfRange", labels(leave_the_classes), "procsim-train", train, "label 12 in row 30"},
         {"TrainRepeatedId", labels(repeat_an_id), "procsim-train", train, "sample_id 13 in row 30"},
         {"TrainColumnType", rewritten(kOtherType), "procsim-train", train,
          "column 'label' is double, expected int64"},
         {"TrainNewerFormat", rewritten(kNewer), "procsim-train", train, "labels.parquet is labelset/4"},
         {"TrainNewerWorkspace", write_newer_workspace, "procsim-train", arguments, "version 99"}});
  }
  return bad;
}

INSTANTIATE_TEST_SUITE_P(Programs, BadInputs, ::testing::ValuesIn(bad_inputs()),
                         [](const auto& bad) { return bad.param.name; });

// A disk of its own, since root may write to folders that are only marked as read-only. Where mounting is not
// allowed, a folder, whose limits everybody but root keeps.
class Disk {
 public:
  explicit Disk(const char* options) : mounted_(::mount("tmpfs", path().c_str(), "tmpfs", 0, options) == 0) {}
  ~Disk() {
    if (mounted_) {
      ::umount(path().c_str());
    } else {
      permit(fs::perm_options::add);
    }
  }
  Disk(const Disk&) = delete;
  Disk& operator=(const Disk&) = delete;

  bool is_mounted() const { return mounted_; }
  const fs::path& path() const { return folder_.path(); }
  void make_read_only() const {
    if (mounted_) {
      ::mount(nullptr, path().c_str(), nullptr, MS_REMOUNT | MS_RDONLY, nullptr);
    } else {
      permit(fs::perm_options::remove);
    }
  }
  bool is_writable() const { return ::access(path().c_str(), W_OK) == 0; }
  void write(const std::string& name, const std::string& content) const { folder_.write(name, content); }

 private:
  void permit(fs::perm_options change) const {
    fs::permissions(path(), fs::perms::owner_write, change);
    for (const auto& entry : fs::recursive_directory_iterator(path())) {
      fs::permissions(entry.path(), fs::perms::owner_write, change);
    }
  }

  TemporaryFolder folder_;
  bool mounted_;
};

class ReadOnlyFolder : public ::testing::Test {
 protected:
  void SetUp() override {
    disk_.write("names.txt", "House Sparrow\nHerring Gull\n");
    write_label_set(disk_.path() / "labels.parquet", even_labels(noise_birds(), 240), IfExists::kFail);
    write_scores(disk_.path() / "used");
    const NoiseWorkspace used;
    fs::copy(used.folder.path(), disk_.path() / "used", fs::copy_options::recursive);
    disk_.make_read_only();
    if (disk_.is_writable()) GTEST_SKIP() << "may not mount a disk here, and root may write everywhere else";
  }

  const Disk disk_{"size=16m"};
  const std::string refusal_ = disk_.is_mounted() ? "Read-only file system" : "Permission denied";
};

TEST_F(ReadOnlyFolder, GivesOneLineAndLeavesEverythingAsItWas) {
  const auto used = disk_.path() / "used";
  expect_refused(disk_.path(), "taxo", {"build", "names.txt"}, ".procsim: " + refusal_);
  expect_refused(disk_.path(), "taxo", {"build", "names.txt", "--workspace", "used"}, refusal_);
  expect_refused(disk_.path(), "taxo", {"build", "fieldguide"}, refusal_);
  expect_refused(disk_.path(), "noise",
                 {"inject", "--uniform", "0.2", "--labels", "labels.parquet", "-o", "noisy.parquet"},
                 "noisy.parquet: " + refusal_);
  expect_refused(used, "noise", {"inject", "--uniform", "0.2"}, refusal_);
  expect_refused(used, "curate", {"report", "--scores", "scores.parquet", "--no-images"}, refusal_);
  expect_refused(used, "curate", {"serve", "--scores", "scores.parquet", "--port", "0"},
                 "cannot write to the folder " + (used / ".procsim").string() + ": " + refusal_);
  for (const auto& arguments : kTrainings) {
    expect_refused(used, "procsim-train", arguments, refusal_);
  }
}

TEST_F(ReadOnlyFolder, IsReadByCommandsThatOnlyRead) {
  ProgramOptions options;
  options.folder = disk_.path() / "used";
  for (const auto& [program, arguments] : std::vector<std::pair<std::string, std::vector<std::string>>>{
           {"taxo", {"show"}}, {"taxo", {"stats"}}, {"noise", {"stats"}}, {"curate", {"log"}}}) {
    const auto result = run_program(program, arguments, options);
    EXPECT_EQ(result.exit_code, 0) << program << ": " << result.err;
  }
}

TEST_F(ReadOnlyFolder, ScoresThatCannotBeRecordedSaySo) {
  const TemporaryFolder elsewhere;
  std::string csv = "sample_id";
  for (int label = 0; label < 12; ++label) csv += fmt::format(",p{}", label);
  const auto labels = even_labels(noise_birds(), 2400);
  for (const auto& row : labels.rows) {
    csv += fmt::format("\n{}", row.sample_id);
    for (int label = 0; label < 12; ++label) csv += label == row.label ? ",0.89" : ",0.01";
  }
  const auto probabilities = elsewhere.write("mine.csv", csv + "\n").string();
  ProgramOptions options;
  options.folder = disk_.path() / "used";
  const auto result = run_program("curate", {"import-scores", probabilities}, options);
  EXPECT_EQ(result.exit_code, 0) << result.err;
  EXPECT_THAT(result.err, HasSubstr("scores: not recorded, the workspace cannot be written; go on with: "
                                    "curate report --scores " +
                                    (elsewhere / "mine.scores.parquet").string()));
}

TEST(FullDisk, LeavesNoWorkspaceThatABuildHadBegun) {
  const Disk disk("size=16m");
  const auto labels = disk.path() / "labels.parquet";
  write_label_set(labels, even_labels(noise_birds(), 500'000), IfExists::kFail);
  const auto room = fs::file_size(labels) / 2;  // enough for the database, not for the labels
  ASSERT_GT(room, 300'000u);
  rlimit before{};
  ASSERT_EQ(::getrlimit(RLIMIT_FSIZE, &before), 0);
  if (disk.is_mounted()) {
    disk.write("rest", std::string(fs::space(disk.path()).available - room, 'x'));
  } else {  // no file may grow beyond what there would be room for
    const rlimit limit{room, before.rlim_max};
    ASSERT_EQ(::setrlimit(RLIMIT_FSIZE, &limit), 0);
  }
  expect_refused(disk.path(), "taxo", {"build", "labels.parquet"},
                 disk.is_mounted() ? "No space left on device" : "File too large");
  ASSERT_EQ(::setrlimit(RLIMIT_FSIZE, &before), 0);
}

}  // namespace
}  // namespace procsim::test
