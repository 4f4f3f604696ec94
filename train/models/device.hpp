#pragma once

#include <string>

#include "train/models/torch.hpp"

namespace procsim::train {

// auto, cpu, cuda, cuda:1. auto takes a GPU where LibTorch sees one. Throws UsageError for others, Error for
// a GPU that is not there.
torch::Device choose_device(const std::string& name);

// While it lives, convolutions and products run in bfloat16 where `precision` is bf16.
class PrecisionScope {
 public:
  PrecisionScope(const std::string& precision, torch::Device device);
  ~PrecisionScope();
  PrecisionScope(const PrecisionScope&) = delete;
  PrecisionScope& operator=(const PrecisionScope&) = delete;

 private:
  c10::DeviceType device_;
  bool on_;
};

}  // namespace procsim::train
