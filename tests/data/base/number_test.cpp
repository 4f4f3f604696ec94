#include "data/base/number.hpp"

#include <cmath>
#include <cstdint>
#include <limits>

#include <gtest/gtest.h>

namespace procsim {
namespace {

TEST(ParseNumber, TakesTheWholeText) {
  EXPECT_EQ(parse_number<std::int64_t>("-42"), -42);
  EXPECT_EQ(parse_number<std::uint64_t>("007"), 7u);
  EXPECT_EQ(parse_number<double>("2.5e-1"), 0.25);
  EXPECT_EQ(parse_number<float>("-3"), -3.0f);
}

TEST(ParseNumber, IsNothingWhereTheTextIsMoreOrLessThanANumber) {
  for (const auto* text : {"", " 1", "1 ", "+1", "1x", "0x1", "1,000", "one", "--1"}) {
    EXPECT_FALSE(parse_number<std::int64_t>(text)) << '"' << text << '"';
    EXPECT_FALSE(parse_number<double>(text)) << '"' << text << '"';
  }
  EXPECT_FALSE(parse_number<std::int64_t>("1.0"));
  EXPECT_FALSE(parse_number<std::int64_t>("1e3"));
  EXPECT_FALSE(parse_number<std::uint32_t>("-1"));
}

TEST(ParseNumber, IsNothingWhereItDoesNotFit) {
  EXPECT_EQ(parse_number<std::int32_t>("2147483647"), std::numeric_limits<std::int32_t>::max());
  EXPECT_FALSE(parse_number<std::int32_t>("2147483648"));
  EXPECT_EQ(parse_number<std::uint32_t>("4294967295"), std::numeric_limits<std::uint32_t>::max());
  EXPECT_FALSE(parse_number<std::uint32_t>("4294967296"));
  EXPECT_EQ(parse_number<std::int64_t>("-9223372036854775808"), std::numeric_limits<std::int64_t>::min());
  EXPECT_FALSE(parse_number<std::int64_t>("9223372036854775808"));
  EXPECT_EQ(parse_number<std::uint64_t>("18446744073709551615"), std::numeric_limits<std::uint64_t>::max());
  EXPECT_FALSE(parse_number<std::uint64_t>("18446744073709551616"));
  EXPECT_FALSE(parse_number<double>("1e999"));
}

TEST(ParseNumber, ReadsNoFurtherThanTheText) {
  const std::string_view text("12345");
  EXPECT_EQ(parse_number<std::int64_t>(text.substr(0, 2)), 12);
}

TEST(ParseNumber, LeavesItToTheCallerWhetherANumberIsFinite) {
  EXPECT_TRUE(std::isinf(parse_number<double>("-inf").value()));
  EXPECT_TRUE(std::isnan(parse_number<double>("nan").value()));
}

}  // namespace
}  // namespace procsim
