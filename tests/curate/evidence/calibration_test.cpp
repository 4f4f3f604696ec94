#include "curate/evidence/calibration.hpp"

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
