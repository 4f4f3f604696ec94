#include "train/frame/checkpoint_part.hpp"

#include "data/base/error.hpp"
#include "data/base/json_nesting.hpp"

namespace procsim::train {

CheckpointPart CheckpointPart::below(const std::string& name) const {
  auto part = *this;
  part.prefix_ += name + ".";
  return part;
}

void CheckpointPart::put(const std::string& name, const torch::Tensor& tensor) const {
  file_->tensors[prefix_ + name] = tensor;
}

void CheckpointPart::put_value(const std::string& name, const nlohmann::json& value) const {
  file_->metadata[prefix_ + name] = value.dump();
}

bool CheckpointPart::holds(const std::string& name) const {
  return file_->tensors.contains(prefix_ + name) || file_->metadata.contains(prefix_ + name);
}

const torch::Tensor& CheckpointPart::tensor(const std::string& name) const {
  const auto found = file_->tensors.find(prefix_ + name);
  if (found == file_->tensors.end())
    throw Error(source_ + " lacks '" + prefix_ + name + "': it is no checkpoint of this run");
  return found->second;
}

nlohmann::json CheckpointPart::value(const std::string& name) const {
  const auto found = file_->metadata.find(prefix_ + name);
  if (found == file_->metadata.end())
    throw Error(source_ + " lacks '" + prefix_ + name + "': it is no checkpoint of this run");
  auto value = parse_json<nlohmann::json>(found->second);
  if (value.is_discarded()) throw Error(source_ + ": '" + prefix_ + name + "' is damaged");
  return value;
}

void CheckpointPart::copy_to(const std::string& name, const torch::Tensor& target) const {
  const auto& stored = tensor(name);
  if (stored.sizes() != target.sizes())
    throw Error(source_ + ": '" + prefix_ + name + "' has another shape: it belongs to another label set");
  const torch::NoGradGuard no_gradients;
  target.copy_(stored);
}

}  // namespace procsim::train
