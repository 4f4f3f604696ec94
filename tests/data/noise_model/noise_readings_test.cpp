#include "data/noise_model/noise_readings.hpp"

#include <gtest/gtest.h>

namespace procsim {
namespace {

TEST(NoiseReadings, TheIntervalSpansBoth) {
  // √(0.2 · 0.8 / 100) · 1.64485 = 0.065794
  const auto rate = with_readings({0.02, 0.01, 0.03}, 0.2, 100, {});
  EXPECT_DOUBLE_EQ(rate.rate, 0.02);
  EXPECT_DOUBLE_EQ(rate.low, 0.01);
  EXPECT_NEAR(rate.high, 0.265794, 1e-6);
  EXPECT_EQ(rate.readings, (WrongRate::Readings{0.02, 0.2}));
  EXPECT_TRUE(rate.audit_decides);
  const auto sure = with_readings({0.02, 0.01, 0.03}, 0.021, 1e6, {});
  EXPECT_FALSE(sure.audit_decides) << "the readings agree";
  EXPECT_DOUBLE_EQ(sure.high, 0.03);
  EXPECT_DOUBLE_EQ(with_readings({0.3, 0.2, 0.4}, 0.2, 100, {}).readings->high, 0.3);
}

}  // namespace
}  // namespace procsim
