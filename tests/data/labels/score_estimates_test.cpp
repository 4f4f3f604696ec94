#include "data/labels/score_estimates.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "tests/support/errors.hpp"

namespace procsim {
namespace {

using Json = nlohmann::ordered_json;
using test::error_of;
using ::testing::HasSubstr;

const char* const kText = R"({"noise_rate":{"rate":0.25,"low":0.125,"high":0.5,"leaning":true},)"
                          R"("by_class":[{"label":2,"wrong":1.5,"low":0.5,"high":3.0}],)"
                          R"("by_pair":[{"given":2,"suggested":0,"wrong":1.0,"low":0.25,"high":2.5}]})";

const ScoreEstimates kEstimates{{0.25, 0.125, 0.5, true}, {{2, {1.5, 0.5, 3}}}, {{2, 0, {1, 0.25, 2.5}}}};

ScoreEstimates parse(const std::string& text) {
  return score_estimates_from_json(Json::parse(text), 3, "s.parquet");
}

TEST(ScoreEstimates, AreWrittenAsTheFormatSays) {
  EXPECT_EQ(to_json(kEstimates).dump(), kText);
  EXPECT_EQ(to_json(WrongRate{0.25, 0.125, 0.5, false}).dump(), R"({"rate":0.25,"low":0.125,"high":0.5})");
  EXPECT_EQ(
      to_json(WrongRate{0.25, 0.125, 0.5, false, {{0.125, 0.5}}, true}).dump(),
      R"({"rate":0.25,"low":0.125,"high":0.5,"readings":{"low":0.125,"high":0.5},"audit_decides":true})");
}

TEST(ScoreEstimates, SayWhenOnlyAnAuditDecides) {
  EXPECT_EQ(audit_note({0.02, 0.01, 0.2}), "");
  EXPECT_THAT(audit_note({0.05, 0.02, 0.2, false, {{0.05, 0.19}}, true}), HasSubstr("between 2 and 20 %"));
}

TEST(ScoreEstimates, AreReadAsTheFormatSays) {
  EXPECT_EQ(parse(kText), kEstimates);
  const auto rate_only = parse(R"({"noise_rate":{"rate":0.25,"low":0.125,"high":0.5}})");
  EXPECT_EQ(rate_only, (ScoreEstimates{{0.25, 0.125, 0.5, false}, {}, {}}));
  const auto two = parse(
      R"({"noise_rate":{"rate":0.25,"low":0,"high":0.5,"readings":{"low":0.125,"high":0.5},"audit_decides":true}})");
  EXPECT_EQ(two.noise_rate, (WrongRate{0.25, 0, 0.5, false, {{0.125, 0.5}}, true}));
}

TEST(ScoreEstimates, WhatCannotBeMeantIsRefusedWithTheFile) {
  const auto error = [](const std::string& from, const std::string& to) {
    std::string text = kText;
    text.replace(text.find(from), from.size(), to);
    return error_of([&] { parse(text); });
  };
  EXPECT_THAT(error("\"rate\"", "\"estimate\""), HasSubstr("s.parquet: the estimates in its metadata"));
  EXPECT_THAT(error("0.25,\"low\"", "\"much\",\"low\""), HasSubstr("damaged"));
  EXPECT_THAT(error("\"high\":0.5", "\"high\":1.5"), HasSubstr("in noise_rate"));
  EXPECT_THAT(error("\"low\":0.125", "\"low\":0.3"), HasSubstr("in noise_rate"));
  EXPECT_THAT(error("\"high\":2.5", "\"high\":0.5"), HasSubstr("in by_pair"));
  EXPECT_THAT(error("\"label\":2", "\"label\":3"), HasSubstr("class 3, but it has 3 classes"));
  EXPECT_THAT(error("\"suggested\":0", "\"suggested\":-1"), HasSubstr("class -1"));
}

}  // namespace
}  // namespace procsim
