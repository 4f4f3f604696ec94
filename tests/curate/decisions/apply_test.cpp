#include "curate/decisions/apply.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "data/base/error.hpp"
#include "tests/curate/scored_birds.hpp"
#include "tests/support/errors.hpp"
#include "tests/support/test_files.hpp"

namespace procsim::curate {
namespace {

using test::scored;
using ::testing::HasSubstr;

class Apply : public ::testing::Test {
 protected:
  void SetUp() override {
    for (int i = 0; i < 10; ++i) {
      auto row = scored(i, i % 2, 1 - i % 2, 0.05);
      row.true_label = i < 3 ? 1 - i % 2 : i % 2;  // samples 0, 1, 2 are wrong
      rows_.push_back(row);
    }
    digest_ = test::write_bird_labels(folder_ / "labels.parquet", rows_);
  }

  void say(std::int64_t sample, std::string reviewer, std::string verdict,
           std::optional<std::int64_t> label = {}, std::string node = {}, std::string source = "queue") {
    DecisionRecord record;
    record.sample = sample;
    record.reviewer = std::move(reviewer);
    record.verdict = std::move(verdict);
    record.new_label = label;
    record.new_node = std::move(node);
    record.source = std::move(source);
    log_.add(record);
  }

  ApplyResult apply(const ApplyOptions& options = {}, const ScoreTable* scores = nullptr,
                    std::span<const double> probabilities = {}) {
    ApplyInput input;
    input.labels = folder_ / "labels.parquet";
    input.labels_digest = digest_;
    input.scores = scores;
    input.probabilities = probabilities;
    input.scores_digest = "scores";
    input.decisions = &log_;
    input.decisions_head = "head";
    input.families = &families_;
    return apply_decisions(input, options, folder_ / "out.parquet", IfExists::kReplace, progress_);
  }

  std::map<std::int64_t, std::int32_t> written() {
    std::map<std::int64_t, std::int32_t> labels;
    for (const auto& row : read_label_set(folder_ / "out.parquet").rows) labels[row.sample_id] = row.label;
    return labels;
  }

  test::TemporaryFolder folder_;
  std::vector<ScoreRow> rows_;
  std::string digest_;
  DecisionLog log_;
  Progress progress_;
  ClassFamilies families_{test::bird_taxonomy(), test::bird_classes()};
};

TEST_F(Apply, RefusesASampleThatStandsTwice) {
  rows_.push_back(rows_[4]);
  digest_ = test::write_bird_labels(folder_ / "labels.parquet", rows_);
  EXPECT_THAT(test::error_of([&] { apply(); }), HasSubstr("labels.parquet: sample_id 4 in row 10"));
  EXPECT_FALSE(std::filesystem::exists(folder_ / "out.parquet"));
}

TEST_F(Apply, WritesWhatReviewersDecidedAndWhereItCameFrom) {
  say(0, "ada", "relabel", 1);
  say(1, "ada", "none");
  say(2, "ada", "ambiguous");
  say(3, "ada", "keep");
  say(4, "ada", "parent", {}, "gull.n.01");
  const auto result = apply();
  const auto labels = written();
  EXPECT_EQ(labels.size(), 7U);
  EXPECT_EQ(labels.at(0), 1);
  EXPECT_EQ(labels.at(3), 1);
  EXPECT_FALSE(labels.contains(1));
  EXPECT_FALSE(labels.contains(2));
  EXPECT_FALSE(labels.contains(4));
  EXPECT_EQ(result.counts.relabelled, 1);
  EXPECT_EQ(result.counts.left_out, 3);
  EXPECT_EQ(result.counts.changed, 1);
  const auto set = read_label_set(folder_ / "out.parquet");
  EXPECT_EQ(set.rows[0].true_label, 1) << "truth is carried over";
}

TEST_F(Apply, ProvenanceSaysWhatWasDoneAndFromWhat) {
  rows_[0].p_mislabelled = 0.99F;
  const auto table = test::bird_table(rows_);
  say(3, "ada", "keep");
  ApplyOptions options;
  options.auto_above = 0.5;
  options.min_agreement = 1;
  apply(options, &table);
  auto provenance = read_label_set(folder_ / "out.parquet").info.provenance;
  EXPECT_TRUE(provenance["version"].is_string());
  provenance.erase("version");
  EXPECT_EQ(provenance.dump(),
            R"({"program":"curate","operation":"apply","parent_digest":")" + digest_ +
                R"(","decisions":1,"decisions_head":"head","min_agreement":1,"auto_above":0.5,)"
                R"("auto_action":"relabel","scores_digest":"scores","unresolved":"drop","changed":1,)"
                R"("counts":{"rows":10,"written":10,"confirmed":1,"relabelled":0,"moved_up":0,"none":0,)"
                R"("ambiguous":0,"automatic":1,"unsettled":0,"changed":1,"left_out":0,"foreign":0},)"
                R"("parent":{"program":"test"}})");
}

TEST_F(Apply, TheSameDecisionsGiveTheSameBytes) {
  say(0, "ada", "relabel", 1);
  const auto first = apply().digest;
  EXPECT_EQ(apply().digest, first);
}

TEST_F(Apply, FollowsOnlyWhatEnoughReviewersAgreeOn) {
  say(0, "ada", "relabel", 1);
  say(0, "bob", "relabel", 1);
  say(1, "ada", "relabel", 0);
  say(2, "ada", "relabel", 1);
  say(2, "bob", "keep");
  ApplyOptions options;
  options.min_agreement = 2;
  const auto result = apply(options);
  const auto labels = written();
  EXPECT_EQ(labels.at(0), 1);
  EXPECT_EQ(labels.at(1), 1) << "one reviewer is not enough";
  EXPECT_EQ(labels.at(2), 0) << "they disagree";
  EXPECT_EQ(result.counts.unsettled, 2);
}

TEST_F(Apply, PlantedErrorsChangeNothing) {
  say(5, "ada", "relabel", 0, {}, "planted");
  say(0, "ada", "keep");
  apply();
  EXPECT_EQ(written().at(5), 1);
}

TEST_F(Apply, KeepsUnresolvedSamplesWithoutALabelOnRequest) {
  say(1, "ada", "none");
  ApplyOptions options;
  options.unresolved = Unresolved::kUnlabel;
  apply(options);
  EXPECT_EQ(written().at(1), kUnlabelled);
}

TEST_F(Apply, MakesAClassOfEachParentNodeOnRequest) {
  say(1, "ada", "parent", {}, "gull.n.01");
  say(2, "ada", "parent", {}, "gull.n.01");
  say(3, "ada", "none");
  ApplyOptions options;
  options.unresolved = Unresolved::kClass;
  apply(options);
  const auto set = read_label_set(folder_ / "out.parquet");
  ASSERT_EQ(set.info.classes.size(), 7U);
  EXPECT_EQ(set.info.classes[6].name, "gull (any)");
  EXPECT_EQ(set.info.classes[6].node, "gull.n.01");
  EXPECT_EQ(written().at(1), 6);
  EXPECT_EQ(written().at(2), 6);
  EXPECT_FALSE(written().contains(3));
}

TEST_F(Apply, ANodeTheTaxonomyDoesNotHaveIsAnError) {
  say(1, "ada", "parent", {}, "dodo.n.01");
  ApplyOptions options;
  options.unresolved = Unresolved::kClass;
  EXPECT_THAT(test::error_of([&] { apply(options); }), HasSubstr("dodo.n.01"));
  EXPECT_FALSE(std::filesystem::exists(folder_ / "out.parquet"));
}

TEST_F(Apply, ChangesUndecidedLabelsAboveTheThreshold) {
  rows_[0].p_mislabelled = 0.99F;
  rows_[1].p_mislabelled = 0.95F;
  rows_[2].p_mislabelled = 0.99F;
  const auto table = test::bird_table(rows_);
  say(2, "ada", "keep");
  ApplyOptions options;
  options.auto_above = 0.95F;
  auto result = apply(options, &table);
  EXPECT_EQ(written().at(0), 1);
  EXPECT_EQ(written().at(1), 1) << "not above";
  EXPECT_EQ(written().at(2), 0) << "a reviewer's word counts more";
  EXPECT_EQ(result.counts.automatic, 1);
  options.auto_action = AutoAction::kDrop;
  apply(options, &table);
  EXPECT_FALSE(written().contains(0));
  options.auto_action = AutoAction::kParent;
  options.unresolved = Unresolved::kClass;
  apply(options, &table);
  EXPECT_EQ(read_label_set(folder_ / "out.parquet").info.classes.at(6).node, "gull.n.01");
  EXPECT_THAT(test::error_of([&] { apply(options); }), HasSubstr("--scores"));
}

TEST_F(Apply, TheThresholdIsForProbabilitiesAsDecisionsCalibratedThem) {
  rows_[0].p_mislabelled = 0.99F;
  const auto table = test::bird_table(rows_);
  std::vector<double> calibrated(table.size(), 0.5);
  calibrated[3] = 0.98;
  ApplyOptions options;
  options.auto_above = 0.95;
  EXPECT_EQ(apply(options, &table, calibrated).counts.automatic, 1);
  EXPECT_EQ(written().at(0), 0);
  EXPECT_EQ(written().at(3), 0);
}

TEST_F(Apply, ProgressCountsRowsAndWhatItThrowsLeavesNoFile) {
  std::uint64_t last = 0;
  progress_ = [&](std::uint64_t done, std::uint64_t total) {
    last = done;
    EXPECT_EQ(total, 10U);
  };
  apply();
  EXPECT_EQ(last, 10U);
  std::filesystem::remove(folder_ / "out.parquet");
  progress_ = [](std::uint64_t, std::uint64_t) { throw Error("enough"); };
  EXPECT_EQ(test::error_of([&] { apply(); }), "enough");
  EXPECT_FALSE(std::filesystem::exists(folder_ / "out.parquet"));
}

}  // namespace
}  // namespace procsim::curate
