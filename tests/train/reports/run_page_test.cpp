#include "train/reports/run_page.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/train/two_epochs.hpp"

namespace procsim::train {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

TEST(RunPage, ShowsTheRunAndEscapesNames) {
  TrainData data;
  data.info.dataset = "a<b>";
  const auto page = run_page("run & co", TrainConfig{}, data, two_epochs());
  EXPECT_THAT(page, HasSubstr("run &amp; co"));
  EXPECT_THAT(page, HasSubstr("a&lt;b&gt;"));
  EXPECT_THAT(page, Not(HasSubstr("a<b>")));
  EXPECT_THAT(page, HasSubstr("label wrong"));
  EXPECT_THAT(page, HasSubstr("40.0 % at the start, 50.0 % last"));
  EXPECT_THAT(page, Not(HasSubstr("http"))) << "a page needs nothing from elsewhere";
}

TEST(RunPage, WorksBeforeTheFirstEpoch) {
  const std::vector<EpochRecord> none;
  EXPECT_THAT(run_page("r", TrainConfig{}, TrainData{}, none), HasSubstr("</html>"));
}

}  // namespace
}  // namespace procsim::train
