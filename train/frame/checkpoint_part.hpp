#pragma once

#include <string>

#include <nlohmann/json.hpp>

#include "train/models/safetensors.hpp"

namespace procsim::train {

// A place in a checkpoint where one part of a training keeps what it remembers between steps: tensors and
// JSON values by name, below a prefix. What is read must have been written: errors name the file.
class CheckpointPart {
 public:
  // `source` names the file in errors. The file must outlive the part.
  CheckpointPart(TensorFile& file, std::string source) : file_(&file), source_(std::move(source)) {}

  // A place inside this one: "trust" holds "trust.losses".
  CheckpointPart below(const std::string& name) const;

  void put(const std::string& name, const torch::Tensor& tensor) const;
  void put_value(const std::string& name, const nlohmann::json& value) const;

  bool holds(const std::string& name) const;
  // Throws Error where it is missing.
  const torch::Tensor& tensor(const std::string& name) const;
  nlohmann::json value(const std::string& name) const;
  // Copies the tensor into `target`. Throws Error where it is missing or has another shape.
  void copy_to(const std::string& name, const torch::Tensor& target) const;

  TensorFile& file() const { return *file_; }
  const std::string& prefix() const { return prefix_; }
  const std::string& source() const { return source_; }

 private:
  TensorFile* file_;
  std::string source_;
  std::string prefix_;
};

}  // namespace procsim::train
