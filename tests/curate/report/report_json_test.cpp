#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "curate/report/report.hpp"

namespace procsim::curate {
namespace {

// Every field has a value of its own.
Report full_report() {
  Report report;
  report.dataset = "birds";
  report.source = {"noisy", "digest", "scores digest", {}};
  report.classes = {"Gull", "Tern"};
  report.tree = {{"bird", "bird.n.01", -1, -1}, {"Gull", "", 0, 0}};
  auto& summary = report.summary;
  summary.samples = 40;
  summary.suspects = 7;
  summary.noise = {0.25, 0.125, 0.5, EstimateMethod::kScoresFile, 0, true};
  summary.effort = {{0.95, 12}};
  summary.curve = {0, 0.123456};
  summary.curve_end = 13;
  summary.suspects_by_kinship = {{Kinship::kSiblings, 3}, {Kinship::kStrangers, 2}, {Kinship::kSame, 9}};
  ClassCount gulls;
  gulls.label = 0;
  gulls.samples = 30;
  gulls.suspects = 4;
  gulls.wrong = 5.5;
  summary.classes = {gulls};
  PairCount pair;
  pair.given = 0;
  pair.suggested = 1;
  pair.suspects = 6;
  pair.wrong = 4.5;
  pair.low = 2.5;
  pair.high = 8.5;
  pair.relation.kinship = Kinship::kSiblings;
  summary.pairs = {pair};
  summary.families = {{0, 2, 31, 6.5, 3.5}};
  return report;
}

const char* const kSummary =
    R"({"samples":40,"suspects":7,"judged":0,"confirmed":0,"next_hundred":0.0,"noise":{"rate":0.25,"low":0.125,"high":0.5,"level":90,"count":10,)"
    R"("count_low":5,"count_high":20,"method":"scores file","leaning":true,"audited":0,"needs_audit":true,)"
    R"("cards_to_know":60},)"
    R"("effort":[{"share":0.95,"review":12}],"curve":[0.0,0.1235],"curve_end":13,)"
    R"("kinship":{"siblings":3,"relatives":0,"strangers":2,"unknown":0},)"
    R"("classes":[{"label":0,"name":"Gull","samples":30,"wrong":5.5,"suspects":4}],)"
    R"("pairs":[{"given":0,"suggested":1,"given_name":"Gull","suggested_name":"Tern","suspects":6,)"
    R"("wrong":4.5,"kinship":"siblings","low":2.5,"high":8.5}],)"
    R"("families":[{"node":0,"name":"bird","classes":2,"samples":31,"wrong":6.5,"within":3.5}]})";

TEST(ReportJson, IsWhatThePageReads) {
  std::string expected = R"({"format":"curate-report/1","dataset":"birds","labels":"noisy",)"
                         R"("label_set":"digest","scores":"scores digest","classes":["Gull","Tern"],)"
                         R"("tree":[{"name":"bird","id":"bird.n.01","parent":-1,"label":-1},)"
                         R"({"name":"Gull","id":"","parent":0,"label":0}],"summary":)";
  expected += kSummary;
  expected += R"(,"cards":[]})";
  EXPECT_EQ(to_json(full_report()).dump(), expected);
  EXPECT_EQ(summary_json(full_report()).dump(), kSummary);
}

TEST(ReportJson, HasImagesAndAServerWhereTheReportHas) {
  Report report;
  report.cards.emplace_back();
  report.thumbnails = {{"AAAA", "BBBB"}, {{12, 1}, {-3, 0}}};
  report.server = {"secret", true, false};
  const auto json = to_json(report);
  EXPECT_EQ(json["cards"].size(), 1U);
  EXPECT_EQ(json["images"].dump(), R"(["AAAA","BBBB"])");
  EXPECT_EQ(json["image_of"].dump(), R"({"12":1,"-3":0})");
  EXPECT_EQ(json["server"].dump(), R"({"token":"secret","read_only":true,"images":false})");
}

TEST(ReportJson, ListsAHundredOfEachAtMost) {
  auto report = full_report();
  report.summary.classes.resize(150, report.summary.classes[0]);
  EXPECT_EQ(summary_json(report)["classes"].size(), 100U);
}

}  // namespace
}  // namespace procsim::curate
