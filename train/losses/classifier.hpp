#pragma once

#include "train/frame/method_parts.hpp"
#include "train/losses/class_vectors.hpp"

namespace procsim::train {

// A loss that is the cross-entropy of a classifier on the embedding: what methods use that need its logits.
class Classifier : public Objective {
 public:
  virtual torch::Tensor logits(const torch::Tensor& embeddings) const = 0;  // B × C
  torch::Tensor operator()(const LossBatch& batch) override {
    return cross_entropy_of(logits(batch.embeddings), batch.labels);
  }
};

struct NormalisedSoftmaxOptions {
  double temperature = 0.05;
  double lr = 0.1;

  void validate() const;  // throws UsageError naming the option
  template <typename Self, typename Visitor>
  static void fields(Self& self, const Visitor& visit) {
    visit("temperature", self.temperature, "Normalised softmax: what cosines are divided by");
    visit("lr", self.lr, "Normalised softmax: Adam's rate for the class weights");
  }
};

// Cosines to a weight of every class, over a temperature (Zhai & Wu 2019).
class NormalisedSoftmax : public Classifier {
 public:
  NormalisedSoftmax(torch::Tensor weights, const NormalisedSoftmaxOptions& options);

  torch::Tensor logits(const torch::Tensor& embeddings) const override;
  NamedParameters parameters() override { return {{"weights", weights_}}; }
  double learning_rate() const override { return options_.lr; }

 private:
  NormalisedSoftmaxOptions options_;
  torch::Tensor weights_;  // C × D
};

struct LinearClassifierOptions {
  double scale = 10;
  double lr = 1e-3;

  void validate() const;  // throws UsageError naming the option
  template <typename Self, typename Visitor>
  static void fields(Self& self, const Visitor& visit) {
    visit("scale", self.scale, "Linear classifier: what unit embeddings are multiplied by before it");
    visit("lr", self.lr, "Linear classifier: Adam's rate for its weights");
  }
};

// A linear classifier with a bias, on the embedding that retrieval uses (our reading of how methods for
// classification were put into tables of metric learning).
class LinearClassifier : public Classifier {
 public:
  LinearClassifier(torch::Tensor weights, const LinearClassifierOptions& options);

  torch::Tensor logits(const torch::Tensor& embeddings) const override;
  NamedParameters parameters() override { return {{"weights", weights_}, {"bias", bias_}}; }
  double learning_rate() const override { return options_.lr; }

 private:
  LinearClassifierOptions options_;
  torch::Tensor weights_;  // C × D
  torch::Tensor bias_;     // C
};

// Those of a method, from its configuration; several networks draw their weights with a `purpose` each.
std::unique_ptr<NormalisedSoftmax> make_normalised_softmax(MethodParts& parts, std::string_view purpose);
std::unique_ptr<LinearClassifier> make_linear_classifier(MethodParts& parts, std::string_view purpose);

}  // namespace procsim::train
