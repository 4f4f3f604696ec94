#pragma once

#include <string>
#include <string_view>

namespace procsim::train {

// What the processor computes products in bfloat16 with: "AVX512-BF16" or "AMX"; empty where it has neither.
std::string bf16_instructions();

struct PrecisionChoice {
  std::string precision;  // fp32 or bf16
  std::string reason;     // of auto; empty where somebody said which
};

// What --precision stands for on a machine whose processor has these instructions. fp32 and bf16 are taken as
// they are. auto takes bf16 on a processor that computes in it: without such instructions it is slower than
// fp32. A GPU is left at fp32, as nobody measured one.
PrecisionChoice choose_precision(const std::string& wanted, bool on_gpu, std::string_view instructions);

// The same for this machine and a --device; auto throws as choose_device does.
PrecisionChoice choose_precision(const std::string& wanted, const std::string& device);

}  // namespace procsim::train
