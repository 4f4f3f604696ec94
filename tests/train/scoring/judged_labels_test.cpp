#include "train/scoring/judged_labels.hpp"

#include <cmath>

#include <gtest/gtest.h>

#include "tests/train/clusters.hpp"
#include "train/scoring/judged_rows.hpp"

namespace procsim::train {
namespace {

TEST(JudgedLabels, ARowSaysWhatTheEnsembleBelieves) {
  const Clusters clusters(4, 20, 1.0, 0.1);
  const auto ids = clusters.data.train_ids();
  const JudgedRows rows(clusters.embeddings, ids, clusters.data.train_class, 4, {.dimensions = 16}, 1);
  const std::vector fits{
      cross_fit({&rows, 1}, ids, clusters.data.train_class, class_distances_of(clusters.data, nullptr), {})};
  ScoringOptions options;
  options.listing.rivals = 2;
  PairBeliefs pairs(4, 0);
  std::vector<double> best_margin;
  const auto judged = judge_labels(clusters.data, {Ensemble(fits)}, options, pairs, best_margin);
  ASSERT_EQ(judged.size(), 80U);
  ASSERT_EQ(best_margin.size(), 80U);
  Ensemble ensemble(fits);
  for (std::size_t i = 0; i < judged.size(); ++i) {
    const auto said = ensemble.prediction_of(static_cast<std::int64_t>(i), clusters.data.train_class[i]);
    EXPECT_EQ(judged[i].sample_id, clusters.data.train[i].id);
    EXPECT_FLOAT_EQ(judged[i].p_given, static_cast<float>(said.given_share));
    EXPECT_FLOAT_EQ(judged[i].p_mislabelled, static_cast<float>(1 - said.given_belief));
    EXPECT_EQ(judged[i].rivals.size(), 2U);
    EXPECT_EQ(judged[i].suggested, judged[i].rivals.front().label);
    EXPECT_NE(judged[i].suggested, judged[i].label);
    EXPECT_TRUE(std::isfinite(judged[i].suspicion));
    EXPECT_EQ(judged[i].suspicion > 0, judged[i].p_mislabelled > 0.5F);
  }
}

}  // namespace
}  // namespace procsim::train
