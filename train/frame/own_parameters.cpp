#include "train/frame/own_parameters.hpp"

namespace procsim::train {

OwnParameters::OwnParameters(NamedParameters parameters, double lr) : parameters_(std::move(parameters)) {
  if (parameters_.empty()) return;
  std::vector<torch::Tensor> tensors;
  for (const auto& [name, tensor] : parameters_) tensors.push_back(tensor);
  optimizer_ = std::make_unique<torch::optim::Adam>(tensors, torch::optim::AdamOptions(lr));
}

void OwnParameters::zero_grad() {
  if (optimizer_) optimizer_->zero_grad();
}

void OwnParameters::step() {
  if (optimizer_) optimizer_->step();
}

void OwnParameters::save(const CheckpointPart& part) const {
  for (const auto& [name, tensor] : parameters_) part.put(name, tensor);
  if (optimizer_) save_optimizer(*optimizer_, parameters_, part.prefix() + "optimizer.", part.file());
}

void OwnParameters::restore(const CheckpointPart& part) {
  for (const auto& [name, tensor] : parameters_) part.copy_to(name, tensor);
  if (optimizer_)
    restore_optimizer(*optimizer_, parameters_, part.prefix() + "optimizer.", part.file(), part.source());
}

}  // namespace procsim::train
