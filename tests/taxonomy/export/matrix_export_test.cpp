#include "taxonomy/export/matrix_export.hpp"

#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "data/base/error.hpp"
#include "data/files/table.hpp"
#include "tests/support/test_files.hpp"
#include "tests/taxonomy/sample_trees.hpp"

namespace procsim::taxonomy {
namespace {

using test::birds;
using test::make_parts;
using test::read_all;
using test::TemporaryFolder;

const std::vector<std::int32_t>& integers(const Table& table, std::string_view name) {
  const auto* column = table.find(name);
  EXPECT_NE(column, nullptr) << name;
  return std::get<std::vector<std::int32_t>>(column->values);
}

TEST(MatrixExport, WritesAColumnPerClass) {
  const TemporaryFolder folder;
  const auto taxonomy = birds();
  write_class_matrix(folder / "d.parquet", taxonomy, Measure::kDistance, IfExists::kFail);
  const auto table = read_parquet_table(folder / "d.parquet");
  ASSERT_EQ(table.rows(), 6);
  ASSERT_EQ(table.columns.size(), 8u);
  for (std::int32_t a = 0; a < 6; ++a) {
    EXPECT_EQ(table.columns[static_cast<std::size_t>(a) + 2].name, taxonomy.class_at(a).name);
    const auto& column = integers(table, taxonomy.class_at(a).name);
    for (std::int32_t b = 0; b < 6; ++b) {
      EXPECT_EQ(column[static_cast<std::size_t>(b)],
                static_cast<std::int32_t>(distance(taxonomy, taxonomy.leaf(a), taxonomy.leaf(b))));
    }
  }
  const auto header = nlohmann::json::parse(table.metadata.at("procsim"));
  EXPECT_EQ(header.at("format"), "classmatrix");
  EXPECT_EQ(header.at("taxonomy"), taxonomy.digest());
}

TEST(MatrixExport, GivesEveryColumnANameOfItsOwn) {
  const TemporaryFolder folder;
  const Taxonomy taxonomy(
      make_parts({}, {{"crane", "top"}, {"crane", "top"}, {"class", "top"}, {"", "top"}}));
  write_class_matrix(folder / "d.parquet", taxonomy, Measure::kPath, IfExists::kFail);
  std::vector<std::string> names;
  for (const auto& column : read_parquet_table(folder / "d.parquet").columns) names.push_back(column.name);
  EXPECT_THAT(names, testing::ElementsAre("label", "class", "crane", "crane #1", "class #2", " #3"));
}

// 1,500 classes make more pairs than a row group holds.
TEST(MatrixExport, WritesEveryPairOnceOverSeveralRowGroups) {
  const TemporaryFolder folder;
  std::vector<std::pair<std::string, std::string>> classes;
  constexpr std::int32_t kClasses = 1500;
  for (std::int32_t i = 0; i < kClasses; ++i) classes.emplace_back("c", i % 3 == 0 ? "a" : "b");
  const Taxonomy taxonomy(make_parts({{"a", "top"}, {"b", "top"}}, classes));
  write_class_pairs(folder / "p.parquet", taxonomy, Measure::kDistance, IfExists::kFail);
  const auto table = read_parquet_table(folder / "p.parquet");
  ASSERT_EQ(table.rows(), kClasses * (kClasses - 1) / 2);
  const auto& first = integers(table, "label_a");
  const auto& second = integers(table, "label_b");
  const auto& distances = integers(table, "distance");
  std::size_t row = 0;
  for (std::int32_t a = 0; a < kClasses; ++a) {
    for (std::int32_t b = a + 1; b < kClasses; ++b, ++row) {
      ASSERT_EQ(first[row], a);
      ASSERT_EQ(second[row], b);
      ASSERT_EQ(distances[row], (a % 3 == 0) == (b % 3 == 0) ? 2 : 4);
    }
  }
  write_class_pairs(folder / "again.parquet", taxonomy, Measure::kDistance, IfExists::kFail);
  EXPECT_EQ(read_all(folder / "p.parquet"), read_all(folder / "again.parquet"));
  EXPECT_LT(read_all(folder / "p.parquet").size(), 1'000'000u)
      << "labels count up: they take bits, not bytes";
}

TEST(MatrixExport, RefusesTooManyColumnsAndExistingFiles) {
  const TemporaryFolder folder;
  std::vector<std::pair<std::string, std::string>> classes(2001, {"c", "top"});
  const Taxonomy taxonomy(make_parts({}, classes));
  EXPECT_THROW(write_class_matrix(folder / "d.parquet", taxonomy, Measure::kDistance, IfExists::kFail),
               Error);
  folder.write("mine.parquet", "mine");
  EXPECT_THROW(write_class_pairs(folder / "mine.parquet", birds(), Measure::kDistance, IfExists::kFail),
               Error);
  EXPECT_EQ(read_all(folder / "mine.parquet"), "mine");
}

}  // namespace
}  // namespace procsim::taxonomy
