#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "tests/train/loss_test.hpp"
#include "train/methods/registry.hpp"

namespace procsim::train {

// Losses by the name that users give, against what tests/train/expected/make_rivals.py computed.
class RivalTest : public LossTest {
 protected:
  nlohmann::json rivals = test::expected_values("rivals.json");
  LossBatch six{matrix(rivals["embeddings"]), labels_of(rivals["labels"]), {}};
  TrainConfig config;
  std::optional<double> rate;  // of wrong labels, for those that need it

  static torch::Tensor labels_of(const nlohmann::json& labels) {
    return torch::tensor(labels.get<std::vector<std::int64_t>>(), torch::kInt64);
  }

  // The loss of a fresh method, in double precision.
  std::unique_ptr<Objective> loss(const std::string& name, const nlohmann::ordered_json& options = {},
                                  std::int64_t classes = 3, std::int64_t dimension = 2) {
    for (const auto& [option, value] : options.items()) config.options[option] = value;
    models_.push_back(std::make_unique<Embedder>(make_backbone("small", 1, false), dimension, 1));
    networks_.push_back(std::make_unique<Network>(*models_.back(), OptimizerOptions{}, "fp32"));
    parts_.push_back(std::make_unique<MethodParts>(
        MethodParts{.config = config, .network = *networks_.back(), .classes = classes, .noise_rate = rate}));
    const auto& component = builtin_registry().loss(name);
    if (component.check) component.check(config);
    auto made = component.make(*parts_.back());
    for (auto& [parameter, tensor] : made->parameters()) tensor.set_data(tensor.to(torch::kFloat64));
    return made;
  }
  // One for the batch of twelve whose gradients are checked.
  std::unique_ptr<Objective> loss_of_twelve(const std::string& name,
                                            const nlohmann::ordered_json& options = {}) {
    return loss(name, options, 4, 6);
  }
  MethodParts& parts() { return *parts_.back(); }

  static void set(Objective& objective, const torch::Tensor& values) {
    objective.parameters().front().second.set_data(values);
  }
  static void expect_close(const torch::Tensor& actual, const nlohmann::json& values) {
    const auto wanted = vector(values);
    ASSERT_EQ(actual.sizes(), wanted.sizes());
    EXPECT_LT((actual - wanted).abs().max().item<double>(), 1e-9) << actual << wanted;
  }
  void expect_gradients_of(Objective& objective) {
    expect_gradients([&](const LossBatch& input) { return objective(input); });
  }
  // A loss and gradients that are numbers; returns the loss.
  static double finite_loss(Objective& objective, LossBatch input) {
    input.embeddings = input.embeddings.clone().requires_grad_(true);
    const auto value = objective(input).mean();
    value.backward();
    EXPECT_TRUE(torch::isfinite(value).item<bool>());
    EXPECT_TRUE(input.embeddings.grad().defined()) << "no path to the embeddings";
    EXPECT_TRUE(torch::isfinite(input.embeddings.grad()).all().item<bool>());
    return value.item<double>();
  }
  LossBatch with_labels(const std::vector<std::int64_t>& labels) const {
    auto other = six;
    other.labels = torch::tensor(labels, torch::kInt64);
    return other;
  }
  LossBatch all_at_one_place() const {
    auto other = six;
    other.embeddings = six.embeddings.slice(0, 0, 1).expand({6, 2}).clone();
    return other;
  }
  // The edges of every loss over pairs: no positives, no negatives, embeddings that coincide.
  void expect_finite_at_the_edges(Objective& objective) {
    finite_loss(objective, with_labels({0, 1, 2, 3, 4, 5}));
    finite_loss(objective, with_labels({0, 0, 0, 0, 0, 0}));
    finite_loss(objective, all_at_one_place());
  }

 private:
  std::vector<std::unique_ptr<Embedder>> models_;
  std::vector<std::unique_ptr<Network>> networks_;
  std::vector<std::unique_ptr<MethodParts>> parts_;
};

}  // namespace procsim::train
