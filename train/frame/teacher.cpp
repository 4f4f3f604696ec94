#include "train/frame/teacher.hpp"

#include "data/base/error.hpp"

namespace procsim::train {

Teacher::Teacher(std::unique_ptr<Embedder> model, std::optional<double> momentum)
    : model_(std::move(model)), momentum_(momentum) {
  if (momentum_ && !(*momentum_ >= 0 && *momentum_ < 1))
    throw UsageError("the momentum of a teacher must be in [0, 1)");
  model_->train_mode(false);
}

void Teacher::follow(Embedder& student) {
  const torch::NoGradGuard no_gradients;
  const auto from = student.state();
  for (const auto& [name, own] : model_->state()) {
    const auto& theirs = from.at(name);
    const bool counted = name.find("running_") != std::string::npos || !own.is_floating_point();
    if (momentum_ && !counted)
      own.mul_(*momentum_).add_(theirs, 1 - *momentum_);
    else
      own.copy_(theirs);
  }
}

torch::Tensor Teacher::embed(const torch::Tensor& view, std::size_t stage) {
  const torch::NoGradGuard no_gradients;
  auto input = view.to(model_->device(), torch::kFloat32);
  if (input.dim() == 4) input = input.contiguous(torch::MemoryFormat::ChannelsLast);
  return model_->embed(input, stage);
}

void Teacher::save(const CheckpointPart& part) {
  for (const auto& [name, tensor] : model_->state()) part.put(name, tensor);
}

void Teacher::restore(const CheckpointPart& part) {
  model_->load(part.file().below(part.prefix()), part.source(), /*pretrained=*/false);
}

}  // namespace procsim::train
