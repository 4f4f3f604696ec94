#include "curate/evidence/evaluation.hpp"

#include <gtest/gtest.h>

#include "tests/curate/birds_with_truth.hpp"
#include "tests/support/test_files.hpp"

namespace procsim::curate {
namespace {

using test::bird_table;
using test::families;
using test::scored;
using test::small_table;
using test::with_truth;

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
  EXPECT_DOUBLE_EQ(quality.suggestion_accuracy.value(), 0.5);
  ASSERT_EQ(quality.by_kinship.size(), 2U);
  EXPECT_EQ(quality.by_kinship[0].name, "siblings");
  EXPECT_DOUBLE_EQ(quality.by_kinship[0].auroc.value(), 1);
  EXPECT_EQ(quality.by_kinship[1].name, "strangers");
  EXPECT_DOUBLE_EQ(quality.by_kinship[1].auroc.value(), 2.0 / 3);
  EXPECT_EQ(quality.by_distance.size(), 2U);
  EXPECT_TRUE(evaluate(table, truth_in(table), {}).by_kinship.empty());
}

TEST(Evaluation, OfProbabilitiesThatDecisionsCalibrated) {
  const auto table = small_table();
  const auto truth = truth_in(table);
  std::vector<double> probabilities(table.size(), 0);
  for (std::uint32_t row = 0; row < table.size(); ++row)
    probabilities[row] = truth.labels[row] == table.labels()[row] ? 0 : 1;
  const auto before = evaluate(table, truth, families());
  const auto quality = evaluate(table, truth, families(), probabilities);
  EXPECT_DOUBLE_EQ(quality.brier, 0);
  EXPECT_DOUBLE_EQ(quality.calibration_error, 0);
  EXPECT_DOUBLE_EQ(quality.f1, 1);
  EXPECT_DOUBLE_EQ(quality.auroc.value(), before.auroc.value()) << "the order is the scores'";
}

// Of two images of no class one comes before both others by p_none, the other between them: 3 of 4 pairs.
TEST(Evaluation, MeasuresHowImagesOfNoClassAreFound) {
  std::vector<ScoreRow> rows{
      with_truth(scored(1, 0, 1, 0.9), kNoneOfThese), with_truth(scored(2, 0, 1, 0.8), 1),
      with_truth(scored(3, 0, 4, 0.2), kNoneOfThese), with_truth(scored(4, 3, 4, 0.1), 3)};
  const auto unjudged = bird_table(rows);
  EXPECT_EQ(evaluate(unjudged, truth_in(unjudged), families()).none, 2U);
  EXPECT_FALSE(evaluate(unjudged, truth_in(unjudged), families()).none_auroc);
  const float p_none[] = {0.7F, 0.3F, 0.2F, 0.01F};
  for (std::size_t i = 0; i < rows.size(); ++i) rows[i].p_none = p_none[i];
  const auto table = bird_table(rows);
  const auto quality = evaluate(table, truth_in(table), families());
  EXPECT_EQ(quality.wrong, 3U) << "their labels are wrong";
  EXPECT_DOUBLE_EQ(quality.none_auroc.value(), 3.0 / 4);
  EXPECT_DOUBLE_EQ(quality.none_average_precision.value(), (1.0 + 2.0 / 3) / 2);
  EXPECT_EQ(to_json(quality)["none_of_these"]["samples"], 2);
  EXPECT_FALSE(
      to_json(evaluate(small_table(), truth_in(small_table()), families())).contains("none_of_these"));
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
  const auto result = compare_rankings(first, second, {});
  EXPECT_EQ(result.shared, 5U);
  EXPECT_EQ(result.known, 5U);
  EXPECT_EQ(result.wrong, 2U);
  EXPECT_DOUBLE_EQ(result.auroc->first, 5.0 / 6);
  EXPECT_DOUBLE_EQ(result.auroc->second, 1);
  EXPECT_NEAR(result.spearman.value(), 0.9, 1e-12);  // ranks 1 2 3 4 5 and 1 3 2 4 5: 1 − 6·2/120
  EXPECT_DOUBLE_EQ(result.second_precision.value(), 1);
}

}  // namespace
}  // namespace procsim::curate
