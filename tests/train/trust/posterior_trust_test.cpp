#include "train/trust/posterior_trust.hpp"

#include <cmath>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "data/base/error.hpp"
#include "tests/train/blank_clusters.hpp"

namespace procsim::train {
namespace {

using ::testing::Each;
using ::testing::HasSubstr;

// Six clusters, three in ten labels wrong.
struct Scene {
  Clusters clusters;
  ClassDistances distances = class_distances_of(clusters.data, nullptr);
  std::vector<std::int64_t> ids = clusters.data.train_ids();
  torch::Tensor embeddings = clusters.embeddings;

  explicit Scene(Clusters made = {6, 40, 0.6, 0.3}) : clusters(std::move(made)) {}

  TrainingSet set(std::int64_t epoch = 0) {
    TrainingSet made;
    made.epoch = epoch;
    made.labels = clusters.data.train_class;
    made.classes = distances.classes();
    made.ids = ids;
    made.distances = &distances;
    made.embeddings = [this] { return embeddings; };
    return made;
  }
  Batch batch() const {
    Batch made;
    for (std::int64_t i = 0; i < 240; ++i) made.samples.push_back(i);
    return made;
  }
  std::int64_t truth(std::size_t i) const { return *clusters.data.train[i].true_label; }
  bool wrong(std::size_t i) const { return truth(i) != clusters.data.train_class[i]; }
};

const std::vector<double>& column(const Columns& columns, const std::string& name) {
  for (const auto& [known, values] : columns)
    if (known == name) return values;
  throw Error("no column " + name);
}

TEST(PosteriorTrust, WrongLabelsCountAsTheClassBelievedInAndRightOnesAsTheyAre) {
  Scene scene;
  PosteriorTrust trust({}, 1);
  trust.begin_epoch(scene.set());
  const auto of_batch = trust(scene.batch(), {});
  int wrong = 0, mended = 0, spoilt = 0;
  for (std::size_t i = 0; i < 240; ++i) {
    wrong += scene.wrong(i);
    mended += scene.wrong(i) && of_batch.labels[i] == scene.truth(i);
    spoilt += !scene.wrong(i) && of_batch.labels[i] != scene.truth(i);
  }
  EXPECT_GE(mended, 0.95 * wrong);
  EXPECT_LE(spoilt, 2);
}

TEST(PosteriorTrust, JudgesOnAsManyThreadsAsTheRunHas) {
  const int before = torch::get_num_threads();
  torch::set_num_threads(3);
  EXPECT_EQ(judges_of_epoch(1, 0).threads, 3);
  torch::set_num_threads(1);
  EXPECT_EQ(judges_of_epoch(1, 0).threads, 1);
  torch::set_num_threads(before);
}

TEST(PosteriorTrust, EveryEpochDealsFoldsOfItsOwn) {
  EXPECT_EQ(judges_of_epoch(1, 2).seed, judges_of_epoch(1, 2).seed);
  EXPECT_NE(judges_of_epoch(1, 2).seed, judges_of_epoch(1, 3).seed);
  EXPECT_NE(judges_of_epoch(1, 2).seed, judges_of_epoch(2, 2).seed);
}

TEST(PosteriorTrust, ReportsTheWholeSetOnce) {
  Scene scene;
  PosteriorTrust trust({}, 1);
  trust.begin_epoch(scene.set());
  EXPECT_TRUE(trust.judges_set());
  EXPECT_TRUE(trust(scene.batch(), {}).columns.empty());
  const auto columns = trust.set_columns();
  const auto posteriors = label_posteriors(scene.embeddings, scene.ids, scene.clusters.data.train_class,
                                           scene.distances, judges_of_epoch(1, 0), 1);
  for (std::size_t i = 0; i < 240; ++i) {
    const double given = posteriors[i].given;
    EXPECT_NEAR(std::exp(-column(columns, "label_loss")[i]), std::max(given, 1e-7), 1e-9);
    EXPECT_EQ(column(columns, "believed")[i], given > 0.5 ? 1 : 0);
    EXPECT_EQ(column(columns, "trust")[i], posteriors[i].other_belief > given ? 0 : given);
    EXPECT_EQ(column(columns, "left_out")[i], std::max(given, posteriors[i].other_belief) <= 0.5 ? 1 : 0);
  }
}

TEST(PosteriorTrust, WithoutRelabellingLabelsStayAndOnlyWeigh) {
  Scene scene;
  PosteriorOptions options;
  options.relabel = false;
  PosteriorTrust trust(options, 1);
  trust.begin_epoch(scene.set());
  const auto of_batch = trust(scene.batch(), {});
  EXPECT_EQ(of_batch.labels, scene.clusters.data.train_class);
  double of_wrong = 0;
  for (std::size_t i = 0; i < 240; ++i)
    if (scene.wrong(i)) of_wrong = std::max(of_wrong, of_batch.weight[i]);
  EXPECT_LT(of_wrong, 0.6);
}

// With a memory of one half: after an epoch of embeddings that tell everything and one that tells less, a
// label is believed half as much as then and half as much as now.
TEST(PosteriorTrust, RemembersWhatWasBelieved) {
  Scene scene;
  PosteriorTrust trust({}, 1);
  trust.begin_epoch(scene.set(0));
  const auto before = trust.set_columns();
  torch::manual_seed(3);
  scene.embeddings = scene.embeddings + 0.6 * torch::randn_like(scene.embeddings);
  trust.begin_epoch(scene.set(1));
  PosteriorTrust fresh({}, 1);
  fresh.begin_epoch(scene.set(1));
  const auto now = fresh.set_columns();
  const auto both = trust.set_columns();
  for (std::size_t i = 0; i < 240; ++i) {
    const auto given = [&](const Columns& columns) { return std::exp(-column(columns, "label_loss")[i]); };
    EXPECT_NEAR(given(both), 0.5 * given(before) + 0.5 * given(now), 1e-6);
  }
}

// With features that say nothing, a label is worth what all are worth, epoch after epoch, although every
// epoch deals the samples to other folds. Were there a judge that has seen it, as there is with copies, it
// would be believed.
TEST(PosteriorTrust, NeverComesFromAJudgeThatHasSeenTheLabel) {
  const auto belief_after_three_epochs = [](const Clusters& clusters) {
    Scene scene(clusters);
    PosteriorTrust trust({}, 1);
    for (int epoch = 0; epoch < 3; ++epoch) trust.begin_epoch(scene.set(epoch));
    const auto columns = trust.set_columns();
    double sum = 0;
    for (const double loss : column(columns, "label_loss")) sum += std::exp(-loss);
    return sum / static_cast<double>(scene.ids.size());
  };
  EXPECT_NEAR(belief_after_three_epochs(blank_clusters()), 0.5, 0.05);
  EXPECT_GT(belief_after_three_epochs(doubled(blank_clusters())), 0.75);
}

// 4f / (4f + 1) + f / (f + 9) = 1 at f = 1.5.
TEST(PosteriorTrust, RaisesTheOddsOfAllLabelsAlikeAndNeverLowersThem) {
  EXPECT_NEAR(least_odds_factor({{0.8, 1, 0.2}, {0.1, 2, 0.5}}), 1.5, 1e-9);
  EXPECT_NEAR(least_odds_factor({{0.1, 1, 0.2}, {0.1, 2, 0.5}, {0.1, -1, 0}}), 9, 1e-9);
  EXPECT_EQ(least_odds_factor({{0.8, 1, 0.2}, {0.3, 2, 0.5}}), 1);
  EXPECT_EQ(least_odds_factor({}), 1);
}

TEST(PosteriorTrust, LabelsWithoutErrorsAreTrusted) {
  Scene scene(Clusters(6, 40, 0.6, 0));
  PosteriorTrust trust({}, 1);
  trust.begin_epoch(scene.set());
  const auto weights = trust(scene.batch(), {}).weight;
  double sum = 0;
  for (const double weight : weights) sum += weight;
  EXPECT_GE(sum, 0.97 * 240);
  const auto columns = trust.set_columns();
  EXPECT_THAT(column(columns, "relabelled"), Each(0));
}

TEST(PosteriorTrust, GoesOnInsideAnEpochWithWhatItBeganWith) {
  Scene scene;
  PosteriorTrust whole({}, 1);
  whole.begin_epoch(scene.set());
  TensorFile file;
  whole.save({file, "x"});
  PosteriorTrust restored({}, 1);
  restored.restore({file, "x"});
  EXPECT_EQ(whole(scene.batch(), {}).weight, restored(scene.batch(), {}).weight);
  EXPECT_EQ(whole(scene.batch(), {}).labels, restored(scene.batch(), {}).labels);
  EXPECT_EQ(whole.set_columns(), restored.set_columns());
}

TEST(PosteriorTrust, NamesTheOptionThatIsWrong) {
  const auto message_of = [](PosteriorOptions options) -> std::string {
    try {
      options.validate();
    } catch (const UsageError& error) {
      return error.what();
    }
    return {};
  };
  EXPECT_THAT(message_of({.rounds = 0}), HasSubstr("--posterior-rounds"));
  EXPECT_THAT(message_of({.memory = 1}), HasSubstr("--posterior-memory"));
}

}  // namespace
}  // namespace procsim::train
