#include "train/trust/decorators.hpp"

#include <cmath>
#include <limits>

#include <gtest/gtest.h>

namespace procsim::train {
namespace {

// Says the same of every batch.
class Fixed : public SampleTrust {
 public:
  explicit Fixed(std::vector<double> weight) : weight_(std::move(weight)) {}
  std::vector<Quantity> quantities() const override { return {{.name = "said", .title = ""}}; }
  Trust operator()(const Batch&, const torch::Tensor&) override {
    Trust trust;
    trust.weight = weight_;
    trust.columns = {{"said", weight_}};
    return trust;
  }

 private:
  std::vector<double> weight_;
};

std::unique_ptr<SampleTrust> fixed(std::vector<double> weight = {0.25, 1, 0.5}) {
  return std::make_unique<Fixed>(std::move(weight));
}

Batch batch(std::int64_t epoch = 0) {
  Batch made;
  made.samples = {2, 0, 1};
  made.labels = torch::tensor({0, 0, 1}, torch::kInt64);
  made.epoch = epoch;
  return made;
}

const std::vector<double> kSaid{0.25, 1, 0.5};

TEST(FullTrust, TrustsEveryLabelAndStillReports) {
  FullTrust always(fixed(), std::nullopt);
  const auto trust = always(batch(99), {});
  EXPECT_EQ(trust.weight, std::vector<double>(3, 1.0));
  EXPECT_EQ(trust.columns[0].second, kSaid);
  EXPECT_EQ(always.quantities()[0].name, "said");
}

TEST(FullTrust, EndsAfterSoManyEpochs) {
  FullTrust warm(fixed(), 2);
  EXPECT_EQ(warm(batch(1), {}).weight, std::vector<double>(3, 1.0));
  EXPECT_EQ(warm(batch(2), {}).weight, kSaid);
}

TEST(OracleTrust, KnowsWhichLabelsAreWrong) {
  const std::vector<std::uint8_t> wrong{1, 0, 0};
  OracleTrust oracle(fixed(), wrong);
  EXPECT_EQ(oracle(batch(), {}).weight, (std::vector<double>{1, 0, 1}));
}

TEST(PairScope, TrustsPartnersAsFarAsAnchors) {
  PairScope scope(fixed());
  EXPECT_EQ(scope(batch(), {}).partner, kSaid);
  EXPECT_TRUE(fixed()->operator()(batch(), {}).partner.empty());
}

// The values of an objective that is its first column of embeddings.
class FirstColumn : public Objective {
 public:
  torch::Tensor operator()(const LossBatch& seen) override { return seen.embeddings.select(1, 0); }
};

TEST(SuperLossTrust, HasTheIndependentValues) {
  // ../shared/RIVALS.md: λ 1, τ 1 for losses 0, 0.5, 1, 1.5, 2, 4 (computed there by SciPy); a first batch
  // whose mean is 1 sets τ, and its own values follow from it.
  SuperLossTrust trust(fixed({1, 1, 1, 1}), std::make_shared<FirstColumn>(), 1);
  auto four = batch();
  four.samples = {0, 1, 2, 3};
  four.labels = torch::zeros({4}, torch::kInt64);
  const auto weights = trust(four, torch::tensor({{0.5F}, {1.0F}, {1.5F}, {1.0F}})).weight;
  EXPECT_NEAR(weights[0], 1.429612, 1e-6);
  EXPECT_NEAR(weights[1], 1, 1e-9);
  EXPECT_NEAR(weights[2], 0.815553, 1e-6);
}

TEST(SuperLossTrust, GoesOnWithItsAverage) {
  SuperLossTrust whole(fixed(), std::make_shared<FirstColumn>(), 1);
  whole(batch(), torch::ones({3, 1}));
  TensorFile file;
  whole.save({file, "x"});
  SuperLossTrust restored(fixed(), std::make_shared<FirstColumn>(), 1);
  restored.restore({file, "x"});
  const auto next = torch::full({3, 1}, 3.0F);
  EXPECT_EQ(whole(batch(), next).weight, restored(batch(), next).weight);
}

TEST(Decorators, MakeNothingOfWhatCouldNotBeJudged) {
  const std::vector<double> none(3, std::numeric_limits<double>::quiet_NaN());
  const std::vector<std::uint8_t> wrong(3, 0);
  EXPECT_TRUE(std::isnan(FullTrust(fixed(none), std::nullopt)(batch(), {}).weight[0]));
  EXPECT_TRUE(std::isnan(OracleTrust(fixed(none), wrong)(batch(), {}).weight[0]));
  EXPECT_TRUE(
      std::isnan(SuperLossTrust(fixed(none), std::make_shared<FirstColumn>(), 1)(batch(), torch::ones({3, 1}))
                     .weight[0]));
}

}  // namespace
}  // namespace procsim::train
