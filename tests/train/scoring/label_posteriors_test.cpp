#include "train/scoring/label_posteriors.hpp"

#include <gtest/gtest.h>

#include "tests/train/blank_clusters.hpp"

namespace procsim::train {
namespace {

std::vector<LabelPosterior> posteriors_of(const Clusters& clusters, const CrossFitOptions& options = {}) {
  return label_posteriors(clusters.embeddings, clusters.data.train_ids(), clusters.data.train_class,
                          class_distances_of(clusters.data, nullptr), options, 1);
}

TEST(LabelPosteriors, BelieveInTheTruthWhereTheFeaturesTellIt) {
  const Clusters clusters(6, 40, 0.6, 0.3);
  const auto posteriors = posteriors_of(clusters);
  int wrong = 0, doubted = 0, found = 0, accused = 0;
  for (std::size_t i = 0; i < posteriors.size(); ++i) {
    const auto& sample = clusters.data.train[i];
    const bool is_wrong = *sample.true_label != sample.label;
    wrong += is_wrong;
    doubted += is_wrong && posteriors[i].given < 0.5;
    found += is_wrong && posteriors[i].other == *sample.true_label && posteriors[i].other_belief > 0.5;
    accused += !is_wrong && posteriors[i].given < 0.5;
    EXPECT_LE(posteriors[i].given + posteriors[i].other_belief, 1 + 1e-9);
    EXPECT_NE(posteriors[i].other, clusters.data.train_class[i]);
  }
  EXPECT_GE(doubted, 0.95 * wrong);
  EXPECT_GE(found, 0.95 * wrong);
  EXPECT_LE(accused, 2);
}

TEST(LabelPosteriors, TrustAllLabelsAlikeWhereTheFeaturesSayNothing) {
  Clusters clusters(6, 40, 0.6, 0.3);
  torch::manual_seed(1);
  clusters.embeddings = torch::randn_like(clusters.embeddings);
  double right = 0, wrong = 0, rights = 0, wrongs = 0;
  const auto posteriors = posteriors_of(clusters);
  for (std::size_t i = 0; i < posteriors.size(); ++i) {
    const auto& sample = clusters.data.train[i];
    const bool is_wrong = *sample.true_label != sample.label;
    (is_wrong ? wrong : right) += posteriors[i].given;
    (is_wrong ? wrongs : rights) += 1;
  }
  EXPECT_NEAR(right / rights, wrong / wrongs, 0.05);
}

// Where nothing can be known of a label but by having seen it, no label is believed. Copies show what that
// would look like: the judges of a sample have seen its label beside the other copy.
TEST(LabelPosteriors, BelieveNoLabelBecauseAModelHasSeenIt) {
  const auto mean_given = [](const std::vector<LabelPosterior>& posteriors) {
    double sum = 0;
    for (const auto& one : posteriors) sum += one.given;
    return sum / static_cast<double>(posteriors.size());
  };
  EXPECT_LT(mean_given(posteriors_of(blank_clusters())), 0.5);
  EXPECT_GT(mean_given(posteriors_of(doubled(blank_clusters()))), 0.75);
}

TEST(LabelPosteriors, AreTheSameForTheSameSeedAndOthersForOtherFolds) {
  const Clusters clusters(6, 30, 1.5, 0.2);
  CrossFitOptions other_folds;
  other_folds.seed = 7;
  const auto once = posteriors_of(clusters);
  const auto again = posteriors_of(clusters);
  const auto others = posteriors_of(clusters, other_folds);
  bool moved = false;
  for (std::size_t i = 0; i < once.size(); ++i) {
    EXPECT_EQ(once[i].given, again[i].given);
    moved = moved || once[i].given != others[i].given;
  }
  EXPECT_TRUE(moved);
}

}  // namespace
}  // namespace procsim::train
