#include "train/methods/self_distillation.hpp"

#include "train/frame/component.hpp"
#include "train/frame/option_check.hpp"

namespace procsim::train {

void SelfDistillationOptions::validate() const {
  require_option(alpha >= 0, "--lsd-alpha", alpha, "0 or more");
  require_option(temperature > 0, "--lsd-temperature", temperature, "above 0");
}

torch::Tensor listwise_divergence(const torch::Tensor& student, const torch::Tensor& teacher,
                                  double temperature) {
  const auto rows = [&](const torch::Tensor& embeddings) {
    return (torch::mm(embeddings, embeddings.t()) / temperature).log_softmax(1);
  };
  const auto wanted = rows(teacher.detach());
  return (wanted.exp() * (wanted - rows(student))).sum(1);
}

LastEpoch::LastEpoch(std::unique_ptr<Embedder> model, Network& student)
    : teacher_(std::move(model)), student_(student) {}

SelfDistillation::SelfDistillation(std::shared_ptr<Objective> inner, MethodParts& parts)
    : ObjectiveDecorator(std::move(inner)),
      options_(read_options<SelfDistillationOptions>(parts.config, "lsd")),
      last_epoch_(parts.share<LastEpoch>(
          "teacher", [&] { return std::make_shared<LastEpoch>(parts.another_model(), parts.network); })),
      epochs_(parts.config.epochs) {
  options_.validate();
}

torch::Tensor SelfDistillation::term(const LossBatch& batch) {
  if (batch.step == nullptr || batch.step->epoch == 0) return {};
  const double part = static_cast<double>(batch.step->epoch) / static_cast<double>(epochs_);
  const auto teacher = last_epoch_->embed(*batch.step);
  const double scale = part * options_.alpha * options_.temperature * options_.temperature;
  return scale * listwise_divergence(batch.embeddings, teacher, options_.temperature).mean();
}

}  // namespace procsim::train
