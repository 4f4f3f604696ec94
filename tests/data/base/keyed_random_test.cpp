#include "data/base/keyed_random.hpp"

#include <array>
#include <cmath>
#include <vector>

#include <gtest/gtest.h>

namespace procsim {
namespace {

using Block = std::array<std::uint32_t, 4>;

// The known answers that Random123 publishes for philox4x32 with ten rounds (kat_vectors).
TEST(Philox, MatchesPublishedVectors) {
  EXPECT_EQ(philox4x32({0, 0, 0, 0}, {0, 0}), (Block{0x6627e8d5, 0xe169c58d, 0xbc57ac4c, 0x9b00dbd8}));
  constexpr std::uint32_t kOnes = 0xffffffff;
  EXPECT_EQ(philox4x32({kOnes, kOnes, kOnes, kOnes}, {kOnes, kOnes}),
            (Block{0x408f276d, 0x41c83b0e, 0xa20bc7c6, 0x6d5451fd}));
  EXPECT_EQ(philox4x32({0x243f6a88, 0x85a308d3, 0x13198a2e, 0x03707344}, {0xa4093822, 0x299f31d0}),
            (Block{0xd16cfe09, 0x94fdcceb, 0x5001e420, 0x24126ea1}));
}

TEST(KeyedRandom, DrawsDependOnSeedPurposeAndIdOnly) {
  const auto bits = [](std::uint64_t seed, const char* purpose, std::int64_t id) {
    return KeyedRandom(seed, purpose).for_id(id).next_bits();
  };
  EXPECT_EQ(bits(1, "noise", 7), bits(1, "noise", 7));
  EXPECT_NE(bits(1, "noise", 7), bits(2, "noise", 7));
  EXPECT_NE(bits(1, "noise", 7), bits(1, "split", 7));
  EXPECT_NE(bits(1, "noise", 7), bits(1, "noise", 8));
  EXPECT_NE(bits(1, "noise", 7), bits(1, "noise", 7 + (std::int64_t{1} << 32)));
  EXPECT_NE(bits(1, "noise", 7), bits(1, "noise", -7));
}

TEST(KeyedRandom, SuccessiveDrawsOfOneIdDiffer) {
  auto draws = KeyedRandom(3, "x").for_id(1);
  std::vector<std::uint64_t> seen;
  for (int i = 0; i < 100; ++i) {
    const auto bits = draws.next_bits();
    for (const auto earlier : seen) ASSERT_NE(bits, earlier);
    seen.push_back(bits);
  }
}

// Chi-square over 7 cells, 70,000 draws: the 1e-6 quantile at 6 degrees of freedom is 38.3.
TEST(KeyedRandom, BelowIsUniformAlsoWhenTheBoundIsNoPowerOfTwo) {
  const KeyedRandom random(11, "below");
  std::array<double, 7> counts{};
  for (std::int64_t id = 0; id < 70'000; ++id) ++counts[random.for_id(id).below(7)];
  double chi_square = 0;
  for (const double count : counts) chi_square += (count - 10'000) * (count - 10'000) / 10'000;
  EXPECT_LT(chi_square, 38.3);
}

TEST(KeyedRandom, BelowStaysBelowForHugeBounds) {
  const std::uint64_t bound = (std::uint64_t{1} << 63) + 12345;  // nearly half of all draws are drawn again
  const KeyedRandom random(5, "huge");
  int upper_half = 0;
  for (std::int64_t id = 0; id < 10'000; ++id) {
    const auto value = random.for_id(id).below(bound);
    ASSERT_LT(value, bound);
    upper_half += value >= bound / 2;
  }
  EXPECT_NEAR(upper_half, 5000, 250);  // five standard deviations
}

// Means of n draws lie within five standard errors: false alarms below 1e-6.
TEST(KeyedRandom, UniformAndNormalHaveTheirMoments) {
  const KeyedRandom random(7, "moments");
  constexpr int kDraws = 100'000;
  double uniform_sum = 0, normal_sum = 0, normal_squares = 0;
  for (std::int64_t id = 0; id < kDraws; ++id) {
    auto draws = random.for_id(id);
    const double uniform = draws.uniform();
    ASSERT_GE(uniform, 0);
    ASSERT_LT(uniform, 1);
    uniform_sum += uniform;
    const double normal = draws.normal();
    normal_sum += normal;
    normal_squares += normal * normal;
  }
  const double root = std::sqrt(double{kDraws});
  EXPECT_NEAR(uniform_sum / kDraws, 0.5, 5 * std::sqrt(1.0 / 12) / root);
  EXPECT_NEAR(normal_sum / kDraws, 0, 5 / root);
  EXPECT_NEAR(normal_squares / kDraws, 1, 5 * std::sqrt(2.0) / root);
}

}  // namespace
}  // namespace procsim
