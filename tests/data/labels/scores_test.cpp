#include "data/labels/scores.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/support/errors.hpp"
#include "tests/support/test_files.hpp"

namespace procsim {
namespace {

using test::error_of;
using test::TemporaryFolder;
using ::testing::HasSubstr;

ScoresInfo tiny_info() {
  ScoresInfo info;
  info.dataset = "tiny";
  info.classes = {{"A", "a", ""}, {"B", "b", ""}, {"C", "c", ""}};
  info.provenance.program = "test";
  info.estimates = ScoreEstimates{{0.25, 0.125, 0.5, true}, {{2, {1, 0, 2}}}, {}};
  return info;
}

ScoreRow row_of(std::int64_t id) {
  ScoreRow row;
  row.sample_id = id;
  row.path = std::to_string(id) + ".jpg";
  row.label = static_cast<std::int32_t>(id % 3);
  if (id % 2 == 0) row.true_label = id % 4 == 0 ? 1 : kNoneOfThese;
  if (id % 5 != 0) row.p_none = 0.0625f;
  row.proxy_loss = static_cast<float>(id) * 0.5f;
  row.confidence = 0.25f;
  row.p_mislabelled = 0.75f;
  row.suspicion = 3;
  row.p_given = 0.125f;
  row.margin = -1.5f;
  row.suggested = 2;
  for (std::int64_t k = 0; k < id % 4; ++k) row.rivals.push_back({static_cast<std::int32_t>(k % 3), 0.5f});
  row.near_given = {id + 1, id + 2};
  if (id % 3 == 0) row.duplicates = {id * 10};
  row.fold = static_cast<std::int32_t>(id % 5);
  return row;
}

std::vector<ScoreRow> read_scores(const std::filesystem::path& path) {
  ScoresReader reader(path);
  std::vector<ScoreRow> rows;
  for (auto batch = reader.next(); !batch.empty(); batch = reader.next()) {
    rows.insert(rows.end(), batch.begin(), batch.end());
  }
  return rows;
}

TEST(Scores, ComeBackAsTheyWereWrittenAcrossRowGroups) {
  const TemporaryFolder folder;
  std::vector<ScoreRow> rows;
  for (std::int64_t id = 0; id < 150'000; ++id) rows.push_back(row_of(id));
  ScoresWriter writer(folder / "s.parquet", IfExists::kFail);
  writer.append(std::span(rows).first(70'000));
  writer.append(std::span(rows).subspan(70'000));
  writer.finish(tiny_info());
  EXPECT_EQ(read_scores(folder / "s.parquet"), rows);
  ScoresReader reader(folder / "s.parquet");
  EXPECT_EQ(reader.rows(), 150'000);
  EXPECT_EQ(reader.info().classes, tiny_info().classes);
  EXPECT_EQ(reader.info().estimates, tiny_info().estimates);
  EXPECT_EQ(reader.info().provenance, tiny_info().provenance);
}

TEST(Scores, PartsInAFolderAreOne) {
  const TemporaryFolder folder;
  std::vector<ScoreRow> rows;
  for (std::int64_t id = 0; id < 50; ++id) rows.push_back(row_of(id));
  const auto write = [&](const std::string& name, std::size_t from, std::size_t count,
                         const ScoresInfo& info) {
    ScoresWriter writer(folder.path() / name, IfExists::kReplace);
    writer.append(std::span(rows).subspan(from, count));
    writer.finish(info);
  };
  write("parts/part-1.parquet", 30, 20, tiny_info());
  write("parts/part-0.parquet", 0, 30, tiny_info());
  write("parts/part-2.parquet", 0, 0, tiny_info());
  folder.write("parts/.part-3.parquet", "hidden");
  EXPECT_EQ(read_scores(folder / "parts"), rows);
  ScoresReader reader(folder / "parts");
  EXPECT_EQ(reader.rows(), 50);
  EXPECT_EQ(reader.info().estimates, tiny_info().estimates);

  auto other = tiny_info();
  other.estimates.reset();
  write("parts/part-2.parquet", 0, 10, other);
  EXPECT_THAT(error_of([&] { ScoresReader(folder / "parts"); }),
              testing::AllOf(HasSubstr("part-2.parquet"), HasSubstr("their estimates differ")));
  std::filesystem::create_directory(folder / "empty");
  EXPECT_THAT(error_of([&] { ScoresReader(folder / "empty"); }), HasSubstr("holds no *.parquet files"));
}

TEST(Scores, ABadClassIsNamedWithItsSample) {
  const TemporaryFolder folder;
  ScoresWriter writer(folder / "s.parquet", IfExists::kFail);
  auto row = row_of(7);
  row.suggested = 3;
  writer.append(std::span(&row, 1));
  writer.finish(tiny_info());
  EXPECT_THAT(error_of([&] { read_scores(folder / "s.parquet"); }), HasSubstr("class 3 of sample 7"));
}

TEST(Scores, ALabelSetIsNoScoresFile) {
  const TemporaryFolder folder;
  LabelSet set;
  set.info.dataset = "x";
  write_label_set(folder / "l.parquet", set, IfExists::kFail);
  EXPECT_THAT(error_of([&] { ScoresReader reader(folder / "l.parquet"); }),
              HasSubstr("holds 'labelset', expected 'scores'"));
}

}  // namespace
}  // namespace procsim
