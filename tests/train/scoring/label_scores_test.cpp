#include "train/scoring/label_scores.hpp"

#include <cmath>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "tests/support/expect_error.hpp"
#include "tests/train/clusters.hpp"
#include "train/scoring/fold_embeddings.hpp"

namespace procsim::train {
namespace {

// That no fold leaks is shown bit by bit above; this is the bar for what it is good for.
TEST(LabelScores, FindWrongLabelsBetterThanInSampleLossesAndNeighbours) {
  const Clusters clusters(10, 24, 2.0, 0.3, 5, 48);
  const auto ranked = clusters.rank();
  EXPECT_GT(ranked.at("suspicion").auroc, 0.95);
  EXPECT_GT(ranked.at("suspicion").average_precision, 0.9);
  EXPECT_LT(ranked.at("in-sample loss").auroc, ranked.at("cross-fitted loss").auroc);
  EXPECT_GT(ranked.at("suspicion").auroc, ranked.at("nearest neighbours").auroc);
}

TEST(LabelScores, EmbeddingsThatCollapsedAreAnError) {
  Clusters clusters(3, 10, 1.0, 0.1);
  clusters.embeddings.copy_(clusters.embeddings[0].clone());
  test::expect_error([&] { clusters.score(); }, {"all 30 embeddings are the same", "collapsed"});
}

// One-hot words: more dimensions than samples, nearly all of them empty.
TEST(LabelScores, SparseFeaturesOfManyDimensionsAreJudged) {
  Clusters clusters(4, 30, 1.0, 0.1);
  clusters.embeddings = torch::zeros({120, 5000});
  for (std::int64_t i = 0; i < 120; ++i) {
    const auto truth = i % 4;
    for (std::int64_t word = 0; word < 6; ++word)
      clusters.embeddings[i][truth * 40 + (i * 31 + word * 17) % 40] = 1;
  }
  double found = 0, wrong = 0;
  for (const auto& row : clusters.score().rows) {
    if (row.label == *row.true_label) continue;
    ++wrong;
    found += row.p_mislabelled > 0.5 && row.suggested == *row.true_label;
  }
  ASSERT_GT(wrong, 5);
  EXPECT_GT(found / wrong, 0.8);
}

// More classes than are kept of a sample: what is left out is summed up, and hardly matters.
TEST(LabelScores, KeepingFewOfManyClassesChangesLittle) {
  const Clusters clusters(150, 12, 1.2, 0.2, 3, 32);
  LabelScoreOptions few, all;
  few.cross_fit.scoring.discriminant.candidates = 48;
  all.cross_fit.scoring.discriminant.candidates = 150;
  all.cross_fit.scoring.discriminant.shortlist = 150;
  const auto a = clusters.score(few);
  const auto b = clusters.score(all);
  double apart = 0;
  for (std::size_t i = 0; i < a.rows.size(); ++i) {
    apart += std::abs(a.rows[i].p_mislabelled - b.rows[i].p_mislabelled);
    EXPECT_GE(a.rows[i].p_given, 0);
    EXPECT_LE(a.rows[i].p_given, 1.0001F);
  }
  EXPECT_LT(apart / static_cast<double>(a.rows.size()), 0.005);
  double wrong = 0, found = 0;
  for (const auto& row : a.rows) {
    if (row.label == *row.true_label) continue;
    ++wrong;
    found += row.p_mislabelled > 0.5 && row.suggested == *row.true_label;
  }
  EXPECT_GT(found / wrong, 0.8);
}

TEST(LabelScores, ClassesWithoutScatterAreScored) {
  for (const double spread : {0.0, 1e-5, 1e-4, 1e-3}) {
    const Clusters collapsed(6, 20, spread, 0.2, 1, 64);
    const auto rows = collapsed.score().rows;
    for (std::size_t i = 0; i < rows.size(); ++i)
      EXPECT_EQ(rows[i].p_mislabelled > 0.5, rows[i].label != *rows[i].true_label) << spread << " " << i;
  }
  for (const auto& row : Clusters(20, 1, 0.5, 0).score().rows) EXPECT_EQ(row.fold, -1);
  for (const auto& row : Clusters(2, 3, 0.5, 0).score().rows) EXPECT_LT(row.p_mislabelled, 0.5F);
}

// Features that lean towards the given label, as those of a network trained on it do, hide errors; those of a
// network that has not seen the fold do not.
TEST(LabelScores, FoldModelsFindWhatLeaningFeaturesHide) {
  const Clusters clusters(8, 40, 1.0, 0.25, 9);
  const auto ids = clusters.data.train_ids();
  const auto lean = [&](const FoldPlan* plan, std::int32_t blind_to) {
    auto rows = clusters.embeddings.clone();
    auto means = torch::zeros({8, rows.size(1)});
    for (std::int64_t i = 0; i < rows.size(0); ++i)
      means[*clusters.data.train[static_cast<std::size_t>(i)].true_label] += rows[i] / 40;
    for (std::int64_t i = 0; i < rows.size(0); ++i)
      if (plan == nullptr || plan->fold[static_cast<std::size_t>(i)] != blind_to)
        rows[i] += 0.9 * (means[clusters.data.train[static_cast<std::size_t>(i)].label] - rows[i]);
    return rows;
  };
  LabelScoreOptions plain, folds;
  FoldEmbeddings networks;
  networks.plan = deal_folds(ids, clusters.data.train_class, 8, 4, 1);
  for (std::int32_t fold = 0; fold < 4; ++fold) networks.embeddings.push_back(lean(&networks.plan, fold));
  folds.fold_models = std::make_shared<const FoldEmbeddings>(std::move(networks));
  const auto leaning = lean(nullptr, -1);
  const auto rate = [&](const LabelScoreOptions& options) {
    return score_labels(clusters.data, leaning, nullptr, {}, options).estimates.noise_rate.rate;
  };
  EXPECT_LT(rate(plain), 0.05);
  EXPECT_NEAR(rate(folds), 0.25, 0.06);
}

TEST(LabelScores, SuggestTheTrueClassAndMeanWhatTheySay) {
  const Clusters clusters(8, 40, 1.0, 0.25);
  const auto scores = clusters.score();
  double said = 0;
  double wrong = 0;
  double found = 0;
  double suggested_right = 0;
  for (const auto& row : scores.rows) {
    said += row.p_mislabelled;
    if (row.label == *row.true_label) continue;
    ++wrong;
    found += row.p_mislabelled > 0.5;
    suggested_right += row.suggested == *row.true_label;
  }
  EXPECT_NEAR(said, wrong, 0.03 * 320);
  EXPECT_GT(found / wrong, 0.95);
  EXPECT_GT(suggested_right / wrong, 0.95);
  const auto& rate = scores.estimates.noise_rate;
  EXPECT_LE(rate.low, wrong / 320);
  EXPECT_GE(rate.high, wrong / 320);
}

TEST(LabelScores, MoreRoundsAverageOutTheLuckOfTheFolds) {
  const Clusters clusters(10, 24, 2.2, 0.3, 5, 48);
  LabelScoreOptions one, four;
  one.rounds = 1;
  four.rounds = 4;
  // How far the probabilities of two seeds lie apart.
  const auto distance = [&](LabelScoreOptions options) {
    options.cross_fit.seed = 1;
    const auto a = clusters.score(options);
    options.cross_fit.seed = 2;
    const auto b = clusters.score(options);
    double sum = 0;
    for (std::size_t i = 0; i < a.rows.size(); ++i)
      sum += std::abs(a.rows[i].p_mislabelled - b.rows[i].p_mislabelled);
    return sum / static_cast<double>(a.rows.size());
  };
  EXPECT_LT(distance(four), 0.8 * distance(one));
}

TEST(LabelScores, ProgressRisesToItsEndOnce) {
  LabelScoreOptions options;
  std::vector<std::pair<std::uint64_t, std::uint64_t>> seen;
  options.rounds = 2;
  options.cross_fit.progress = [&](std::uint64_t done, std::uint64_t total) {
    seen.emplace_back(done, total);
  };
  Clusters(5, 12, 0.8, 0.2).score(options);
  ASSERT_FALSE(seen.empty());
  for (std::size_t i = 1; i < seen.size(); ++i) {
    EXPECT_GT(seen[i].first, seen[i - 1].first);
    EXPECT_EQ(seen[i].second, seen[0].second);
  }
  EXPECT_EQ(seen.back().first, seen.back().second);
}

TEST(LabelScores, DoNotDependOnTheSizeOfTheNumbers) {
  auto clusters = Clusters(5, 30, 1.0, 0.2);
  const auto usual = clusters.score();
  const auto embeddings = clusters.embeddings;
  for (const float factor : {1e30F, 1e-30F}) {
    clusters.embeddings = embeddings * factor;
    const auto scores = clusters.score();
    for (std::size_t i = 0; i < scores.rows.size(); ++i) {
      ASSERT_NEAR(scores.rows[i].p_mislabelled, usual.rows[i].p_mislabelled, 1e-3) << factor;
      ASSERT_TRUE(std::isfinite(scores.rows[i].margin));
    }
  }
}

TEST(LabelScores, NothingIsNotANumberWhereNobodyCanJudge) {
  const Clusters clusters(2, 1, 1.0, 0);
  LabelScoreOptions options;
  options.cross_fit.folds = 2;
  for (const auto& row : clusters.score(options).rows) {
    EXPECT_TRUE(std::isfinite(row.margin));
    EXPECT_TRUE(std::isfinite(row.suspicion));
    for (const auto& rival : row.rivals) EXPECT_TRUE(std::isfinite(rival.probability));
  }
}

TEST(LabelScores, ALoneSampleIsNotJudgedAndTheNotesSaySo) {
  Clusters clusters(5, 12, 0.8, 0.2);
  clusters.data.info.classes.push_back({"lonely", "", ""});
  clusters.data.train[7].label = 5;
  clusters.data.train[7].true_label = 5;
  index_classes(clusters.data);
  const auto scores = clusters.score();
  EXPECT_EQ(scores.rows[7].fold, -1);
  EXPECT_NEAR(scores.rows[7].p_mislabelled, scores.estimates.noise_rate.rate, 1e-4);
  EXPECT_TRUE(scores.rows[7].near_given.empty());
  ASSERT_FALSE(scores.notes.empty());
  EXPECT_NE(scores.notes.front().find("single sample"), std::string::npos);
  for (std::size_t i = 0; i < scores.rows.size(); ++i) EXPECT_EQ(scores.rows[i].fold < 0, i == 7);
}

TEST(LabelScores, ClassesOfTwoAreJudgedByTheOtherSample) {
  const Clusters clusters(12, 2, 0.3, 0);
  for (const auto& row : clusters.score().rows) {
    EXPECT_GE(row.fold, 0);
    EXPECT_TRUE(std::isfinite(row.suspicion));
    EXPECT_LT(row.p_mislabelled, 0.5F);
  }
}

// Of two labels that disagree each accuses the other: the total must not count both.
TEST(LabelScores, ClassesOfTwoThatDisagreeDoNotCountTwice) {
  const Clusters clusters(100, 2, 0.6, 0.2, 3);
  double wrong = 0;
  for (const auto& sample : clusters.data.train) wrong += sample.label != *sample.true_label;
  const auto rate = clusters.score().estimates.noise_rate;
  EXPECT_LE(rate.low, wrong / 200);
  EXPECT_GE(rate.high, wrong / 200);
  EXPECT_LT(rate.rate, 1.5 * wrong / 200);
}

TEST(LabelScores, KeepWhatTrainingSawAndFillInForSamplesNeverSeen) {
  const Clusters clusters(3, 10, 1.0, 0.2);
  std::vector<float> loss(30, 1.5F);
  const std::vector<float> sigma(30, 0.25F);
  loss[2] = std::nanf("");
  const auto rows = score_labels(clusters.data, clusters.embeddings, nullptr, {loss, sigma}, {}).rows;
  EXPECT_EQ(rows[0].proxy_loss, 1.5F);
  EXPECT_EQ(rows[0].confidence, 0.25F);
  EXPECT_TRUE(std::isfinite(rows[2].proxy_loss));
  EXPECT_EQ(rows[2].confidence, 1.0F);
}

TEST(LabelScores, RefuseWhatCannotBeScored) {
  Clusters clusters(4, 6, 1.0, 0.2);
  const auto good = clusters.embeddings.clone();
  clusters.embeddings[3][1] = std::nanf("");
  test::expect_error([&] { clusters.score(); }, {"sample 1003", "nan", "finite"});
  clusters.embeddings = good.clone();
  clusters.embeddings[5].zero_();
  test::expect_error([&] { clusters.score(); }, {"sample 1005", "zeros"});
  clusters.embeddings = good.slice(0, 0, 20);
  test::expect_error([&] { clusters.score(); }, {"24 samples", "20 embeddings"});
  clusters.embeddings = good;
  clusters.data.train[1].id = clusters.data.train[0].id;
  test::expect_error([&] { clusters.score(); }, {"sample 1000", "twice"});
  clusters.data.train[1].id = 1;
  clusters.data.train[2].label = 9;
  index_classes(clusters.data);
  test::expect_error([&] { clusters.score(); }, {"label 9", "4 classes"});
  for (auto& sample : clusters.data.train) sample.label = 0;
  index_classes(clusters.data);
  test::expect_error([&] { clusters.score(); }, {"single class"});
}

}  // namespace
}  // namespace procsim::train
