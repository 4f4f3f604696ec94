#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/curate/exchange/exchange_fixture.hpp"
#include "tests/support/errors.hpp"

namespace procsim::curate {
namespace {

using test::error_of;
using ::testing::HasSubstr;
using ::testing::StartsWith;

TEST_F(Exchange, LabelStudioTasksCarryTheSuggestion) {
  const auto tasks = exported(ExchangeFormat::kLabelStudio);
  ASSERT_EQ(tasks.size(), 3U);
  EXPECT_EQ(tasks[0]["data"]["image"], "pre/0/1.jpg");
  EXPECT_EQ(tasks[0]["data"]["sample_id"], 1);
  EXPECT_EQ(tasks[0]["data"]["given_label"], "Herring Gull");
  EXPECT_EQ(tasks[0]["predictions"][0]["score"], 0.9);
  EXPECT_EQ(tasks[0]["predictions"][0]["result"][0]["value"]["choices"][0], "Western Gull");
  EXPECT_EQ(tasks[0]["predictions"][0]["result"][0]["from_name"], "label");
}

TEST_F(Exchange, ASuspectWithoutASuggestionIsNotPredicted) {
  report_.cards[0].suggested = kUnlabelled;
  EXPECT_FALSE(exported(ExchangeFormat::kLabelStudio)[0].contains("predictions"));
}

TEST_F(Exchange, TheConfigurationHasAChoiceForEachClassAndTwoMore) {
  report_.classes[5] = "Owl <\"snowy\">";
  const auto config = label_studio_config(report_);
  EXPECT_THAT(config, HasSubstr("<Choice value=\"Arctic Tern\"/>"));
  EXPECT_THAT(config, HasSubstr("<Choice value=\"Owl &lt;&quot;snowy&quot;&gt;\"/>"));
  EXPECT_THAT(config, HasSubstr(kNoneChoice));
  EXPECT_THAT(config, HasSubstr(kAmbiguousChoice));
}

TEST_F(Exchange, DatumaroItemsCarryTheGivenLabel) {
  const auto document = exported(ExchangeFormat::kDatumaro);
  EXPECT_EQ(document["infos"]["label_set"], "label set");
  EXPECT_EQ(document["categories"]["label"]["labels"].size(), 6U);
  EXPECT_EQ(document["items"][0]["id"], "pre/0/1");
  EXPECT_EQ(document["items"][0]["image"]["path"], "pre/0/1.jpg");
  EXPECT_EQ(document["items"][0]["annotations"][0]["label_id"], 0);
  EXPECT_EQ(document["items"][0]["annotations"][0]["attributes"]["suggested"], "Western Gull");
}

TEST_F(Exchange, FiftyOneLabelsAreNamedByThePathWithoutItsExtension) {
  const auto document = exported(ExchangeFormat::kFiftyOne);
  EXPECT_EQ(document["classes"][5], "Snowy Owl");
  const auto& label = document["labels"]["pre/2/3"];
  EXPECT_EQ(label["label"], "Arctic Tern");
  EXPECT_EQ(label["attributes"]["suggested"], "Snowy Owl");
  EXPECT_EQ(label["attributes"]["mistakenness"], 0.7);
}

TEST_F(Exchange, CsvHasColumnsToFillIn) {
  const auto text = export_suspects(report_, ExchangeFormat::kCsv, "");
  EXPECT_THAT(text, StartsWith("sample_id,path,label_name,suggested_name,p_mislabelled,why,verdict,new_label,"
                               "node,reviewer\n1,0/1.jpg,Herring Gull,Western Gull,0.9,"));
  EXPECT_THAT(text, HasSubstr("easily confused.\",,,,\n2,"));
}

TEST_F(Exchange, FormatsAreKnownByName) {
  for (const auto& name : exchange_format_names())
    EXPECT_EQ(to_string(exchange_format_from_string(name)), name);
  EXPECT_THAT(error_of([] { exchange_format_from_string("datumarro"); }),
              HasSubstr("did you mean 'datumaro'"));
  EXPECT_THAT(error_of([&] { export_suspects(report_, ExchangeFormat::kDecisions, ""); }),
              HasSubstr("cannot be exported as decisions"));
}

}  // namespace
}  // namespace procsim::curate
