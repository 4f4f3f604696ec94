#include "train/reports/epoch_meter.hpp"

#include <cmath>

#include <gtest/gtest.h>

#include "data/base/error.hpp"

namespace procsim::train {
namespace {

using Kind = Quantity::Kind;
using Meaning = Quantity::Meaning;

const std::vector<Quantity> kQuantities{{.name = "doubt", .title = "", .meaning = Meaning::kSuspicion},
                                        {.name = "weight", .title = "", .meaning = Meaning::kTrust},
                                        {.name = "margin", .title = "", .kind = Kind::kScalar},
                                        {.name = "kept", .title = "", .meaning = Meaning::kKept}};

StepOutcome outcome(double objective, std::vector<double> doubt, std::vector<double> kept) {
  StepOutcome made;
  made.objective = objective;
  made.columns = {{"doubt", doubt}, {"weight", std::vector<double>(doubt.size(), 0.5)}, {"kept", kept}};
  return made;
}

// Samples 1 and 3 of five are wrong; the second step sees sample 3 again, and nobody ever sees sample 4.
EpochMeter two_steps() {
  EpochMeter meter(kQuantities, 5, {0, 1, 0, 1, 0});
  auto first = outcome(1, {0.1, 3, 0.5}, {1, 0, 1});
  first.scalars = {{"margin", 0.25}};
  meter.add(std::vector<std::int64_t>{0, 1, 2}, first);
  meter.add(std::vector<std::int64_t>{3, 0, 3}, outcome(2, {2, 0.75, 4}, {1, 0, 0}));
  return meter;
}

TEST(EpochMeter, AveragesStepsSamplesAndWhatOnlySomeStepsHad) {
  auto meter = two_steps();
  EpochRecord record;
  meter.finish(record);
  std::vector<std::string> names;
  for (const auto& [name, value] : record.metrics) names.push_back(name);
  EXPECT_EQ(names, (std::vector<std::string>{"loss", "doubt", "weight", "margin", "kept", "doubted",
                                             "doubted_rightly", "detection_precision", "detection_recall",
                                             "detection_f1", "detection_auroc", "detection_ap",
                                             "detection_p_at_errors", "weight_of_right", "weight_of_wrong"}));
  EXPECT_EQ(*record.find("loss"), 1.5);
  EXPECT_DOUBLE_EQ(*record.find("doubt"), (0.1 + 3 + 0.5 + 2 + 0.75 + 4) / 6);
  EXPECT_EQ(*record.find("margin"), 0.25) << "of the one step that had it";
  EXPECT_EQ(*record.find("kept"), 0.5);
}

TEST(EpochMeter, HoldsWhatIsDoubtedAgainstTheTruth) {
  auto meter = two_steps();
  EpochRecord record;
  meter.finish(record);
  // Doubted: 1 (wrong), 0 (right), 3 (wrong); believed: 0, 2 (right), 3 (wrong).
  EXPECT_DOUBLE_EQ(*record.find("detection_precision"), 2.0 / 3);
  EXPECT_DOUBLE_EQ(*record.find("detection_recall"), 2.0 / 3);
  EXPECT_EQ(*record.find("detection_auroc"), 1) << "3 and 4 above 0.75 and 0.5";
  ASSERT_NE(record.histogram("doubt"), nullptr);
  EXPECT_EQ(record.histogram("doubt")->to, 4);
  EXPECT_EQ(record.histogram("weight")->to, 1);
  EXPECT_EQ(record.histogram("margin"), nullptr);
  std::int64_t wrong = 0;
  for (const auto count : record.histogram("doubt")->noisy) wrong += count;
  EXPECT_EQ(wrong, 2) << "each sample once";
}

TEST(EpochMeter, CountsEveryDoubtedLabelOnceAsItWasSeenLast) {
  auto meter = two_steps();
  EpochRecord record;
  meter.finish(record);
  EXPECT_EQ(*record.find("doubted"), 3) << "samples 0, 1 and 3; nobody has seen 4";
  EXPECT_EQ(*record.find("doubted_rightly"), 2);
}

TEST(EpochMeter, SaysNothingOfATruthThatNobodyKnows) {
  EpochMeter meter(kQuantities, 2, {});
  meter.add(std::vector<std::int64_t>{0, 1}, outcome(1, {1, 2}, {1, 0}));
  EpochRecord record;
  meter.finish(record);
  EXPECT_EQ(record.find("detection_auroc"), nullptr);
  EXPECT_EQ(record.find("detection_precision"), nullptr);
  EXPECT_EQ(*record.find("doubted"), 1);
  EXPECT_EQ(record.find("doubted_rightly"), nullptr);
}

TEST(EpochMeter, RemembersTheLastValueOfEverySample) {
  const auto meter = two_steps();
  const auto doubt = meter.last_seen(Meaning::kSuspicion);
  ASSERT_EQ(doubt.size(), 5U);
  EXPECT_EQ(doubt[0], 0.75F);
  EXPECT_EQ(doubt[3], 4);
  EXPECT_TRUE(std::isnan(doubt[4]));
  EXPECT_TRUE(EpochMeter({}, 5, {}).last_seen(Meaning::kTrust).empty());
}

TEST(EpochMeter, TellsTheWeightOfRightLabelsFromThatOfWrongOnes) {
  EpochMeter meter(kQuantities, 4, {0, 1, 0, 1});
  StepOutcome step;
  step.columns = {{"doubt", {1, 2, 3, 4}}, {"weight", {1, 0.5, 0.75, 0}}, {"kept", {1, 1, 1, 0}}};
  meter.add(std::vector<std::int64_t>{0, 1, 2, 3}, step);
  EpochRecord record;
  meter.finish(record);
  EXPECT_DOUBLE_EQ(*record.find("weight_of_right"), 0.875);
  EXPECT_DOUBLE_EQ(*record.find("weight_of_wrong"), 0.25);
}

TEST(EpochMeter, WhatIsSaidOfTheWholeSetCountsOnceAndIsNoStep) {
  EpochMeter meter(kQuantities, 3, {0, 1, 0});
  meter.add_set({{"doubt", {0.5, 4, 1.5}}, {"kept", {1, 0, 1}}});
  StepOutcome step;
  step.objective = 6;
  meter.add(std::vector<std::int64_t>{0, 2}, step);
  EpochRecord record;
  meter.finish(record);
  EXPECT_EQ(*record.find("loss"), 6);
  EXPECT_EQ(*record.find("doubt"), 2);
  EXPECT_EQ(*record.find("detection_f1"), 1) << "sample 1, which no step has seen, is doubted rightly";
  EXPECT_EQ(meter.last_seen(Meaning::kSuspicion)[1], 4);
}

TEST(EpochMeter, StartsANewEpochWithEmptySums) {
  auto meter = two_steps();
  EpochRecord record;
  meter.finish(record);
  EXPECT_TRUE(meter.means().empty());
  EXPECT_EQ(meter.last_seen(Meaning::kSuspicion)[1], 3) << "what was seen stays";
}

TEST(EpochMeter, GoesOnFromWhatItSaved) {
  auto whole = two_steps();
  EpochMeter restored(kQuantities, 5, {0, 1, 0, 1, 0});
  restored.restore(nlohmann::ordered_json::parse(whole.sums().dump()), whole.columns(), "last.safetensors");
  EpochRecord a, b;
  whole.finish(a);
  restored.finish(b);
  EXPECT_EQ(to_json(a).dump(), to_json(b).dump());
}

TEST(EpochMeter, RefusesWhatBelongsToOtherSamples) {
  auto whole = two_steps();
  EpochMeter other(kQuantities, 6, {});
  EXPECT_THROW(other.restore(whole.sums(), whole.columns(), "x"), Error);
  EpochMeter another({{.name = "loss_of_mine", .title = ""}}, 5, {});
  EXPECT_THROW(another.restore(whole.sums(), whole.columns(), "x"), Error);
}

}  // namespace
}  // namespace procsim::train
