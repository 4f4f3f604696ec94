#include "train/reports/compare_page.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace procsim::train {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

EpochRecord epoch(std::int64_t number, std::vector<std::pair<std::string, double>> metrics) {
  EpochRecord record;
  record.epoch = number;
  record.metrics = std::move(metrics);
  return record;
}

TEST(ComparePage, DrawsALineForEachRunOfWhatTwoReport) {
  const std::vector<ComparedRun> runs{
      {"first",
       "ms",
       "uniform 0.5",
       {epoch(0, {{"recall@1", 0.25}}), epoch(1, {{"recall@1", 0.5}, {"kept", 1}})}},
      {"se<c>ond", "mcl+prism", "uniform 0.5", {epoch(1, {{"recall@1", 0.75}})}}};
  const auto page = compare_page(runs);
  EXPECT_THAT(page, HasSubstr("first (ms)"));
  EXPECT_THAT(page, HasSubstr("se&lt;c&gt;ond (mcl+prism)"));
  EXPECT_THAT(page, HasSubstr("<td>first</td><td>ms</td><td>uniform 0.5</td><td>1</td><td>0.5000</td>"));
  EXPECT_THAT(page, HasSubstr("<td>0.7500</td>"));
  EXPECT_THAT(page, HasSubstr("line-1"));
  EXPECT_THAT(page, Not(HasSubstr("kept"))) << "only one of them reports it";
}

// 2/(1/0.3 + 1/0.6) = 0.4: seeds of a noise are averaged first.
TEST(ComparePage, HasTheHarmonicMeanOverTheColumnsOfNoise) {
  const auto run = [](const std::string& noise, double value) {
    return ComparedRun{"run", "ms", "", {epoch(1, {{"recall@1", value}, {"loss", 5}})}, "birds", noise};
  };
  const std::vector<ComparedRun> seeds{run("uniform 0.5", 0.2), run("uniform 0.5", 0.4)};
  EXPECT_THAT(compare_page(seeds), Not(HasSubstr("Harmonic mean")));
  auto both = seeds;
  both.push_back(run("semantic 0.5", 0.6));
  const auto page = compare_page(both);
  EXPECT_THAT(page, HasSubstr("<td>semantic 0.5, uniform 0.5</td><td>recall@1</td><td>0.4000</td>"));
  EXPECT_THAT(page, Not(HasSubstr("<td>loss</td>"))) << "no mean of what is better when it is small";
}

TEST(ComparePage, ShowsAllOfASingleRunAndNothingOfNone) {
  const std::vector<ComparedRun> one{{"only", "ms", "", {epoch(1, {{"kept", 1}})}}};
  EXPECT_THAT(compare_page(one), HasSubstr("kept"));
  EXPECT_THAT(compare_page({}), HasSubstr("</html>"));
}

}  // namespace
}  // namespace procsim::train
