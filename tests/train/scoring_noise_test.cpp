#include <algorithm>
#include <cmath>
#include <numeric>

#include <gtest/gtest.h>

#include "data/base/keyed_random.hpp"
#include "taxonomy/tree/class_tree.hpp"
#include "tests/train/expected_values.hpp"
#include "train/scoring/dominant_confusions.hpp"
#include "train/scoring/label_noise.hpp"
#include "train/scoring/noise_estimates.hpp"

namespace procsim::train {
namespace {

// ((0 1) (2 3 4)) 5
taxonomy::ClassTree small_tree() {
  taxonomy::ClassTree tree;
  tree.nodes.resize(9);
  const auto hang = [&](std::int32_t node, std::int32_t parent) {
    tree.nodes[static_cast<std::size_t>(node)].parent = parent;
    tree.nodes[static_cast<std::size_t>(parent)].children.push_back(node);
  };
  hang(1, 0);  // all but class 5
  hang(2, 1);  // 0 and 1
  hang(3, 1);  // 2, 3 and 4
  tree.leaf_of = {4, 5, 6, 7, 8, 9};
  tree.nodes.resize(10);
  for (std::int32_t label = 0; label < 6; ++label) {
    const auto leaf = tree.leaf_of[static_cast<std::size_t>(label)];
    tree.nodes[static_cast<std::size_t>(leaf)].label = label;
    hang(leaf, label == 5 ? 0 : label < 2 ? 2 : 3);
  }
  return tree;
}

ClassDistances small_distances() { return {small_tree(), std::vector<std::int32_t>{0, 1, 2, 3, 4, 5}}; }

// Scores with every class kept, best first.
ClassScores scores_of(const std::vector<std::vector<double>>& table, std::span<const std::int64_t> given,
                      std::int64_t kept) {
  const auto classes = static_cast<std::int64_t>(table.front().size());
  ClassScores scores(static_cast<std::int64_t>(table.size()), classes, kept);
  for (std::size_t i = 0; i < table.size(); ++i) {
    std::vector<std::int32_t> order(table[i].size());
    std::iota(order.begin(), order.end(), 0);
    std::sort(order.begin(), order.end(), [&](auto a, auto b) {
      return table[i][static_cast<std::size_t>(a)] > table[i][static_cast<std::size_t>(b)];
    });
    scores.given[i] = static_cast<float>(table[i][static_cast<std::size_t>(given[i])]);
    scores.given_at[i] = -1;
    double sum = 0;
    double squares = 0;
    for (std::size_t k = 0; k < order.size(); ++k) {
      const double value = table[i][static_cast<std::size_t>(order[k])];
      if (static_cast<std::int64_t>(k) < scores.width) {
        const auto place = i * static_cast<std::size_t>(scores.width) + k;
        scores.candidate[place] = order[k];
        scores.score[place] = static_cast<float>(value);
        if (order[k] == given[i]) scores.given_at[i] = static_cast<std::int32_t>(k);
      } else if (order[k] != given[i]) {
        sum += value;
        squares += value * value;
        ++scores.rest_count[i];
      }
    }
    if (scores.rest_count[i] > 0) {
      const double mean = sum / scores.rest_count[i];
      scores.rest_mean[i] = static_cast<float>(mean);
      scores.rest_variance[i] = static_cast<float>(squares / scores.rest_count[i] - mean * mean);
    }
  }
  return scores;
}

TEST(ClassDistances, CountsTheStepsUntilTheOtherClassIsBelow) {
  const auto distances = small_distances();
  EXPECT_EQ(distances.steps(), 3);
  EXPECT_EQ(distances.distance(0, 0), 0);
  EXPECT_EQ(distances.distance(0, 1), 1);
  EXPECT_EQ(distances.distance(0, 4), 2);
  EXPECT_EQ(distances.distance(2, 5), 3);
  EXPECT_EQ(distances.distance(5, 2), 1);
  EXPECT_EQ(distances.others_below(0, 1), 1);
  EXPECT_EQ(distances.others_below(3, 1), 2);
  EXPECT_EQ(distances.others_below(3, 2), 4);
  EXPECT_EQ(distances.others_below(5, 3), 5);
}

// Class 0 loses labels to class 5, across the tree, and to class 1, its sibling.
TEST(ClassDistances, DominantConfusionsComeBeforeTheSteps) {
  const auto plain = small_distances();
  std::vector<ClassDistances::DominantConfusions> dominant(6, {ClassDistances::kNone, ClassDistances::kNone});
  dominant[0] = {5, 1};
  const auto distances = plain.with_dominant_confusions(dominant);
  EXPECT_EQ(distances.steps(), plain.steps() + 1);
  EXPECT_EQ(distances.distance(0, 0), 0);
  EXPECT_EQ(distances.distance(0, 5), 1);
  EXPECT_EQ(distances.distance(0, 1), 1);
  EXPECT_EQ(distances.distance(5, 0), 1 + plain.distance(5, 0)) << "not the other way round";
  EXPECT_EQ(distances.distance(0, 2), 1 + plain.distance(0, 2));
  EXPECT_EQ(distances.others_below(0, 1), 2);
  EXPECT_EQ(distances.others_below(0, 2), plain.others_below(0, 1) + 1)
      << "siblings, and the dominant confusion from afar";
  EXPECT_EQ(distances.others_below(0, distances.steps()), 5);
  EXPECT_EQ(distances.others_below(1, 1), 0);
  EXPECT_EQ(distances.others_below(1, 2), plain.others_below(1, 1));
}

// Errors by true class · 4 + given class.
TEST(DominantConfusions, AreTheMostFrequentErrorsOfAClass) {
  const std::unordered_map<std::uint64_t, double> pairs{{0 * 4 + 1, 6}, {0 * 4 + 2, 10}, {0 * 4 + 3, 7},
                                                        {1 * 4 + 0, 4}, {2 * 4 + 3, 5},  {3 * 4 + 0, 5}};
  const std::vector<double> all{23, 4, 30, 10};
  const auto found = find_dominant_confusions(pairs, all, {5, 0.25});
  EXPECT_EQ(found[0], (ClassDistances::DominantConfusions{2, 3})) << "two at most, most errors first";
  EXPECT_EQ(found[1][0], ClassDistances::kNone) << "too few";
  EXPECT_EQ(found[2][0], ClassDistances::kNone) << "a small part of them";
  EXPECT_EQ(found[3], (ClassDistances::DominantConfusions{0, ClassDistances::kNone}));
}

TEST(ClassDistances, WithoutATreeEveryOtherClassIsOneStepAway) {
  const ClassDistances distances(4);
  EXPECT_EQ(distances.steps(), 1);
  EXPECT_EQ(distances.distance(0, 3), 1);
  EXPECT_EQ(distances.others_below(2, 1), 3);
}

TEST(ClassDistances, ClassesThatLookAlikeAreNear) {
  // Each class's list: the others in rising order after it, round a ring of 15.
  std::vector<std::vector<std::int32_t>> alike(15);
  for (std::int32_t c = 0; c < 15; ++c)
    for (std::int32_t k = 1; k <= 12; ++k) alike[static_cast<std::size_t>(c)].push_back((c + k) % 15);
  const ClassDistances distances(alike, {});
  EXPECT_EQ(distances.steps(), 4);
  EXPECT_EQ(distances.distance(4, 4), 0);
  EXPECT_EQ(distances.distance(4, 5), 1);
  EXPECT_EQ(distances.distance(4, 7), 2);
  EXPECT_EQ(distances.distance(4, 8), 3);
  EXPECT_EQ(distances.distance(4, 14), 3);
  EXPECT_EQ(distances.distance(4, 0), 4);  // eleventh of the list
  EXPECT_EQ(distances.others_below(4, 1), 1);
  EXPECT_EQ(distances.others_below(4, 2), 3);
  EXPECT_EQ(distances.others_below(4, 3), 10);
  EXPECT_EQ(distances.others_below(4, 4), 14);
  const ClassDistances few({{1, 2, 3, 4}, {0, 2, 3, 4}, {0, 1, 3, 4}, {0, 1, 2, 4}, {0, 1, 2, 3}}, {});
  EXPECT_EQ(few.steps(), 3);
  EXPECT_EQ(few.distance(0, 4), 3);
  EXPECT_EQ(few.others_below(0, 3), 4);
  EXPECT_EQ(ClassDistances({{1}, {0}}, {}).distance(0, 1), 1);
}

struct ExpectedBeliefs {
  nlohmann::json values = test::expected_values("scoring.json")["beliefs"];
  ClassDistances distances = small_distances();
  std::vector<std::int64_t> given = values["given"].get<std::vector<std::int64_t>>();
  NoiseFit fit{.scale = values["scale"], .noise = LabelNoise(distances), .prior = {}, .log_likelihood = 0};

  ExpectedBeliefs() {
    auto& noise = fit.noise;
    noise.class_rate = values["rate"].get<std::vector<double>>();
    const auto share = values["share"].get<std::vector<double>>();
    for (std::int64_t c = 0; c < 6; ++c) {
      double sum = 0;
      for (int step = 3; step >= 1; --step) {
        sum +=
            share[static_cast<std::size_t>(step - 1)] / static_cast<double>(distances.others_below(c, step));
        noise.spread[static_cast<std::size_t>(c * 4 + step)] = sum;
      }
    }
  }
  ClassScores scores() const {
    return scores_of(values["scores"].get<std::vector<std::vector<double>>>(), given, 6);
  }
};

TEST(LabelNoise, TransitionsAreThoseOfTheEnumeratedMatrix) {
  const ExpectedBeliefs expected;
  for (std::int64_t c = 0; c < 6; ++c)
    for (std::int64_t y = 0; y < 6; ++y)
      EXPECT_NEAR(
          expected.fit.noise.transition(c, y, expected.distances.distance(c, y)),
          expected.values["matrix"][static_cast<std::size_t>(c)][static_cast<std::size_t>(y)].get<double>(),
          1e-12);
}

TEST(LabelNoise, BeliefsAreThoseOfBayesRule) {
  const ExpectedBeliefs expected;
  const auto scores = expected.scores();
  for (std::int64_t i = 0; i < 3; ++i) {
    const auto own = expected.given[static_cast<std::size_t>(i)];
    const auto beliefs = expected.fit.beliefs(scores, i, own, expected.distances);
    const auto row = expected.values["beliefs"][static_cast<std::size_t>(i)].get<std::vector<double>>();
    EXPECT_NEAR(beliefs.given, row[static_cast<std::size_t>(own)], 1e-6);
    EXPECT_NEAR(beliefs.evidence, expected.values["evidence"][static_cast<std::size_t>(i)].get<double>(),
                1e-6);
    const auto candidates = scores.candidates_of(i);
    for (std::size_t k = 0; k < candidates.size(); ++k) {
      if (candidates[k] == own) continue;
      EXPECT_NEAR(beliefs.kept[k], row[static_cast<std::size_t>(candidates[k])], 1e-6);
    }
  }
}

TEST(LabelNoise, BeliefsCountHowOftenClassesOccur) {
  ExpectedBeliefs expected;
  expected.fit.prior = expected.values["prior"].get<std::vector<double>>();
  const auto scores = expected.scores();
  for (std::int64_t i = 0; i < 3; ++i) {
    const auto own = expected.given[static_cast<std::size_t>(i)];
    ClassShares shares;
    expected.fit.shares(scores, i, own, shares);
    const auto sized = expected.values["sized"][static_cast<std::size_t>(i)].get<std::vector<double>>();
    const auto row = expected.values["sized_beliefs"][static_cast<std::size_t>(i)].get<std::vector<double>>();
    EXPECT_NEAR(shares.given, sized[static_cast<std::size_t>(own)], 1e-6);
    EXPECT_NEAR(expected.fit.beliefs(scores, i, own, expected.distances).given,
                row[static_cast<std::size_t>(own)], 1e-6);
  }
}

// Classes whose scores are normal around 0, around 0.5 for the true one: the softmax of scale 0.5/deviation²
// is then the exact probability of each class.
struct Simulated {
  static constexpr double kDeviation = 0.15;
  std::vector<std::int64_t> truth, given;
  std::vector<std::vector<double>> table;

  enum class Kind { kUniform, kSibling };
  Simulated(std::int64_t classes, std::int64_t count, double rate, Kind kind, std::uint64_t seed) {
    const KeyedRandom random(seed, "test/simulated-scores");
    for (std::int64_t i = 0; i < count; ++i) {
      auto draws = random.for_id(i);
      const auto c = static_cast<std::int64_t>(draws.below(static_cast<std::uint64_t>(classes)));
      auto y = c;
      if (draws.uniform() < rate)
        y = kind == Kind::kSibling
                ? c / 4 * 4 + (c % 4 + 1 + static_cast<std::int64_t>(draws.below(3))) % 4
                : (c + 1 + static_cast<std::int64_t>(draws.below(static_cast<std::uint64_t>(classes - 1)))) %
                      classes;
      truth.push_back(c);
      given.push_back(y);
      auto& row = table.emplace_back();
      for (std::int64_t k = 0; k < classes; ++k)
        row.push_back((k == c ? 0.5 : 0) + kDeviation * draws.normal());
    }
  }
  double wrong_share() const {
    double wrong = 0;
    for (std::size_t i = 0; i < truth.size(); ++i) wrong += truth[i] != given[i];
    return wrong / static_cast<double>(truth.size());
  }
};

// Families of four.
ClassDistances families(std::int64_t classes) {
  taxonomy::ClassTree tree;
  tree.nodes.resize(static_cast<std::size_t>(1 + classes / 4 + classes));
  std::vector<std::int32_t> labels;
  for (std::int32_t c = 0; c < classes; ++c) {
    const auto family = 1 + c / 4;
    const auto leaf = static_cast<std::int32_t>(1 + classes / 4 + c);
    tree.nodes[static_cast<std::size_t>(family)].parent = 0;
    tree.nodes[static_cast<std::size_t>(leaf)].parent = family;
    tree.leaf_of.push_back(leaf);
    labels.push_back(c);
  }
  return {tree, labels};
}

TEST(NoiseFit, RecoversScaleAndRateOfWellSpecifiedScores) {
  const Simulated set(20, 3000, 0.3, Simulated::Kind::kUniform, 1);
  const auto fit = fit_noise(scores_of(set.table, set.given, 20), set.given, ClassDistances(20));
  EXPECT_NEAR(fit.scale, 0.5 / (0.15 * 0.15), 1.5);
  EXPECT_NEAR(fit.noise.rate, set.wrong_share(), 0.015);
}

// The fit passes over the samples in floats and tables, beliefs are computed one by one: both must see the
// same.
TEST(NoiseFit, TheFitAndItsBeliefsSeeTheSameEvidence) {
  const Simulated set(20, 2000, 0.3, Simulated::Kind::kSibling, 5);
  const auto distances = families(20);
  for (const std::int64_t kept : {20, 8}) {
    const auto scores = scores_of(set.table, set.given, kept);
    const auto fit = fit_noise(scores, set.given, distances);
    double sum = 0;
    for (std::size_t i = 0; i < set.given.size(); ++i)
      sum += std::log(fit.beliefs(scores, static_cast<std::int64_t>(i), set.given[i], distances).evidence);
    EXPECT_NEAR(sum / 2000, fit.log_likelihood, 2e-3) << kept;
  }
}

TEST(NoiseFit, ClassesHaveRatesOfTheirOwnWhereTheyDifferByMoreThanChance) {
  Simulated set(20, 3000, 0.15, Simulated::Kind::kUniform, 6);
  const auto alike = fit_noise(scores_of(set.table, set.given, 20), set.given, families(20)).noise;
  const auto [low, high] = std::minmax_element(alike.class_rate.begin(), alike.class_rate.end());
  EXPECT_LT(*high - *low, 0.05);
  // Every other class keeps its labels, the rest lose twice as many.
  const Simulated noisy(20, 3000, 0.3, Simulated::Kind::kUniform, 6);
  for (std::size_t i = 0; i < set.given.size(); ++i)
    set.given[i] = set.truth[i] % 2 == 0 ? set.truth[i] : noisy.given[i];
  const auto apart = fit_noise(scores_of(set.table, set.given, 20), set.given, families(20)).noise;
  for (std::size_t c = 0; c < 20; ++c) {
    if (c % 2 == 0)
      EXPECT_LT(apart.class_rate[c], 0.12) << c;
    else
      EXPECT_GT(apart.class_rate[c], 0.18) << c;
  }
}

TEST(NoiseFit, LargeClassesAreMoreProbable) {
  // Class 0 has half of the samples.
  const Simulated set(10, 3000, 0, Simulated::Kind::kUniform, 7);
  std::vector<std::vector<double>> table;
  std::vector<std::int64_t> given;
  for (std::size_t i = 0; i < set.given.size(); ++i)
    if (set.given[i] == 0 || i % 9 == 0) {
      table.push_back(set.table[i]);
      given.push_back(set.given[i]);
    }
  const auto fit = fit_noise(scores_of(table, given, 10), given, ClassDistances(10));
  ASSERT_EQ(fit.prior.size(), 10U);
  EXPECT_GT(fit.prior[0], 3);
  for (std::size_t c = 1; c < 10; ++c) EXPECT_LT(fit.prior[c], 1) << c;
  // Classes of about the same size count as equal.
  for (const double prior :
       fit_noise(scores_of(set.table, set.given, 10), set.given, ClassDistances(10)).prior)
    EXPECT_EQ(prior, 1);
}

TEST(NoiseFit, KeepingFewClassesChangesLittle) {
  const Simulated set(60, 2000, 0.3, Simulated::Kind::kUniform, 2);
  const auto all = fit_noise(scores_of(set.table, set.given, 60), set.given, ClassDistances(60));
  const auto few = fit_noise(scores_of(set.table, set.given, 12), set.given, ClassDistances(60));
  EXPECT_NEAR(few.scale, all.scale, 0.05 * all.scale);
  EXPECT_NEAR(few.noise.rate, all.noise.rate, 0.01);
}

TEST(NoiseFit, FindsOutWhetherErrorsStayInTheFamily) {
  const auto distances = families(20);
  const Simulated sibling(20, 3000, 0.3, Simulated::Kind::kSibling, 3);
  const auto within = fit_noise(scores_of(sibling.table, sibling.given, 20), sibling.given, distances);
  EXPECT_GT(within.noise.step_share[1], 0.9);
  EXPECT_NEAR(within.noise.rate, sibling.wrong_share(), 0.02);
  const Simulated uniform(20, 3000, 0.3, Simulated::Kind::kUniform, 3);
  const auto across = fit_noise(scores_of(uniform.table, uniform.given, 20), uniform.given, distances);
  EXPECT_GT(across.noise.step_share[2], 0.9);
}

TEST(NoiseFit, ACleanSetIsNotAccused) {
  const Simulated set(20, 2000, 0, Simulated::Kind::kUniform, 4);
  const auto fit = fit_noise(scores_of(set.table, set.given, 20), set.given, families(20));
  EXPECT_LT(fit.noise.rate, 0.01);
}

TEST(NoiseFit, ProbabilitiesMeanWhatTheySayAndIntervalsCoverTheTruth) {
  int covered = 0;
  constexpr int runs = 20;
  double error = 0;
  for (int run = 0; run < runs; ++run) {
    const double rate = 0.5 * run / (runs - 1);
    const auto kind = run % 2 == 0 ? Simulated::Kind::kUniform : Simulated::Kind::kSibling;
    const Simulated set(20, 1000, rate, kind, 100 + static_cast<std::uint64_t>(run));
    const auto distances = families(20);
    const auto scores = scores_of(set.table, set.given, 20);
    const auto fit = fit_noise(scores, set.given, distances);
    std::vector<double> probabilities;
    std::vector<double> said(10, 0);
    std::vector<double> seen(10, 0);
    for (std::size_t i = 0; i < set.given.size(); ++i) {
      probabilities.push_back(
          1 - fit.beliefs(scores, static_cast<std::int64_t>(i), set.given[i], distances).given);
      const auto bin = std::min<std::size_t>(9, static_cast<std::size_t>(probabilities.back() * 10));
      said[bin] += probabilities.back();
      seen[bin] += set.truth[i] != set.given[i];
    }
    const auto count = count_wrong(probabilities, 20);
    const double truth = set.wrong_share() * 1000;
    covered += count.low <= truth && truth <= count.high;
    for (std::size_t bin = 0; bin < 10; ++bin) error += std::abs(said[bin] - seen[bin]) / 1000 / runs;
  }
  EXPECT_GE(covered, 18);
  EXPECT_LT(error, 0.05);
}

}  // namespace
}  // namespace procsim::train
