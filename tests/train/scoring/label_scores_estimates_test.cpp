#include <algorithm>
#include <numeric>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "tests/train/clusters.hpp"
#include "train/scoring/label_scores.hpp"

namespace procsim::train {
namespace {

// A label that some samples of other classes carry and no sample of its own.
TEST(LabelScores, AClassWhoseLabelsAreAllWrongIsFound) {
  for (const std::size_t size : {2U, 4U, 8U}) {
    Clusters clusters(8, 40, 0.5, 0.1, 1);
    clusters.data.info.classes.push_back({"other", "", ""});
    std::vector<std::size_t> moved;
    for (std::size_t i = 0; moved.size() < size; ++i) {
      auto& sample = clusters.data.train[i];
      if (sample.label != *sample.true_label || static_cast<std::size_t>(sample.label) != moved.size())
        continue;
      sample.label = 8;
      moved.push_back(i);
    }
    index_classes(clusters.data);
    const auto scores = clusters.score();
    for (const auto i : moved) {
      EXPECT_GT(scores.rows[i].p_mislabelled, 0.9F) << size;
      EXPECT_EQ(scores.rows[i].suggested, *scores.rows[i].true_label) << size;
      EXPECT_GE(scores.rows[i].fold, 0) << size;
    }
  }
}

// Sizes from 320 down to 3.
struct UnequalClusters : Clusters {
  UnequalClusters(double spread, double rate) : Clusters(8, 320, spread, rate, 3) {
    std::vector<TrainSample> kept;
    std::vector<torch::Tensor> rows;
    std::vector<std::int64_t> count(8, 0);
    for (std::size_t i = 0; i < data.train.size(); ++i) {
      const auto truth = static_cast<std::size_t>(*data.train[i].true_label);
      if (++count[truth] > std::max<std::int64_t>(3, 320 >> truth)) continue;
      kept.push_back(data.train[i]);
      rows.push_back(embeddings[static_cast<std::int64_t>(i)]);
    }
    data.train = std::move(kept);
    embeddings = torch::stack(rows);
    index_classes(data);
  }
};

TEST(LabelScores, ClassesOfUnequalSizeAreNotAccused) {
  const auto clean = UnequalClusters(1.8, 0).score().estimates.noise_rate;
  EXPECT_LT(clean.rate, 0.02);
  const UnequalClusters noisy(1.8, 0.15);
  EXPECT_GT(noisy.rank().at("suspicion").auroc, 0.95);
  double wrong = 0;
  for (const auto& sample : noisy.data.train) wrong += sample.label != *sample.true_label;
  const auto rate = noisy.score().estimates.noise_rate;
  EXPECT_LE(rate.low, wrong / static_cast<double>(noisy.data.train.size()));
  EXPECT_GE(rate.high, wrong / static_cast<double>(noisy.data.train.size()));
}

// In half of the classes labels are lost to the sibling, in the other half none are.
TEST(LabelScores, ClassIntervalsHoldWhereNoiseDiffersByClass) {
  Clusters clusters(24, 50, 0.8, 0.3, 1, 32, Clusters::Errors::kInPairs);
  std::vector<double> wrong(24, 0);
  for (auto& sample : clusters.data.train) {
    if (*sample.true_label % 2 == 1) sample.label = *sample.true_label;
    wrong[static_cast<std::size_t>(sample.label)] += sample.label != *sample.true_label;
  }
  index_classes(clusters.data);
  const auto estimates = clusters.score().estimates;
  int covered = 0;
  for (const auto& one : estimates.by_class) {
    const double truth = wrong[static_cast<std::size_t>(one.label)];
    covered += one.count.low <= truth && truth <= one.count.high;
  }
  EXPECT_GE(covered, 20);
}

// One class loses half of its labels to one other, the rest are clean: the estimates say which.
TEST(LabelScores, EstimatesPointAtTheClassAndThePairWhereErrorsAre) {
  Clusters clusters(10, 60, 0.8, 0, 6);
  double moved = 0;
  for (auto& sample : clusters.data.train)
    if (sample.label == 3 && sample.id / 10 % 2 == 0) {
      sample.label = 7;
      ++moved;
    }
  index_classes(clusters.data);
  const auto estimates = clusters.score().estimates;
  const auto& seventh = estimates.by_class[7];
  EXPECT_EQ(seventh.label, 7);
  EXPECT_LE(seventh.count.low, moved);
  EXPECT_GE(seventh.count.high, moved);
  EXPECT_GT(seventh.count.low, 0.5 * moved);
  for (const auto& other : estimates.by_class)
    if (other.label != 7) {
      EXPECT_LT(other.count.wrong, 3) << other.label;
    }
  ASSERT_FALSE(estimates.by_pair.empty());
  const auto& pair = estimates.by_pair[0];
  EXPECT_EQ(pair.given, 7);
  EXPECT_EQ(pair.suggested, 3);
  EXPECT_LE(pair.count.low, moved);
  EXPECT_GE(pair.count.high, moved);
}

// Errors that stay between classes that look alike: without a tree it must be seen from the features.
TEST(LabelScores, WithoutATreeConfusionOfWhatIsAlikeIsStillNoise) {
  const Clusters clusters(20, 40, 1.0, 0.3, 7, 24, Clusters::Errors::kInPairs);
  const auto scores = clusters.score();
  double wrong = 0;
  for (const auto& row : scores.rows) wrong += row.label != *row.true_label;
  const auto& rate = scores.estimates.noise_rate;
  EXPECT_NEAR(rate.rate, wrong / 800, 0.05);
  EXPECT_LE(rate.low, wrong / 800);
  EXPECT_GE(rate.high, wrong / 800);
}

TEST(LabelScores, ACleanSetIsNotAccused) {
  const auto scores = Clusters(8, 40, 1.0, 0).score();
  EXPECT_LT(scores.estimates.noise_rate.rate, 0.02);
  EXPECT_EQ(scores.estimates.noise_rate.low, 0);
}

// Pairs of classes that these features tell apart badly, all labels right: whether they are cannot be known.
TEST(LabelScores, CleanClassesThatLookAlikeAskForAnAudit) {
  const Clusters clusters(10, 60, 2.6, 0, 3, 24, Clusters::Errors::kInPairs);
  const auto scores = clusters.score();
  const auto& rate = scores.estimates.noise_rate;
  ASSERT_TRUE(rate.readings);
  EXPECT_GT(rate.readings->high - rate.readings->low, 0.05);
  EXPECT_TRUE(rate.audit_decides);
}

// People confuse what looks alike: a sample that lies near another class gets its label.
TEST(LabelScores, ErrorsThatFollowTheImageLieInTheInterval) {
  Clusters clusters(8, 60, 1.4, 0, 5, 12);
  const auto clean = clusters.score();
  std::vector<std::size_t> order(clean.rows.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::sort(order.begin(), order.end(),
            [&](std::size_t a, std::size_t b) { return clean.rows[a].margin > clean.rows[b].margin; });
  const auto wrong = order.size() / 8;
  for (std::size_t i = 0; i < wrong; ++i)
    clusters.data.train[order[i]].label = clean.rows[order[i]].suggested;
  index_classes(clusters.data);
  const auto rate = clusters.score().estimates.noise_rate;
  EXPECT_LE(rate.low, 0.125);
  EXPECT_GE(rate.high, 0.125);
  ASSERT_TRUE(rate.readings);
  EXPECT_LE(rate.readings->low, rate.readings->high);
}

TEST(LabelScores, ImagesOfNoClassAreFound) {
  Clusters clusters(8, 50, 1.0, 0.1);
  const auto count = clusters.embeddings.size(0);
  const KeyedRandom random(3, "test/no-class");
  std::vector<std::uint8_t> none;
  for (std::int64_t i = 0; i < count; ++i) {
    none.push_back(i % 10 == 0);
    if (!none.back()) continue;
    auto draws = random.for_id(i);
    for (std::int64_t d = 0; d < clusters.embeddings.size(1); ++d)
      clusters.embeddings[i][d] = static_cast<float>(2 * draws.normal());
    clusters.data.train[static_cast<std::size_t>(i)].true_label = kNoneOfThese;
  }
  std::vector<double> said;
  for (const auto& row : clusters.score().rows) {
    ASSERT_TRUE(row.p_none);
    EXPECT_LE(*row.p_none, row.p_mislabelled + 1e-5F);
    said.push_back(*row.p_none);
  }
  EXPECT_GT(rank_detection(said, none).auroc, 0.97);
}

// Every class loses labels to the next one, which is no nearer to it than others: neither a tree nor likeness
// says so. Taken for the classifier's confusions, they would make the set look clean.
TEST(LabelScores, ErrorsThatAllGoToOneClassAreFound) {
  for (const double rate : {0.2, 0.4}) {
    Clusters clusters(10, 100, 0.8, 0, 4, 64);
    const KeyedRandom random(4, "test/next");
    double wrong = 0;
    for (auto& sample : clusters.data.train)
      if (random.for_id(sample.id).uniform() < rate) {
        sample.label = (sample.label + 1) % 10;
        wrong += 1.0 / static_cast<double>(clusters.data.train.size());
      }
    index_classes(clusters.data);
    const auto said = clusters.score().estimates.noise_rate;
    EXPECT_LE(said.low, wrong);
    EXPECT_GE(said.high, wrong);
    EXPECT_NEAR(said.rate, wrong, 0.02);
    EXPECT_GT(clusters.rank()["suspicion"].auroc, 0.99);
  }
}

TEST(LabelScores, FeaturesThatHaveNothingToDoWithTheLabelsAreRemarkedOn) {
  Clusters clusters(8, 30, 0.5, 0);
  const auto said = [&] {
    const auto notes = clusters.score().notes;
    return std::any_of(notes.begin(), notes.end(), [](const std::string& note) {
      return note.find("agree with only") != std::string::npos;
    });
  };
  EXPECT_FALSE(said());
  clusters.embeddings = Clusters(8, 30, 5, 0, 77).embeddings.flip(0);
  clusters.embeddings = clusters.embeddings.index_select(0, torch::arange(240).mul(7).remainder(240));
  EXPECT_TRUE(said());
}

}  // namespace
}  // namespace procsim::train
