#include "train/reports/run_page.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/train/two_epochs.hpp"

namespace procsim::train {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

std::vector<Quantity> quantities() {
  return {{.name = "proxy_loss",
           .title = "proxy loss",
           .meaning = Quantity::Meaning::kSuspicion,
           .marker = "threshold"},
          {.name = "threshold", .title = "τ", .kind = Quantity::Kind::kScalar}};
}

TEST(RunPage, ShowsTheRunAndEscapesNames) {
  TrainData data;
  data.info.dataset = "a<b>";
  data.test.resize(1);
  const auto page = run_page({"run & co", "method <m>", quantities()}, TrainConfig{}, data, two_epochs());
  EXPECT_THAT(page, HasSubstr("run &amp; co"));
  EXPECT_THAT(page, HasSubstr("a&lt;b&gt;"));
  EXPECT_THAT(page, Not(HasSubstr("a<b>")));
  EXPECT_THAT(page, HasSubstr("method &lt;m&gt;"));
  EXPECT_THAT(page, HasSubstr("label wrong"));
  EXPECT_THAT(page, HasSubstr("Retrieval on unseen classes"));
  EXPECT_THAT(page, HasSubstr("40.0 % at the start, 50.0 % last"));
  EXPECT_THAT(page, Not(HasSubstr("http"))) << "a page needs nothing from elsewhere";
}

TEST(RunPage, WorksBeforeTheFirstEpoch) {
  const std::vector<EpochRecord> none;
  EXPECT_THAT(run_page({"r", "m"}, TrainConfig{}, TrainData{}, none), HasSubstr("</html>"));
}

TEST(RunPage, ShowsWhateverAMethodReports) {
  const std::vector<Quantity> own{
      {.name = "margin", .title = "margin of the pairs", .kind = Quantity::Kind::kScalar}};
  auto records = two_epochs();
  records[1].metrics.emplace_back("margin", 0.25);
  const auto page = run_page({"r", "m", own}, TrainConfig{}, TrainData{}, records);
  EXPECT_THAT(page, HasSubstr("margin of the pairs"));
  EXPECT_THAT(page, Not(HasSubstr("proxy loss over the epochs")))
      << "a histogram that this method does not have";
}

TEST(RunPage, ShowsHowManyLabelsAreDoubtedAndWhatRightAndWrongOnesWeigh) {
  const std::vector<Quantity> own{{.name = "trust", .title = "t", .meaning = Quantity::Meaning::kTrust},
                                  {.name = "believed", .title = "b", .meaning = Quantity::Meaning::kKept}};
  auto records = two_epochs();
  records[1].metrics.emplace_back("doubted", 30);
  const auto unknown = run_page({"r", "m", own}, TrainConfig{}, TrainData{}, records);
  EXPECT_THAT(unknown, HasSubstr(">Labels doubted<"));
  EXPECT_THAT(unknown, Not(HasSubstr("of these, wrong indeed"))) << "where the truth is not known";
  records[1].metrics.emplace_back("doubted_rightly", 20);
  records[1].metrics.emplace_back("trust_of_right", 0.9);
  records[1].metrics.emplace_back("trust_of_wrong", 0.1);
  const auto page = run_page({"r", "m", own}, TrainConfig{}, TrainData{}, records);
  for (const char* text :
       {"of these, wrong indeed", ">Weight given to labels<", "right labels", "wrong labels"})
    EXPECT_THAT(page, HasSubstr(text));
}

TEST(RunPage, HasNoHeadingForARetrievalThatNobodyMeasured) {
  const auto page = run_page({"r", "m", quantities()}, TrainConfig{}, TrainData{}, two_epochs());
  EXPECT_THAT(page, Not(HasSubstr("Retrieval on unseen classes")));
}

}  // namespace
}  // namespace procsim::train
