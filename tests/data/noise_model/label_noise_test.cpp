#include "data/noise_model/label_noise.hpp"

#include <cmath>

#include <gtest/gtest.h>

#include "data/noise_model/noise_fit.hpp"
#include "tests/data/noise_model/simulated_scores.hpp"
#include "tests/train/expected_values.hpp"

namespace procsim {
namespace {

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

// The rounds look at a third of the samples, the last pass at all of them, in parts.
TEST(NoiseFit, APartOfTheSamplesWillDoWhereAllAreCountedLast) {
  const Simulated set(20, 6000, 0.3, Simulated::Kind::kSibling, 8);
  const auto distances = families(20);
  const auto scores = scores_of(set.table, set.given, 20);
  const auto add = [&](NoiseSamples& samples, std::size_t i) {
    samples.add(scores, static_cast<std::int64_t>(i), set.given[i]);
  };
  NoiseSamples third(distances, 20, 2000), everything(distances, 20, 6000);
  for (std::size_t i = 0; i < 6000; ++i) {
    if (i % 3 == 0) add(third, i);
    add(everything, i);
  }
  const NoiseParts in_parts = [&](const auto& visit) {
    NoiseSamples part(distances, 20, 1000);
    for (std::size_t i = 0; i < 6000; ++i) {
      add(part, i);
      if (i % 1000 < 999) continue;
      visit(part);
      part.clear();
    }
  };
  const auto whole = fit_noise(everything, {});
  const auto same = fit_noise(everything, {}, nullptr, in_parts);
  EXPECT_EQ(same.noise.class_rate, whole.noise.class_rate) << "parts add up to the bit";
  EXPECT_EQ(same.noise.pair_wrong, whole.noise.pair_wrong);
  EXPECT_EQ(same.prior, whole.prior);
  const auto drawn = fit_noise(third, {}, nullptr, in_parts);
  EXPECT_NEAR(drawn.noise.rate, whole.noise.rate, 0.01);
  EXPECT_NEAR(drawn.scale, whole.scale, 0.05 * whole.scale);
  double errors = 0;
  for (const double wrong : drawn.noise.class_wrong) errors += wrong;
  EXPECT_NEAR(errors, 6000 * set.wrong_share(), 120) << "of all samples, not of a third";
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

}  // namespace
}  // namespace procsim
