#include "data/labels/label_set.hpp"

#include <arrow/io/file.h>
#include <arrow/util/key_value_metadata.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <parquet/file_reader.h>

#include "data/base/digest.hpp"
#include "data/files/table.hpp"
#include "tests/support/errors.hpp"
#include "tests/support/test_files.hpp"

namespace procsim {
namespace {

using test::error_of;
using test::TemporaryFolder;
using ::testing::AllOf;
using ::testing::HasSubstr;

LabelSetInfo info_of(int classes) {
  LabelSetInfo info;
  info.dataset = "tiny";
  for (int i = 0; i < classes; ++i)
    info.classes.push_back({"Class " + std::to_string(i), std::to_string(i) + ".C", ""});
  info.classes.front().node = "bird.n.01";
  info.provenance["program"] = "test";
  return info;
}

LabelSet tiny_set() {
  LabelSet set{info_of(3), {}};
  set.rows = {{10, "a/1.jpg", "train", 0, 0},
              {11, "a/ü.jpg", "train", 1, 0},
              {12, "b/3.jpg", "test", 2, std::nullopt},
              {-5, "c \"quoted\".jpg", "unlabelled", kUnlabelled, std::nullopt}};
  return set;
}

LabelSet large_set(std::int64_t rows) {
  LabelSet set{info_of(10), {}};
  for (std::int64_t i = 0; i < rows; ++i) {
    set.rows.push_back({i * 3, "images/" + std::to_string(i) + ".jpg", i < rows / 2 ? "train" : "test",
                        static_cast<std::int32_t>(i % 10), static_cast<std::int32_t>(i % 7)});
  }
  return set;
}

std::int64_t row_groups(const std::filesystem::path& path) {
  return parquet::ParquetFileReader::OpenFile(path.string())->metadata()->num_row_groups();
}

// Where a column of the first row group stands in the file: offset and size.
std::pair<std::int64_t, std::int64_t> place_of_column(const std::filesystem::path& path,
                                                      const std::string& name) {
  const auto metadata = parquet::ParquetFileReader::OpenFile(path.string())->metadata();
  const auto column = metadata->RowGroup(0)->ColumnChunk(metadata->schema()->ColumnIndex(name));
  return {column->data_page_offset(), column->total_compressed_size()};
}

TEST(LabelSet, ComesBackAsItWasWritten) {
  const TemporaryFolder folder;
  const auto set = tiny_set();
  const auto digest = write_label_set(folder / "a.parquet", set, IfExists::kFail);
  EXPECT_EQ(digest, sha256_file(folder / "a.parquet"));
  const auto back = read_label_set(folder / "a.parquet");
  EXPECT_EQ(back.rows, set.rows);
  EXPECT_EQ(back.info.dataset, "tiny");
  EXPECT_EQ(back.info.classes, set.info.classes);
  EXPECT_EQ(back.info.provenance, set.info.provenance);
}

TEST(LabelSet, NoneOfTheseIsATruthAndNoLabel) {
  const TemporaryFolder folder;
  auto set = tiny_set();
  const auto version = [](const std::filesystem::path& path) {
    const auto metadata = parquet::ParquetFileReader::OpenFile(path.string())->metadata();
    const auto header = metadata->key_value_metadata()->Get("procsim").ValueOrDie();
    return nlohmann::json::parse(header).at("version").get<int>();
  };
  write_label_set(folder / "a.parquet", set, IfExists::kFail);
  EXPECT_EQ(version(folder / "a.parquet"), 3);
  set.rows[1].true_label = kNoneOfThese;
  write_label_set(folder / "b.parquet", set, IfExists::kFail);
  EXPECT_EQ(version(folder / "b.parquet"), 3);
  EXPECT_EQ(read_label_set(folder / "b.parquet").rows, set.rows);
  set.rows[1].label = kNoneOfThese;
  write_label_set(folder / "c.parquet", set, IfExists::kFail);
  EXPECT_THAT(error_of([&] { read_label_set(folder / "c.parquet"); }), HasSubstr("label -2"))
      << "a truth, no label";
}

TEST(LabelSet, WithoutRowsIsALabelSetToo) {
  const TemporaryFolder folder;
  write_label_set(folder / "a.parquet", {info_of(2), {}}, IfExists::kFail);
  EXPECT_TRUE(read_label_set(folder / "a.parquet").rows.empty());
}

TEST(LabelSet, HasTheSameBytesHoweverItsRowsAreCut) {
  const TemporaryFolder folder;
  const auto set = large_set(300'000);
  const auto digest = write_label_set(folder / "whole.parquet", set, IfExists::kFail);
  LabelSetWriter writer(folder / "pieces.parquet", IfExists::kFail);
  const std::span<const LabelRow> rows(set.rows);
  for (std::size_t begin = 0, piece = 1; begin < rows.size();
       begin += piece, piece = piece * 3 % 50'021 + 1) {
    piece = std::min(piece, rows.size() - begin);
    writer.append(make_label_batch(rows.subspan(begin, piece)));
  }
  EXPECT_EQ(writer.finish(set.info), digest);
}

TEST(LabelSet, ReadInBatchesOfAnySizeIsTheSame) {
  const TemporaryFolder folder;
  const auto set = large_set(10'000);
  write_label_set(folder / "a.parquet", set, IfExists::kFail);
  LabelReadOptions options;
  options.batch_rows = 77;
  EXPECT_EQ(read_label_set(folder / "a.parquet", options).rows, set.rows);
}

TEST(LabelSet, SplitFilterGivesThatSplitAndSkipsOtherRowGroups) {
  const TemporaryFolder folder;
  const auto set = large_set(600'000);
  const auto path = folder / "a.parquet";
  write_label_set(path, set, IfExists::kFail);
  ASSERT_GE(row_groups(path), 3);
  LabelReadOptions options;
  options.split = "test";
  const auto test_rows = read_label_set(path, options);
  ASSERT_EQ(test_rows.rows.size(), 300'000u);
  EXPECT_EQ(test_rows.rows.front(), set.rows[300'000]);

  // Damage the first row group: reading another split must not notice.
  auto bytes = test::read_all(path);
  for (std::size_t i = 100; i < 100'000; ++i) bytes[i] = static_cast<char>(0xAA);
  folder.write("damaged.parquet", bytes);
  EXPECT_EQ(read_label_set(folder / "damaged.parquet", options).rows.size(), 300'000u);
  EXPECT_THAT(error_of([&] { read_label_set(folder / "damaged.parquet"); }), HasSubstr("damaged.parquet"));
}

TEST(LabelSet, PrunedColumnsAreNotRead) {
  const TemporaryFolder folder;
  write_label_set(folder / "a.parquet", tiny_set(), IfExists::kFail);
  LabelReadOptions options;
  options.paths = false;
  options.true_labels = false;
  LabelSetReader reader(folder / "a.parquet", options);
  const auto batch = reader.next();
  ASSERT_TRUE(batch);
  EXPECT_EQ(batch->path(0), "");
  EXPECT_FALSE(batch->has_true_label(0));
  EXPECT_EQ(batch->labels()[1], 1);

  // Damage the column: who does not ask for it must not notice.
  auto bytes = test::read_all(folder / "a.parquet");
  const auto [begin, size] = place_of_column(folder / "a.parquet", "path");
  std::fill_n(bytes.begin() + begin, size, static_cast<char>(0xAA));
  folder.write("damaged.parquet", bytes);
  LabelSetReader spared(folder / "damaged.parquet", options);
  ASSERT_TRUE(spared.next());
  EXPECT_THAT(error_of([&] { read_label_set(folder / "damaged.parquet"); }), HasSubstr("damaged.parquet"));
}

TEST(LabelBatch, RelabelledKeepsEverythingElse) {
  const auto set = tiny_set();
  const auto batch = make_label_batch(set.rows).relabelled({2, 2, 2, 2}, {0, kUnlabelled, 1, 2});
  EXPECT_EQ(batch.labels()[3], 2);
  EXPECT_EQ(batch.true_label(0), 0);
  EXPECT_EQ(batch.true_label(1), std::nullopt);
  EXPECT_EQ(batch.path(1), "a/ü.jpg");
  EXPECT_EQ(batch.split(3), "unlabelled");
}

TEST(LabelSet, FolderOfPartsIsOneLabelSet) {
  const TemporaryFolder folder;
  auto set = tiny_set();
  auto first = set, second = set;
  first.rows = {set.rows[0], set.rows[1]};
  second.rows = {set.rows[2], set.rows[3]};
  write_label_set(folder / "parts/part-0.parquet", first, IfExists::kFail);
  write_label_set(folder / "parts/part-1.parquet", second, IfExists::kFail);
  folder.write("parts/_SUCCESS", "");
  EXPECT_EQ(read_label_set(folder / "parts").rows, set.rows);
  LabelSetReader reader(folder / "parts");
  EXPECT_EQ(reader.file_rows(), 4);

  second.info.classes.back().name = "Other";
  write_label_set(folder / "parts/part-1.parquet", second, IfExists::kReplace);
  EXPECT_THAT(error_of([&] { LabelSetReader bad(folder / "parts"); }),
              HasSubstr("no parts of one label set"));
}

TEST(LabelSet, ARangeOfRowsIsCountedOverAllParts) {
  const TemporaryFolder folder;
  const auto set = large_set(300'000);  // three row groups in the first part
  const auto cut = set.rows.begin() + 280'000;
  write_label_set(folder / "parts/1.parquet", {set.info, {set.rows.begin(), cut}}, IfExists::kFail);
  write_label_set(folder / "parts/2.parquet", {set.info, {cut, set.rows.end()}}, IfExists::kFail);
  const std::vector<std::pair<std::int64_t, std::int64_t>> ranges{
      {0, 1}, {0, 300'000}, {131'071, 131'073}, {140'000, 150'000}, {279'999, 280'001}, {299'999, 300'000},
      {5, 5}};
  for (const auto& [first, last] : ranges) {
    LabelReadOptions options;
    options.rows = RowRange{first, last};
    options.batch_rows = 1000;
    EXPECT_EQ(read_label_set(folder / "parts", options).rows,
              std::vector<LabelRow>(set.rows.begin() + first, set.rows.begin() + last));
  }
  LabelReadOptions both;
  both.rows = RowRange{100'000, 200'000};  // the split changes at 150,000
  both.split = "test";
  EXPECT_EQ(read_label_set(folder / "parts", both).rows,
            std::vector<LabelRow>(set.rows.begin() + 150'000, set.rows.begin() + 200'000));
}

TEST(LabelSet, ASampleIdThatStandsTwiceIsNamedWithItsFileAndRow) {
  const TemporaryFolder folder;
  auto set = tiny_set();
  set.rows[3].sample_id = 10;
  write_label_set(folder / "a.parquet", set, IfExists::kFail);
  EXPECT_THAT(error_of([&] { read_label_set(folder / "a.parquet"); }),
              AllOf(HasSubstr("sample_id 10"), HasSubstr("row 3"), HasSubstr("a.parquet")));

  // Also in another batch, another row group and another part.
  auto large = large_set(300'000);
  large.rows[299'999].sample_id = large.rows[1].sample_id;
  const auto cut = large.rows.begin() + 280'000;
  write_label_set(folder / "parts/1.parquet", {large.info, {large.rows.begin(), cut}}, IfExists::kFail);
  write_label_set(folder / "parts/2.parquet", {large.info, {cut, large.rows.end()}}, IfExists::kFail);
  EXPECT_THAT(error_of([&] { read_label_set(folder / "parts"); }),
              AllOf(HasSubstr("sample_id 3 "), HasSubstr("row 19999"), HasSubstr("2.parquet")));
}

TEST(LabelSet, ALabelThatIsNoClassIsNamedWithItsRow) {
  const TemporaryFolder folder;
  auto set = large_set(200'000);
  set.rows[150'001].label = 10;
  write_label_set(folder / "a.parquet", set, IfExists::kFail);
  EXPECT_THAT(error_of([&] { read_label_set(folder / "a.parquet"); }),
              AllOf(HasSubstr("label 10"), HasSubstr("row 150001"), HasSubstr("10 classes")));
  LabelReadOptions options;
  options.split = "test";  // the row keeps its number in the file when row groups before it are skipped
  EXPECT_THAT(error_of([&] { read_label_set(folder / "a.parquet", options); }), HasSubstr("row 150001"));
}

TEST(LabelSet, FilesThatAreNoLabelSetsAreRefusedByName) {
  const TemporaryFolder folder;
  EXPECT_THAT(error_of([&] { LabelSetReader reader(folder / "none.parquet"); }),
              AllOf(HasSubstr("none.parquet"), HasSubstr("does not exist")));
  folder.write("text.parquet", "not parquet at all");
  EXPECT_THAT(error_of([&] { LabelSetReader reader(folder / "text.parquet"); }), HasSubstr("text.parquet"));
  folder.write("empty.parquet", "");
  EXPECT_THAT(error_of([&] { LabelSetReader reader(folder / "empty.parquet"); }), HasSubstr("empty.parquet"));
  std::filesystem::create_directory(folder / "folder");
  EXPECT_THAT(error_of([&] { LabelSetReader reader(folder / "folder"); }), HasSubstr("no *.parquet"));
}

TEST(LabelSet, TruncatedAnywhereGivesAnErrorAndNoCrash) {
  const TemporaryFolder folder;
  write_label_set(folder / "a.parquet", large_set(2'000), IfExists::kFail);
  const auto bytes = test::read_all(folder / "a.parquet");
  for (std::size_t length = 0; length < bytes.size(); length += 1 + bytes.size() / 150) {
    folder.write("b.parquet", bytes.substr(0, length));
    EXPECT_THAT(error_of([&] { read_label_set(folder / "b.parquet"); }), HasSubstr("b.parquet")) << length;
  }
}

TEST(LabelSet, ABatchReadWithoutPathsOrTruthCannotBeWritten) {
  const TemporaryFolder folder;
  write_label_set(folder / "a.parquet", tiny_set(), IfExists::kFail);
  const auto copied = [&](LabelReadOptions options) {
    return error_of([&] {
      LabelSetReader reader(folder / "a.parquet", options);
      LabelSetWriter writer(folder / "b.parquet", IfExists::kFail);
      writer.append(*reader.next());
      writer.finish(reader.info());
    });
  };
  LabelReadOptions without_paths, without_truth;
  without_paths.paths = false;
  without_truth.true_labels = false;
  EXPECT_THAT(copied(without_paths), AllOf(HasSubstr("b.parquet"), HasSubstr("without their paths")));
  EXPECT_THAT(copied(without_truth), AllOf(HasSubstr("b.parquet"), HasSubstr("without their true labels")));
  EXPECT_FALSE(std::filesystem::exists(folder / "b.parquet"));
}

TEST(LabelSet, ExistingFileIsKept) {
  const TemporaryFolder folder;
  write_label_set(folder / "a.parquet", tiny_set(), IfExists::kFail);
  EXPECT_THAT(error_of([&] { write_label_set(folder / "a.parquet", large_set(5), IfExists::kFail); }),
              HasSubstr("Use --force"));
  EXPECT_EQ(read_label_set(folder / "a.parquet").rows.size(), 4u);
}

TEST(LabelSetInfo, FindsClassesByNamePublishedNameOrIndex) {
  const auto info = info_of(3);
  EXPECT_EQ(info.label_of("Class 2"), 2);
  EXPECT_EQ(info.label_of("1.C"), 1);
  EXPECT_EQ(info.label_of("0"), 0);
  EXPECT_THAT(error_of([&] { info.label_of("Clas 2"); }), HasSubstr("did you mean 'Class 2'?"));
  EXPECT_THAT(error_of([&] { info.label_of("3"); }), HasSubstr("unknown class '3'"));
}

// Whose copy would take more stack than there is.
TEST(LabelSet, AHeaderNestedWithoutEndIsRefused) {
  const test::TemporaryFolder folder;
  constexpr std::size_t kDeep = 1'000'000;
  Table table;
  table.columns = {{"label", std::vector<std::int32_t>{0}}};
  table.metadata["procsim"] = R"({"format": "labelset", "version": 1, "provenance": )" +
                              std::string(kDeep, '[') + std::string(kDeep, ']') + "}";
  write_parquet_table(folder / "a.parquet", table, IfExists::kFail);
  EXPECT_THAT(error_of([&] { LabelSetReader reader(folder / "a.parquet"); }),
              AllOf(HasSubstr("a.parquet"), HasSubstr("damaged")));
}

}  // namespace
}  // namespace procsim
