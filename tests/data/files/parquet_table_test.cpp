#include <filesystem>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "data/files/table.hpp"
#include "tests/support/expect_error.hpp"
#include "tests/support/run_program.hpp"
#include "tests/support/test_files.hpp"

namespace procsim {
namespace {

using test::expect_error;
using test::TemporaryFolder;
using testing::ElementsAre;

Table sample_table() {
  Table table;
  table.columns.push_back({"small", std::vector<std::int32_t>{1, -2}});
  table.columns.push_back({"large", std::vector<std::int64_t>{5'000'000'000, 7}});
  table.columns.push_back({"weight", std::vector<double>{0.25, -1e300}});
  table.columns.push_back({"name", std::vector<std::string>{"tern", "caf\xC3\xA9"}});
  table.columns.push_back({"vector", TableColumn::FloatLists{3, {1, 2, 3, 4, 5, 6.5f}}});
  table.metadata = {{"kind", "distances"}, {"classes", "[\"a\"]"}};
  return table;
}

// Runs Python with pyarrow imported as pq and pa, P = the path. Returns what it printed.
std::string python(const std::filesystem::path& path, const std::string& code) {
  const auto result = test::run_program(
      test::python_program().string(),
      {"-c", "import sys, pyarrow as pa, pyarrow.parquet as pq\nP = sys.argv[1]\n" + code, path.string()});
  EXPECT_EQ(result.exit_code, 0) << result.err;
  return result.out;
}

TEST(ParquetTable, ReadsBackWhatItWrote) {
  const TemporaryFolder folder;
  const auto table = sample_table();
  write_parquet_table(folder / "t.parquet", table, IfExists::kFail);
  const auto back = read_parquet_table(folder / "t.parquet");
  ASSERT_EQ(back.columns.size(), 5u);
  EXPECT_EQ(back.rows(), 2);
  EXPECT_THAT(std::get<std::vector<std::int32_t>>(back.find("small")->values), ElementsAre(1, -2));
  EXPECT_THAT(std::get<std::vector<std::int64_t>>(back.find("large")->values), ElementsAre(5'000'000'000, 7));
  EXPECT_THAT(std::get<std::vector<double>>(back.find("weight")->values), ElementsAre(0.25, -1e300));
  EXPECT_THAT(std::get<std::vector<std::string>>(back.find("name")->values),
              ElementsAre("tern", "caf\xC3\xA9"));
  const auto& lists = std::get<TableColumn::FloatLists>(back.find("vector")->values);
  EXPECT_EQ(lists.width, 3);
  EXPECT_THAT(lists.values, ElementsAre(1, 2, 3, 4, 5, 6.5f));
  EXPECT_EQ(back.metadata, table.metadata);
}

TEST(ParquetTable, MetadataMayHoldTheNamesOfAMillionClasses) {
  const TemporaryFolder folder;
  constexpr std::size_t kNames = 80'000'000;  // letters; Arrow's own copy of them passes its usual limit
  auto table = sample_table();
  table.metadata = {{"classes", std::string(kNames, 'x')}};
  write_parquet_table(folder / "t.parquet", table, IfExists::kFail);
  EXPECT_EQ(read_parquet_table(folder / "t.parquet").metadata, table.metadata);
}

TEST(ParquetTable, PartsInAFolderAreOneTable) {
  const TemporaryFolder folder;
  const auto write = [&](const char* name, std::vector<std::int64_t> ids, std::int64_t width) {
    Table part;
    TableColumn::FloatLists lists;
    lists.width = width;
    for (const auto id : ids)
      for (std::int64_t k = 0; k < width; ++k) lists.values.push_back(static_cast<float>(10 * id + k));
    part.columns.push_back({"sample_id", std::move(ids)});
    part.columns.push_back({"embedding", std::move(lists)});
    write_parquet_table(folder / name, part, IfExists::kReplace);
  };
  std::filesystem::create_directory(folder / "parts");
  write("parts/b.parquet", {3}, 2);
  write("parts/a.parquet", {1, 2}, 2);
  const auto table = read_parquet_table(folder / "parts");
  EXPECT_EQ(std::get<std::vector<std::int64_t>>(table.find("sample_id")->values),
            (std::vector<std::int64_t>{1, 2, 3}));
  const auto& lists = std::get<TableColumn::FloatLists>(table.find("embedding")->values);
  EXPECT_EQ(lists.width, 2);
  EXPECT_EQ(lists.values, (std::vector<float>{10, 11, 20, 21, 30, 31}));

  write("parts/c.parquet", {4}, 3);
  expect_error([&] { read_parquet_table(folder / "parts"); }, {"c.parquet", "has lists of 3 numbers, not 2"});
  Table other;
  other.columns.push_back({"sample_id", std::vector<std::int64_t>{5}});
  write_parquet_table(folder / "parts/c.parquet", other, IfExists::kReplace);
  expect_error([&] { read_parquet_table(folder / "parts"); }, {"has no column 'embedding'"});
}

TEST(ParquetTable, SameTableGivesTheSameBytes) {
  const TemporaryFolder folder;
  write_parquet_table(folder / "a.parquet", sample_table(), IfExists::kFail);
  write_parquet_table(folder / "b.parquet", sample_table(), IfExists::kFail);
  EXPECT_EQ(test::read_all(folder / "a.parquet"), test::read_all(folder / "b.parquet"));
}

TEST(ParquetTable, PyarrowReadsOurFile) {
  const TemporaryFolder folder;
  write_parquet_table(folder / "t.parquet", sample_table(), IfExists::kFail);
  EXPECT_EQ(python(folder / "t.parquet",
                   "t = pq.read_table(P)\n"
                   "print(t.column('small').to_pylist(), t.column('name').to_pylist(), "
                   "t.column('vector').to_pylist())\n"
                   "print(t.schema.metadata[b'kind'].decode(), t.schema.field('vector').type.list_size)"),
            "[1, -2] ['tern', 'café'] [[1.0, 2.0, 3.0], [4.0, 5.0, 6.5]]\ndistances 3\n");
}

TEST(ParquetTable, ReadsTheNumberTextAndListTypesOfPyarrow) {
  const TemporaryFolder folder;
  python(folder / "t.parquet",
         "n = lambda t: pa.array([3, 4], t)\n"
         "pq.write_table(pa.table({'i8': n(pa.int8()), 'u16': n(pa.uint16()), 'u64': n(pa.uint64()),\n"
         " 'f4': n(pa.float32()), 'f2': n(pa.float16()), 'ls': pa.array(['x', 'y'], pa.large_string()),\n"
         " 'd': pa.array(['p', 'q']).dictionary_encode(), 'l': [[1, 2], [3, 4]],\n"
         " 'fl': pa.array([[1.5], [2.5]], pa.list_(pa.float64(), 1)),\n"
         " 'll': pa.array([[7], [8]], pa.large_list(pa.int8()))}), P, row_group_size=1)");
  const auto table = read_parquet_table(folder / "t.parquet");
  for (const auto* name : {"i8", "u16", "u64"}) {
    EXPECT_THAT(std::get<std::vector<std::int64_t>>(table.find(name)->values), ElementsAre(3, 4)) << name;
  }
  for (const auto* name : {"f4", "f2"}) {
    EXPECT_THAT(std::get<std::vector<double>>(table.find(name)->values), ElementsAre(3.0, 4.0)) << name;
  }
  EXPECT_THAT(std::get<std::vector<std::string>>(table.find("ls")->values), ElementsAre("x", "y"));
  EXPECT_THAT(std::get<std::vector<std::string>>(table.find("d")->values), ElementsAre("p", "q"));
  EXPECT_THAT(std::get<TableColumn::FloatLists>(table.find("l")->values).values, ElementsAre(1, 2, 3, 4));
  EXPECT_THAT(std::get<TableColumn::FloatLists>(table.find("fl")->values).values, ElementsAre(1.5, 2.5));
  EXPECT_THAT(std::get<TableColumn::FloatLists>(table.find("ll")->values).values, ElementsAre(7, 8));
}

TEST(ParquetTable, RefusesWhatATableCannotHold) {
  const TemporaryFolder folder;
  const auto refuse = [&](const std::string& columns, std::vector<std::string> pieces) {
    python(folder / "t.parquet", "pq.write_table(pa.table({" + columns + "}), P)");
    pieces.push_back((folder / "t.parquet").string());
    expect_error([&] { read_parquet_table(folder / "t.parquet"); }, pieces);
  };
  refuse("'flag': [True]", {"column 'flag'", "bool"});
  refuse("'n': [1, None]", {"column 'n'", "row 2 has no value"});
  refuse("'v': [[1.0, 2.0], [1.0]]", {"column 'v'", "row 2 has 1 numbers where the first has 2"});
  refuse("'v': [[1.0, None]]", {"column 'v'", "number 2 of row 1 is empty"});
  refuse("'v': [[1.0, 2.0], [1.0]], 'sample_id': [7, 8]", {"row 2 (sample 8) has 1 numbers"});
  refuse("'v': [[1.0, 2.0], [1.0, None]], 'sample_id': [7, 8]", {"number 2 of row 2 (sample 8) is empty"});
  refuse("'sample_id': [7, 8], 'v': [[1.0], None]", {"row 2 (sample 8) has no value"});
  refuse("'s': [{'a': 1}]", {"column 's'", "struct"});
  refuse("'u': pa.array([2**63], pa.uint64())", {"column 'u'", "row 1", "9223372036854775808"});
}

TEST(ParquetTable, DamagedOrMissingFilesGiveOneLine) {
  const TemporaryFolder folder;
  expect_error([&] { read_parquet_table(folder / "none.parquet"); }, {"none.parquet"});
  expect_error([&] { read_parquet_table(folder.write("text.parquet", "not a table at all")); },
               {"text.parquet"});
  write_parquet_table(folder / "t.parquet", sample_table(), IfExists::kFail);
  const auto whole = test::read_all(folder / "t.parquet");
  for (std::size_t length = 0; length < whole.size(); length += 7) {
    const auto path = folder.write("cut.parquet", whole.substr(0, length));
    expect_error([&] { read_parquet_table(path); }, {"cut.parquet"});
  }
}

TEST(ParquetTable, NeverOverwritesUnasked) {
  const TemporaryFolder folder;
  write_parquet_table(folder / "t.parquet", sample_table(), IfExists::kFail);
  expect_error([&] { write_parquet_table(folder / "t.parquet", sample_table(), IfExists::kFail); },
               {"--force"});
  write_parquet_table(folder / "t.parquet", sample_table(), IfExists::kReplace);
}

TEST(ParquetTable, ColumnsOfUnequalLengthAreRefused) {
  const TemporaryFolder folder;
  auto table = sample_table();
  table.columns[1].values = std::vector<std::int64_t>{1};
  expect_error([&] { write_parquet_table(folder / "t.parquet", table, IfExists::kFail); },
               {"column 'large'", "1 rows"});
  EXPECT_FALSE(std::filesystem::exists(folder / "t.parquet"));
}

}  // namespace
}  // namespace procsim
