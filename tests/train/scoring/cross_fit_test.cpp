#include "train/scoring/cross_fit.hpp"

#include <algorithm>
#include <cmath>

#include <gtest/gtest.h>

#include "tests/train/clusters.hpp"
#include "train/scoring/judged_rows.hpp"

namespace procsim::train {
namespace {

TEST(CrossFit, NoSampleIsJudgedByItsOwnFoldsLabels) {
  Clusters clusters(6, 30, 1.5, 0.2);
  CrossFitOptions options;
  const auto distances = class_distances_of(clusters.data, nullptr);
  const auto ids = clusters.data.train_ids();
  const std::vector<JudgedRows> rows{
      {clusters.embeddings, ids, clusters.data.train_class, 6, {.dimensions = 16}, 1}};
  const auto before = cross_fit(rows, ids, clusters.data.train_class, distances, options);
  // Every label of fold 2 becomes another one. The scores of fold 2 must not change by a bit, nor which
  // classes are taken to be alike there. Everything said of other folds may.
  options.plan = before.plan;
  auto changed = clusters.data.train_class;
  for (std::size_t i = 0; i < changed.size(); ++i)
    if (before.plan.fold[i] == 2) changed[i] = (changed[i] + 1) % 6;
  const auto after = cross_fit(rows, ids, changed, distances, options);
  bool others_moved = false;
  for (std::int64_t i = 0; i < before.scores.size(); ++i) {
    const auto old_scores = before.scores.scores_of(i);
    const auto new_scores = after.scores.scores_of(i);
    const bool same = std::equal(old_scores.begin(), old_scores.end(), new_scores.begin());
    const bool changed_fold = before.plan.fold[static_cast<std::size_t>(i)] == 2;
    EXPECT_TRUE(same || !changed_fold) << "sample " << i << " was judged by its own fold";
    others_moved = others_moved || (!changed_fold && !same);
  }
  EXPECT_TRUE(others_moved);
  for (std::int64_t c = 0; c < 6; ++c)
    for (std::int64_t other = 0; other < 6; ++other)
      EXPECT_EQ(before.fold_distances[2].distance(c, other), after.fold_distances[2].distance(c, other));
}

// Against all classes one by one, which is what happens where the shortlist holds them all.
TEST(CrossFit, AShortlistOfClassesChangesLittle) {
  const Clusters clusters(150, 12, 1.0, 0.2, 3, 32);
  const auto scores_with = [&](std::int64_t shortlist) {
    LabelScoreOptions options;
    options.rounds = 1;
    options.cross_fit.scoring.discriminant.all_classes = 1;
    options.cross_fit.scoring.discriminant.shortlist = shortlist;
    return clusters.score(options);
  };
  const auto all = scores_with(150);
  const auto some = scores_with(64);
  for (std::size_t i = 0; i < all.rows.size(); ++i) {
    EXPECT_NEAR(some.rows[i].p_given, all.rows[i].p_given, 0.02) << i;
    EXPECT_NEAR(some.rows[i].p_mislabelled, all.rows[i].p_mislabelled, 0.05) << i;
    if (all.rows[i].p_mislabelled > 0.9F) {
      EXPECT_EQ(some.rows[i].suggested, all.rows[i].suggested) << i;
    }
  }
  EXPECT_NEAR(some.estimates.noise_rate.rate, all.estimates.noise_rate.rate, 0.003);
}

TEST(CrossFit, ANoiseModelOfSomeOfTheSamplesChangesLittle) {
  const Clusters clusters(12, 200, 1.5, 0.2);
  const auto scores_with = [&](std::int64_t samples) {
    LabelScoreOptions options;
    options.rounds = 1;
    options.cross_fit.scoring.noise.samples = samples;
    return clusters.score(options);
  };
  const auto all = scores_with(2400);
  const auto some = scores_with(600);
  EXPECT_NEAR(some.estimates.noise_rate.rate, all.estimates.noise_rate.rate, 0.02);
  double apart = 0;
  for (std::size_t i = 0; i < all.rows.size(); ++i)
    apart += std::abs(some.rows[i].p_mislabelled - all.rows[i].p_mislabelled);
  EXPECT_LT(apart / static_cast<double>(all.rows.size()), 0.02);
  EXPECT_NE(some.rows, all.rows) << "the number of samples is heeded";
}

TEST(CrossFit, IsTheSameToTheBitWhateverTheNumberOfThreads) {
  const Clusters clusters(5, 20, 1.2, 0.2);
  LabelScoreOptions one;
  one.cross_fit.threads = 1;
  LabelScoreOptions three;
  three.cross_fit.threads = 3;
  const auto a = clusters.score(one);
  const auto b = clusters.score(three);
  EXPECT_EQ(a.rows, b.rows);
  EXPECT_EQ(a.estimates, b.estimates);
  const int before = torch::get_num_threads();
  torch::set_num_threads(before == 1 ? 2 : 1);
  EXPECT_EQ(clusters.score(one).rows, a.rows);
  torch::set_num_threads(before);
}

TEST(CrossFit, WithShortlistsToo) {
  const Clusters clusters(90, 6, 1.2, 0.2);
  LabelScoreOptions one;
  one.rounds = 1;
  one.cross_fit.scoring.discriminant.all_classes = 1;
  one.cross_fit.threads = 1;
  auto three = one;
  three.cross_fit.threads = 3;
  EXPECT_EQ(clusters.score(one).rows, clusters.score(three).rows);
}

}  // namespace
}  // namespace procsim::train
