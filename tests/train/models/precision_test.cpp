#include "train/models/precision.hpp"

#include <fstream>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace procsim::train {
namespace {

using ::testing::HasSubstr;

TEST(Precision, AutoTakesBf16WhereTheProcessorComputesInIt) {
  for (const std::string instructions : {"AVX512-BF16", "AMX"}) {
    const auto choice = choose_precision("auto", false, instructions);
    EXPECT_EQ(choice.precision, "bf16");
    EXPECT_THAT(choice.reason, HasSubstr(instructions));
  }
  const auto without = choose_precision("auto", false, "");
  EXPECT_EQ(without.precision, "fp32");
  EXPECT_THAT(without.reason, HasSubstr("neither AVX512-BF16 nor AMX"));
}

TEST(Precision, AutoLeavesAGpuAtSinglePrecision) {
  EXPECT_EQ(choose_precision("auto", true, "AMX").precision, "fp32");
}

TEST(Precision, WhatSomebodySaidWins) {
  for (const std::string wanted : {"fp32", "bf16"})
    for (const std::string instructions : {"", "AMX"})
      for (const bool on_gpu : {false, true}) {
        const auto choice = choose_precision(wanted, on_gpu, instructions);
        EXPECT_EQ(choice.precision, wanted);
        EXPECT_TRUE(choice.reason.empty()) << choice.reason;
      }
}

// The kernel's list of what the processor has is another reading of the same thing.
TEST(Precision, KnowsTheInstructionsOfThisProcessor) {
  std::ifstream file("/proc/cpuinfo");
  std::string word;
  bool avx = false;
  bool amx = false;
  while (file >> word) {
    avx = avx || word == "avx512_bf16";
    amx = amx || word == "amx_bf16";
  }
  if (!avx && !amx) {
    EXPECT_EQ(bf16_instructions(), "");
  } else {
    EXPECT_EQ(bf16_instructions(), amx ? "AMX" : "AVX512-BF16");
  }
  EXPECT_EQ(choose_precision("auto", "cpu").precision, avx || amx ? "bf16" : "fp32");
}

}  // namespace
}  // namespace procsim::train
