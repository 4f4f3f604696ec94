#include "train/models/device.hpp"

#include <ATen/autocast_mode.h>

#include "data/base/error.hpp"
#include "train/settings/config.hpp"

namespace procsim::train {

torch::Device choose_device(const std::string& name) {
  check_device_name(name);
  if (name == "auto")
    return torch::cuda::is_available() ? torch::Device(torch::kCUDA) : torch::Device(torch::kCPU);
  if (name == "cpu") return torch::kCPU;
  const auto count = torch::cuda::device_count();
  const int index = name.size() > 5 ? std::stoi(name.substr(5)) : 0;
  if (!torch::cuda::is_available() || index >= static_cast<int>(count))
    throw Error("--device " + name + ": LibTorch sees " + std::to_string(count) +
                " GPUs here. Use --device cpu, or a LibTorch built for CUDA.");
  return {torch::kCUDA, static_cast<c10::DeviceIndex>(index)};
}

PrecisionScope::PrecisionScope(const std::string& precision, torch::Device device)
    : device_(device.type()), on_(precision == "bf16") {
  if (!on_) return;
  at::autocast::set_autocast_dtype(device_, torch::kBFloat16);
  at::autocast::set_autocast_enabled(device_, true);
  at::autocast::increment_nesting();
}

PrecisionScope::~PrecisionScope() {
  if (!on_) return;
  if (at::autocast::decrement_nesting() == 0) at::autocast::clear_cache();
  at::autocast::set_autocast_enabled(device_, false);
}

}  // namespace procsim::train
