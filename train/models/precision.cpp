#include "train/models/precision.hpp"

#include <ATen/cpu/Utils.h>
#include <fmt/format.h>

#include "train/models/device.hpp"

namespace procsim::train {

std::string bf16_instructions() {
  const auto abilities = at::cpu::get_cpu_capabilities();
  const auto has = [&](const char* name) {
    const auto found = abilities.find(name);
    return found != abilities.end() && found->second.isBool() && found->second.toBool();
  };
  if (has("amx_bf16")) return "AMX";
  return has("avx512_bf16") ? "AVX512-BF16" : "";
}

PrecisionChoice choose_precision(const std::string& wanted, bool on_gpu, std::string_view instructions) {
  if (wanted != "auto") return {wanted, ""};
  if (on_gpu) return {"fp32", "on a GPU --precision bf16 has to be asked for"};
  if (instructions.empty()) return {"fp32", "the processor has neither AVX512-BF16 nor AMX"};
  return {"bf16", fmt::format("the processor has {}", instructions)};
}

PrecisionChoice choose_precision(const std::string& wanted, const std::string& device) {
  if (wanted != "auto") return {wanted, ""};
  return choose_precision(wanted, choose_device(device).is_cuda(), bf16_instructions());
}

}  // namespace procsim::train
