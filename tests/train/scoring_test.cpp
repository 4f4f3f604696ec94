#include "train/scoring.hpp"

#include <cmath>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "data/keyed_random.hpp"

namespace procsim {
namespace {

// Clusters of unit vectors around their class's axis, some under the wrong label.
struct Clusters {
  TrainData data;
  torch::Tensor embeddings;
  torch::Tensor axes;
  std::vector<float> proxy_loss, sigma;

  Clusters(std::int64_t classes, std::int64_t per_class, double spread) {
    auto draws = KeyedRandom(2, "test/clusters").for_id(0);
    axes = torch::eye(classes, classes + 2);
    const auto count = classes * per_class;
    embeddings = torch::zeros({count, classes + 2});
    for (std::int64_t c = 0; c < classes; ++c) {
      data.info.classes.push_back({"class " + std::to_string(c), "", ""});
      data.classes.push_back(static_cast<std::int32_t>(c));
    }
    for (std::int64_t i = 0; i < count; ++i) {
      const auto truth = i / per_class;
      const auto given = i % 5 == 0 ? (truth + 1) % classes : truth;
      data.train.push_back({1000 + i, "p" + std::to_string(i), static_cast<std::int32_t>(given),
                            static_cast<std::int32_t>(truth)});
      data.train_class.push_back(given);
      embeddings[i][truth] = 1;
      for (std::int64_t d = 0; d < classes + 2; ++d) embeddings[i][d] += spread * draws.normal();
    }
    embeddings = torch::nn::functional::normalize(embeddings);
    proxy_loss.assign(static_cast<std::size_t>(count), 1.5F);
    sigma.assign(static_cast<std::size_t>(count), 0.25F);
  }

  std::vector<ScoreRow> score() const {
    return score_samples({.data = data,
                          .embeddings = embeddings,
                          .class_cosines = torch::mm(embeddings, axes.t()),
                          .proxy_loss = proxy_loss,
                          .sigma = sigma});
  }
};

TEST(Scoring, SuggestsTheTrueClassOfWrongLabelsAndRanksThemFirst) {
  const Clusters clusters(4, 20, 0.08);
  const auto rows = clusters.score();
  float least_wrong = 1e9F;
  float most_right = -1e9F;
  for (const auto& row : rows) {
    const bool wrong = row.label != *row.true_label;
    if (wrong) {
      EXPECT_EQ(row.suggested, *row.true_label);
      EXPECT_GT(row.p_mislabelled, 0.5F);
      least_wrong = std::min(least_wrong, row.suspicion);
    } else {
      EXPECT_LT(row.p_mislabelled, 0.5F);
      most_right = std::max(most_right, row.suspicion);
    }
  }
  EXPECT_GT(least_wrong, most_right);
}

TEST(Scoring, NeighboursCarryTheirLabelAndAreNeverTheSampleItself) {
  const Clusters clusters(3, 15, 0.1);
  const auto rows = clusters.score();
  const auto label_of = [&](std::int64_t id) {
    return clusters.data.train[static_cast<std::size_t>(id - 1000)].label;
  };
  for (const auto& row : rows) {
    EXPECT_EQ(row.near_given.size(), 5U);
    for (const auto id : row.near_given) {
      EXPECT_EQ(label_of(id), row.label);
      EXPECT_NE(id, row.sample_id);
    }
    for (const auto id : row.near_suggested) EXPECT_EQ(label_of(id), row.suggested);
  }
}

TEST(Scoring, KeepsWhatTrainingSawAndFillsInForSamplesNeverSeen) {
  Clusters clusters(3, 5, 0.1);
  clusters.proxy_loss[2] = std::nanf("");
  const auto rows = clusters.score();
  EXPECT_EQ(rows[0].proxy_loss, 1.5F);
  EXPECT_EQ(rows[0].confidence, 0.25F);
  EXPECT_FALSE(std::isnan(rows[2].proxy_loss));
  EXPECT_EQ(rows[2].confidence, 1.0F);
}

TEST(Scoring, DuplicatesUnderAnotherLabelAreListed) {
  Clusters clusters(3, 5, 0.2);
  clusters.embeddings[1].copy_(clusters.embeddings[0]);  // sample 0 carries another label than sample 1
  const auto rows = clusters.score();
  EXPECT_THAT(rows[0].duplicates, ::testing::Contains(1001));
  EXPECT_THAT(rows[1].duplicates, ::testing::Contains(1000));
  for (const auto id : rows[0].duplicates)
    EXPECT_NE(clusters.data.train[static_cast<std::size_t>(id - 1000)].label, rows[0].label);
}

TEST(Scoring, TheSoftmaxScaleMaximisesTheLikelihood) {
  const Clusters clusters(4, 30, 0.3);
  const auto cosines = torch::mm(clusters.embeddings, clusters.axes.t());
  const auto labels = torch::tensor(clusters.data.train_class, torch::kInt64);
  const auto likelihood = [&](double scale) {
    return -torch::nn::functional::cross_entropy(scale * cosines, labels).item<double>();
  };
  const double best = fit_softmax_scale(cosines, clusters.data.train_class);
  EXPECT_GT(best, 0);
  EXPECT_GT(likelihood(best), likelihood(best * 1.05));
  EXPECT_GT(likelihood(best), likelihood(best * 0.95));
}

TEST(Scoring, UselessProxiesAccuseNobodyMoreThanChance) {
  Clusters clusters(4, 10, 0.1);
  const auto flat = torch::zeros({40, 4});
  const auto rows = score_samples({.data = clusters.data,
                                   .embeddings = clusters.embeddings,
                                   .class_cosines = flat,
                                   .proxy_loss = clusters.proxy_loss,
                                   .sigma = clusters.sigma});
  for (const auto& row : rows) EXPECT_NEAR(row.p_given, 0.25, 1e-6);
}

}  // namespace
}  // namespace procsim
