#include "curate/evidence/calibration.hpp"

#include <cmath>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "tests/support/test_files.hpp"

namespace procsim::curate {
namespace {

// Made by make_expected.py with SciPy.
nlohmann::json expected() {
  return nlohmann::json::parse(
      test::read_all(test::source_folder() / "tests/curate/evidence/expected_calibration.json"));
}

TEST(Calibration, FindsTheMaximumThatAGeneralOptimiserFinds) {
  const auto item = expected();
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

// One label that was kept, of log odds 13.8, counts as one of L = log(0.995 / 0.005). At the maximum
// slope = 1 − q L / 4 and shift = offset = −q, with q the probability there: q = σ(L (1 − q L / 4) − 2 q).
TEST(Calibration, NoLabelCountsAsSurerThanPeopleAre) {
  const double sure = std::log(0.995 / 0.005);
  double least = 0, most = 1;
  for (int i = 0; i < 100; ++i) {
    const double q = (least + most) / 2;
    (1 / (1 + std::exp(-(sure * (1 - q * sure / 4) - 2 * q))) > q ? least : most) = q;
  }
  const std::vector<CalibrationCase> cases{{1.0, 3, false}};
  const auto fitted = Calibration::fit(cases);
  EXPECT_NEAR(fitted.slope(), 1 - least * sure / 4, 1e-6);
  EXPECT_NEAR(fitted.shift(), -least, 1e-6);
  EXPECT_NEAR(fitted.offset(3), -least, 1e-6);
  // Beyond L the slope takes no more away.
  const double odds = std::log(0.9999 / 0.0001) - least * sure * sure / 4 - least;
  EXPECT_NEAR(fitted(0.9999, 5), 1 / (1 + std::exp(-odds)), 1e-6);
}

// Of ten suspects that the scores are sure of, nine are wrong: the others stay far more suspect than not.
TEST(Calibration, OneSureSuspectThatWasKeptDoesNotClearTheOthers) {
  std::vector<CalibrationCase> cases;
  for (std::uint64_t i = 0; i < 10; ++i) cases.push_back({1 - 1e-6, i, i != 4});
  const auto fitted = Calibration::fit(cases);
  EXPECT_GT(fitted(1 - 1e-6, 99), 0.99);
  EXPECT_GT(fitted(0.99, 99), 0.8);
}

TEST(Calibration, TheOrderWithoutOffsetsIsThatOfTheCalibratedProbabilities) {
  std::vector<CalibrationCase> cases;
  for (int i = 0; i < 30; ++i) cases.push_back({0.9, 1, i % 3 != 0});
  for (int i = 0; i < 10; ++i) cases.push_back({0.95, 2, false});
  const auto fitted = Calibration::fit(cases);
  EXPECT_NE(fitted.offset(1), 0);
  for (const double p : {0.0001, 0.3, 0.97, 0.9999})
    for (const std::uint64_t pair : {1, 2, 7}) {
      const double odds = fitted.log_odds_without_offset(p, pair);
      EXPECT_NEAR(fitted(1 / (1 + std::exp(-odds)), 7), fitted(p, pair), 1e-9) << p << " " << pair;
    }
  EXPECT_NEAR(fitted.log_odds_without_offset(0.3, 7), log_odds(0.3), 1e-12) << "no offset: its own";
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
}  // namespace procsim::curate
