#include "train/losses/classifier.hpp"

#include <cmath>

#include "train/frame/component.hpp"
#include "train/frame/option_check.hpp"

namespace procsim::train {
namespace {

constexpr const char* kSoftmaxPrefix = "nsoftmax";
constexpr const char* kLinearPrefix = "classifier";

torch::Tensor classifier_weights(MethodParts& parts, std::string_view purpose) {
  const auto dimension = parts.network.model().dimension();
  const VectorStart start{.scale = 1 / std::sqrt(static_cast<double>(dimension)), .uniform = true};
  return on_device(drawn_rows(parts.classes, dimension, start, parts.config.seed, purpose),
                   parts.network.device());
}

}  // namespace

void NormalisedSoftmaxOptions::validate() const {
  require_option(temperature > 0, "--nsoftmax-temperature", temperature, "above 0");
  require_option(lr > 0, "--nsoftmax-lr", lr, "above 0");
}

NormalisedSoftmax::NormalisedSoftmax(torch::Tensor weights, const NormalisedSoftmaxOptions& options)
    : options_(options), weights_(std::move(weights)) {
  options_.validate();
}

torch::Tensor NormalisedSoftmax::logits(const torch::Tensor& embeddings) const {
  return torch::mm(embeddings, unit_rows(weights_).t()) / options_.temperature;
}

void LinearClassifierOptions::validate() const {
  require_option(scale > 0, "--classifier-scale", scale, "above 0");
  require_option(lr > 0, "--classifier-lr", lr, "above 0");
}

LinearClassifier::LinearClassifier(torch::Tensor weights, const LinearClassifierOptions& options)
    : options_(options),
      weights_(std::move(weights)),
      bias_(torch::zeros({weights_.size(0)}, weights_.options()).requires_grad_(true)) {
  options_.validate();
}

torch::Tensor LinearClassifier::logits(const torch::Tensor& embeddings) const {
  return options_.scale * torch::mm(embeddings, weights_.t()) + bias_;
}

std::unique_ptr<NormalisedSoftmax> make_normalised_softmax(MethodParts& parts, std::string_view purpose) {
  return std::make_unique<NormalisedSoftmax>(
      classifier_weights(parts, purpose),
      read_options<NormalisedSoftmaxOptions>(parts.config, kSoftmaxPrefix));
}

std::unique_ptr<LinearClassifier> make_linear_classifier(MethodParts& parts, std::string_view purpose) {
  return std::make_unique<LinearClassifier>(
      classifier_weights(parts, purpose), read_options<LinearClassifierOptions>(parts.config, kLinearPrefix));
}

ObjectiveComponent nsoftmax_objective() {
  auto component = objective_component<NormalisedSoftmaxOptions>(
      "nsoftmax", kSoftmaxPrefix, [](MethodParts& parts, const NormalisedSoftmaxOptions&) {
        return make_normalised_softmax(parts, "train/nsoftmax");
      });
  component.description = "softmax over cosines to a weight of every class";
  component.state = "a weight of each class";
  component.source = "Zhai & Wu 2019";
  component.of_samples = true;
  return component;
}

ObjectiveComponent cross_entropy_objective() {
  auto component = objective_component<LinearClassifierOptions>(
      "cross-entropy", kLinearPrefix, [](MethodParts& parts, const LinearClassifierOptions&) {
        return make_linear_classifier(parts, "train/classifier");
      });
  component.description = "a linear classifier on the embedding";
  component.state = "a linear classifier";
  component.source = "usual training";
  component.of_samples = true;
  return component;
}

}  // namespace procsim::train
