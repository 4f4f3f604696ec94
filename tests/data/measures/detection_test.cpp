#include "data/measures/detection.hpp"

#include <cmath>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "tests/support/test_files.hpp"

namespace procsim {
namespace {

// Made by make_expected.py with scikit-learn, SciPy and statsmodels.
nlohmann::json expected() {
  return nlohmann::json::parse(test::read_all(test::source_folder() / "tests/data/measures/expected.json"));
}

using Numbers = std::vector<double>;
using Flags = std::vector<std::uint8_t>;

TEST(DetectionMetrics, AgreeWithScikitLearnTiesIncluded) {
  for (const auto values = expected(); const auto& item : values["detection"]) {
    const auto scores = item["scores"].get<Numbers>(), probabilities = item["probabilities"].get<Numbers>();
    const auto wrong = item["wrong"].get<Flags>();
    EXPECT_NEAR(auroc(scores, wrong).value(), item["auroc"], 1e-12);
    EXPECT_NEAR(average_precision(scores, wrong).value(), item["average_precision"], 1e-12);
    const auto ranking = rank_detection(scores, wrong);
    EXPECT_EQ(ranking.auroc, auroc(scores, wrong));
    EXPECT_EQ(ranking.average_precision, average_precision(scores, wrong));
    EXPECT_NEAR(brier_score(probabilities, wrong), item["brier"], 1e-12);
    const auto bins = reliability(probabilities, wrong, 10);
    ASSERT_EQ(bins.size(), item["reliability_observed"].size());
    for (std::size_t i = 0; i < bins.size(); ++i) {
      EXPECT_NEAR(bins[i].observed, item["reliability_observed"][i], 1e-12);
      EXPECT_NEAR(bins[i].predicted, item["reliability_predicted"][i], 1e-12);
    }
  }
}

TEST(DetectionMetrics, AreEmptyWhereOneSideIsMissing) {
  const Numbers scores{1, 2};
  EXPECT_FALSE(auroc(scores, Flags{0, 0}));
  EXPECT_FALSE(auroc(scores, Flags{1, 1}));
  EXPECT_FALSE(average_precision(scores, Flags{0, 0}));
  EXPECT_DOUBLE_EQ(average_precision(scores, Flags{1, 1}).value(), 1);
  EXPECT_FALSE(auroc({}, {}));
}

TEST(DetectionMetrics, PrecisionAndRecallCountFromTheTop) {
  const Flags ranked{1, 1, 0, 1, 0};
  const std::vector<std::size_t> ranks{1, 3, 100, 0};
  const auto at = precision_recall_at(ranked, ranks);
  ASSERT_EQ(at.size(), 3U);
  EXPECT_DOUBLE_EQ(at[0].precision, 1);
  EXPECT_DOUBLE_EQ(at[0].recall, 1.0 / 3);
  EXPECT_DOUBLE_EQ(at[1].precision, 2.0 / 3);
  EXPECT_DOUBLE_EQ(at[1].recall, 2.0 / 3);
  EXPECT_EQ(at[2].k, 5U);
  EXPECT_DOUBLE_EQ(at[2].recall, 1);
}

TEST(DetectionMetrics, CalibrationErrorWeighsBinsByTheirCounts) {
  // 3 samples at 0.15 of which one is wrong, 1 sample at 0.95 that is wrong: (3·|1/3 − 0.15| + 1·|1 − 0.95|)
  // / 4.
  const Numbers probabilities{0.15, 0.15, 0.15, 0.95};
  const auto bins = reliability(probabilities, Flags{1, 0, 0, 1}, 10);
  EXPECT_NEAR(expected_calibration_error(bins), (3 * (1.0 / 3 - 0.15) + 0.05) / 4, 1e-12);
  EXPECT_EQ(reliability(Numbers{1.0}, Flags{1}, 10).at(0).high, 1.0);
}

TEST(CompareAuroc, AgreesWithDeLongByItsDefinition) {
  const auto item = expected()["delong"];
  const auto first = item["first"].get<Numbers>(), second = item["second"].get<Numbers>();
  const auto result = compare_auroc(first, second, item["wrong"].get<Flags>()).value();
  EXPECT_NEAR(result.first, item["areas"][0], 1e-12);
  EXPECT_NEAR(result.second, item["areas"][1], 1e-12);
  EXPECT_NEAR(result.low, item["low"], 1e-9);
  EXPECT_NEAR(result.high, item["high"], 1e-9);
  EXPECT_NEAR(result.p_value, item["p_value"], 1e-9);
  EXPECT_NEAR(spearman(first, second).value(), item["spearman"], 1e-12);
}

TEST(CompareAuroc, ARankingDoesNotDifferFromItself) {
  const Numbers scores{1, 2, 3, 4, 5, 6};
  const auto result = compare_auroc(scores, scores, Flags{0, 1, 0, 1, 0, 1}).value();
  EXPECT_DOUBLE_EQ(result.difference, 0);
  EXPECT_DOUBLE_EQ(result.p_value, 1);
  EXPECT_FALSE(spearman(scores, Numbers(6, 2.0)));
}

TEST(Detection, CountsTheErrorsAmongAsManyTopSamples) {
  const std::vector<double> suspicion{0.1, 0.9, 0.8, 0.2};
  const std::vector<std::uint8_t> wrong{1, 1, 0, 0};
  EXPECT_DOUBLE_EQ(rank_detection(suspicion, wrong).precision_at_errors, 0.5);
}

TEST(Detection, IsNotANumberWithoutErrors) {
  const std::vector<double> suspicion{0.1, 0.9};
  EXPECT_TRUE(std::isnan(rank_detection(suspicion, std::vector<std::uint8_t>{0, 0}).auroc));
  EXPECT_TRUE(std::isnan(rank_detection(suspicion, std::vector<std::uint8_t>{1, 1}).auroc));
  EXPECT_DOUBLE_EQ(rank_detection(suspicion, std::vector<std::uint8_t>{1, 1}).average_precision, 1);
}

TEST(Detection, CountsGivePrecisionRecallAndF1) {
  DetectionCounts counts;
  counts.add(true, true);
  counts.add(true, false);
  counts.add(true, false);
  counts.add(false, true);
  EXPECT_DOUBLE_EQ(counts.precision(), 1.0 / 3);
  EXPECT_DOUBLE_EQ(counts.recall(), 0.5);
  EXPECT_DOUBLE_EQ(counts.f1(), 0.4);
  EXPECT_DOUBLE_EQ(DetectionCounts{}.f1(), 0);
}

}  // namespace
}  // namespace procsim
