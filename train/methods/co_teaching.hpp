#pragma once

#include <memory>

#include "train/frame/method.hpp"
#include "train/frame/method_parts.hpp"
#include "train/frame/own_parameters.hpp"
#include "train/losses/classifier.hpp"

namespace procsim::train {

struct CoTeachingOptions {
  std::int64_t epochs = 10;
  double exponent = 1;
  std::int64_t apart_from = 5;

  void validate() const;  // throws UsageError naming the option
  template <typename Self, typename Visitor>
  static void fields(Self& self, const Visitor& visit) {
    visit("epochs", self.epochs, "Co-teaching: epochs until the full share is dropped");
    visit("exponent", self.exponent, "Co-teaching: power of the noise rate that is dropped until then");
    visit("apart_from", self.apart_from,
          "Co-teaching+: epochs before it looks only at samples on which the networks disagree");
  }
};

// Two networks with a classifier each: every one learns from the samples whose loss is small under the other
// (Han et al. 2018). The first is evaluated. Our reading of how this was put into tables of metric learning:
// classifiers on the embedding that retrieval uses. Both networks start from the same weights and differ in
// their classifiers.
class CoTeaching : public Method {
 public:
  enum class Among { kAll, kApart };

  // `parts` with a noise rate; a classifier for each network.
  CoTeaching(MethodParts& parts, std::unique_ptr<Classifier> first, std::unique_ptr<Classifier> second,
             const CoTeachingOptions& options, Among among);

  std::vector<Quantity> quantities() const override;
  Embedder& evaluated() override { return first_.network->model(); }
  StepOutcome step(const Batch& batch) override;
  void save(const CheckpointPart& part) override;
  void restore(const CheckpointPart& part) override;

 private:
  struct Learner {
    Network* network;
    std::unique_ptr<Classifier> classifier;
    OwnParameters parameters;

    void descend(const torch::Tensor& objective);
    void save(const CheckpointPart& part);
    void restore(const CheckpointPart& part);
  };

  std::unique_ptr<Embedder> second_model_;
  std::unique_ptr<Network> second_network_;
  Learner first_, second_;
  CoTeachingOptions options_;
  Among among_;
  double rate_;
};

}  // namespace procsim::train
