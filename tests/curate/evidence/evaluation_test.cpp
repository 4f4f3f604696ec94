#include "curate/evidence/evaluation.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/curate/scored_birds.hpp"
#include "tests/support/errors.hpp"
#include "tests/support/test_files.hpp"

namespace procsim::curate {
namespace {

using test::bird_table;
using test::error_of;
using test::scored;
using ::testing::HasSubstr;

ClassFamilies families() { return {test::bird_taxonomy(), test::bird_classes()}; }

ScoreRow with_truth(ScoreRow row, std::int32_t truth) {
  row.true_label = truth;
  return row;
}

// Ranked: wrong sibling, right, wrong stranger, right, right; one without truth.
ScoreTable small_table() {
  return bird_table({with_truth(scored(1, 0, 1, 0.9), 1), with_truth(scored(2, 0, 1, 0.8), 0),
                     with_truth(scored(3, 0, 4, 0.6), 3), with_truth(scored(4, 3, 4, 0.3), 3),
                     with_truth(scored(5, 5, 0, 0.1), 5), scored(6, 5, 0, 0.95)});
}

TEST(Evaluation, CountsByHand) {
  const auto table = small_table();
  const auto quality = evaluate(table, truth_in(table), families());
  EXPECT_EQ(quality.samples, 5U);
  EXPECT_EQ(quality.wrong, 2U);
  EXPECT_DOUBLE_EQ(quality.auroc.value(), 5.0 / 6);
  EXPECT_DOUBLE_EQ(quality.average_precision.value(), (1.0 + 2.0 / 3) / 2);
  EXPECT_DOUBLE_EQ(quality.at_errors.precision, 0.5);
  EXPECT_DOUBLE_EQ(quality.precision, 2.0 / 3);  // three at 0.5 or more
  EXPECT_DOUBLE_EQ(quality.recall, 1);
  EXPECT_DOUBLE_EQ(quality.f1, 0.8);
  EXPECT_DOUBLE_EQ(quality.suggestion_accuracy, 0.5);
  ASSERT_EQ(quality.by_kinship.size(), 2U);
  EXPECT_EQ(quality.by_kinship[0].name, "siblings");
  EXPECT_DOUBLE_EQ(quality.by_kinship[0].auroc.value(), 1);
  EXPECT_EQ(quality.by_kinship[1].name, "strangers");
  EXPECT_DOUBLE_EQ(quality.by_kinship[1].auroc.value(), 2.0 / 3);
  EXPECT_EQ(quality.by_distance.size(), 2U);
  EXPECT_TRUE(evaluate(table, truth_in(table), {}).by_kinship.empty());
}

TEST(Truth, ComesFromLabelSetsAndTables) {
  const test::TemporaryFolder folder;
  const auto table = small_table();
  auto rows = std::vector<ScoreRow>();
  for (std::uint32_t i = 0; i < 5; ++i) rows.push_back(table.row(i));
  test::write_bird_labels(folder / "clean.parquet", rows);
  EXPECT_EQ(read_truth(folder / "clean.parquet", table).labels, truth_in(table).labels);
  const auto by_id = read_truth(
      folder.write("ids.csv", "sample_id,true_label,noise_type\n1,Western Gull,semantic\n3,3,uniform\n"),
      table);
  EXPECT_EQ(by_id.known(), 2U);
  EXPECT_EQ(by_id.labels[0], 1);
  EXPECT_EQ(by_id.noise_types[2], "uniform");
  const auto quality = evaluate(table, by_id, families());
  ASSERT_EQ(quality.by_noise_type.size(), 2U);
  EXPECT_EQ(quality.by_noise_type[0].name, "semantic");
  const auto by_path =
      read_truth(folder.write("paths.csv", "path,label\n0/1.jpg,002.Western Gull\nother.jpg,0\n"), table);
  EXPECT_EQ(by_path.known(), 1U);
}

TEST(Truth, SaysWhatIsWrongWithAFile) {
  const test::TemporaryFolder folder;
  const auto table = small_table();
  EXPECT_THAT(error_of([&] { read_truth(folder.write("a.csv", "sample_id,true_label\n1,Dodo\n"), table); }),
              HasSubstr("row 1, column 'true_label'"));
  EXPECT_THAT(error_of([&] { read_truth(folder.write("b.csv", "sample_id,colour\n1,red\n"), table); }),
              HasSubstr("it has sample_id, colour"));
  EXPECT_THAT(error_of([&] { read_truth(folder.write("c.csv", "sample_id,label\n99,1\n"), table); }),
              HasSubstr("none of the scored samples"));
  test::write_bird_labels(folder / "unknown.parquet", {scored(1, 0, 1, 0.5)});
  EXPECT_THAT(error_of([&] { read_truth(folder / "unknown.parquet", table); }),
              HasSubstr("knows no true labels"));
}

TEST(Rankings, AreComparedOnWhatTheyShare) {
  const test::TemporaryFolder folder;
  const auto ours = test::write_scores(folder / "ours.parquet", [] {
    std::vector<ScoreRow> rows;
    const auto table = small_table();
    for (std::uint32_t i = 0; i < table.size(); ++i) rows.push_back(table.row(i));
    return rows;
  }());
  // cleanlab's label quality: low is suspect. Here it finds both errors first.
  const auto theirs =
      folder.write("cleanlab.csv", "sample_id,label_quality\n1,0.1\n3,0.2\n2,0.7\n4,0.8\n5,0.9\n77,0\n");
  const auto first = read_ranking(ours, {}), second = read_ranking(theirs, {});
  EXPECT_THAT(second.note, HasSubstr("turned round"));
  const auto result = compare_rankings(first, second, {});
  EXPECT_EQ(result.shared, 5U);
  EXPECT_EQ(result.known, 5U);
  EXPECT_EQ(result.wrong, 2U);
  EXPECT_DOUBLE_EQ(result.auroc->first, 5.0 / 6);
  EXPECT_DOUBLE_EQ(result.auroc->second, 1);
  EXPECT_NEAR(result.spearman.value(), 0.9, 1e-12);  // ranks 1 2 3 4 5 and 1 3 2 4 5: 1 − 6·2/120
  EXPECT_DOUBLE_EQ(result.second_precision.value(), 1);
  EXPECT_THAT(error_of([&] { read_ranking(folder.write("x.csv", "sample_id,a\n1,2\n"), {}); }),
              HasSubstr("no column label_quality"));
  EXPECT_EQ(read_ranking(folder / "x.csv", "a").scores.at(1), 2);
}

}  // namespace
}  // namespace procsim::curate
