#include <gtest/gtest.h>

#include "tests/train/rival_test.hpp"
#include "train/losses/class_vectors.hpp"

namespace procsim::train {
namespace {

struct Same {
  std::string name;  // in the expected values
  std::string loss;
  nlohmann::ordered_json options{};
  std::string vectors{};  // which rows it has of its classes; empty: none
};

void PrintTo(const Same& same, std::ostream* out) { *out << same.name; }

// Losses that pytorch-metric-learning has too: what that library computed
// (expected/make_pytorch_metric_learning.py), value and gradient, of embeddings that are not at unit length.
class SameAsPytorchMetricLearning : public RivalTest, public ::testing::WithParamInterface<Same> {};

TEST_P(SameAsPytorchMetricLearning, InValueAndGradient) {
  const auto theirs = test::expected_values("pytorch_metric_learning.json");
  const auto& wanted = theirs.at(GetParam().name);
  const auto objective = loss(GetParam().loss, GetParam().options, 4, 4);
  if (!GetParam().vectors.empty()) set(*objective, matrix(theirs.at(GetParam().vectors)));
  const auto rows = matrix(theirs.at("embeddings")).requires_grad_(true);
  const auto value = (*objective)({unit_rows(rows), labels_of(theirs.at("labels")), {}}).mean();
  value.backward();
  EXPECT_NEAR(value.item<double>(), wanted.at("value").get<double>(), 1e-6);
  EXPECT_LT((rows.grad() - matrix(wanted.at("gradient"))).abs().max().item<double>(), 1e-6);
}

INSTANTIATE_TEST_SUITE_P(
    Losses, SameAsPytorchMetricLearning,
    ::testing::Values(
        Same{"triplet", "triplet", {{"triplet_form", "all"}}},
        Same{"lifted_original", "lifted", {{"lifted_form", "original"}}},
        Same{"lifted_generalised", "lifted", {{"lifted_form", "generalised"}}},
        Same{"contrastive", "contrastive"}, Same{"fastap", "fastap"}, Same{"circle", "circle"},
        Same{"nsoftmax", "nsoftmax", {}, "weights"},
        Same{"soft_triple", "soft-triple", {{"soft_triple_centres", 2}}, "centres"},
        Same{"proxy_anchor", "proxy-anchor", {}, "weights"},
        Same{"subcentre_arcface", "subcentre-arcface", {{"subcentre_arcface_centres", 2}}, "centres"}),
    [](const auto& parameter) { return parameter.param.name; });

}  // namespace
}  // namespace procsim::train
