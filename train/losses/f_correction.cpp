#include "train/frame/component.hpp"
#include "train/losses/classifier.hpp"

namespace procsim::train {
namespace {

// −ln Σ_c p_c T_cy for uniform noise, our reading of the published tables: a label is right with 1 − ρ, and
// else any other class.
class ForwardCorrection : public Objective {
 public:
  ForwardCorrection(std::unique_ptr<Classifier> classifier, double rate)
      : classifier_(std::move(classifier)), rate_(rate) {}

  torch::Tensor operator()(const LossBatch& batch) override {
    constexpr double kLeast = 1e-7;
    const auto probabilities = classifier_->logits(batch.embeddings).softmax(1);
    const auto own = probabilities.gather(1, batch.labels.unsqueeze(1)).squeeze(1);
    const auto others = static_cast<double>(std::max<std::int64_t>(probabilities.size(1) - 1, 1));
    return -(own * (1 - rate_) + (1 - own) * (rate_ / others)).clamp_min(kLeast).log();
  }

  NamedParameters parameters() override { return classifier_->parameters(); }
  double learning_rate() const override { return classifier_->learning_rate(); }

 private:
  std::unique_ptr<Classifier> classifier_;
  double rate_;
};

}  // namespace

ObjectiveComponent f_correction_objective() {
  ObjectiveComponent component;
  component.name = "f-correction";
  component.description = "cross-entropy of labels as the noise would make them of the classes";
  component.source = "Patrini et al. 2017";
  component.state = "a linear classifier";
  component.of_samples = true;
  component.needs_rate = true;
  component.uses = {"classifier_"};
  component.check = option_check<LinearClassifierOptions>("classifier");
  component.make = [](MethodParts& parts) {
    return std::make_unique<ForwardCorrection>(make_linear_classifier(parts, "train/classifier"),
                                               parts.noise_rate.value());
  };
  return component;
}

}  // namespace procsim::train
