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

TEST(ComparePage, ShowsAllOfASingleRunAndNothingOfNone) {
  const std::vector<ComparedRun> one{{"only", "ms", "", {epoch(1, {{"kept", 1}})}}};
  EXPECT_THAT(compare_page(one), HasSubstr("kept"));
  EXPECT_THAT(compare_page({}), HasSubstr("</html>"));
}

}  // namespace
}  // namespace procsim::train
