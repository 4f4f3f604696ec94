#include "curate/metrics.hpp"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "curate/calibration.hpp"
#include "tests/support/test_files.hpp"

namespace procsim {
namespace {

// Made by expected_metrics.py with scikit-learn, SciPy and statsmodels.
nlohmann::json expected() {
  return nlohmann::json::parse(test::read_all(test::source_folder() / "tests/curate/expected_metrics.json"));
}

using Numbers = std::vector<double>;
using Flags = std::vector<std::uint8_t>;

TEST(DetectionMetrics, AgreeWithScikitLearnTiesIncluded) {
  for (const auto values = expected(); const auto& item : values["detection"]) {
    const auto scores = item["scores"].get<Numbers>(), probabilities = item["probabilities"].get<Numbers>();
    const auto wrong = item["wrong"].get<Flags>();
    EXPECT_NEAR(auroc(scores, wrong).value(), item["auroc"], 1e-12);
    EXPECT_NEAR(average_precision(scores, wrong).value(), item["average_precision"], 1e-12);
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

TEST(WilsonInterval, AgreesWithStatsmodels) {
  for (const auto values = expected(); const auto& item : values["wilson"]) {
    const auto interval = wilson_interval(item["successes"], item["trials"]);
    EXPECT_NEAR(interval.low, item["interval"][0], 1e-9);
    EXPECT_NEAR(interval.high, item["interval"][1], 1e-9);
  }
  EXPECT_EQ(wilson_interval(0, 0).high, 1);
}

TEST(Calibration, FindsTheMaximumThatAGeneralOptimiserFinds) {
  const auto item = expected()["calibration"];
  std::vector<CalibrationCase> cases;
  for (std::size_t i = 0; i < item["pair"].size(); ++i)
    cases.push_back({item["probability"][i], item["pair"][i], item["wrong"][i] == 1});
  const auto fitted = Calibration::fit(cases);
  EXPECT_NEAR(fitted.slope(), item["slope"], 1e-5);
  EXPECT_NEAR(fitted.shift(), item["shift"], 1e-5);
  for (std::size_t pair = 0; pair < 5; ++pair) EXPECT_NEAR(fitted.offset(pair), item["offsets"][pair], 1e-5);
}

TEST(Calibration, WithoutCasesChangesNothing) {
  const auto fitted = Calibration::fit({});
  for (const double p : {0.01, 0.3, 0.999}) EXPECT_NEAR(fitted(p, 5), p, 1e-12);
}

TEST(Calibration, StaysFiniteForCertainProbabilitiesThatWereWrong) {
  std::vector<CalibrationCase> cases;
  for (int i = 0; i < 50; ++i) cases.push_back({1.0, 1, false});
  for (int i = 0; i < 50; ++i) cases.push_back({0.0, 2, true});
  const auto fitted = Calibration::fit(cases);
  EXPECT_GT(fitted.slope(), 0);
  EXPECT_GT(fitted(0.5, 2), fitted(0.5, 1));
  EXPECT_TRUE(fitted(1.0, 1) >= 0 && fitted(1.0, 1) <= 1);
}

}  // namespace
}  // namespace procsim
