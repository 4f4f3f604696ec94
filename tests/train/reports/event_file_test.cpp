#include "train/reports/event_file.hpp"

#include <bit>
#include <cstring>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/train/two_epochs.hpp"

namespace procsim::train {
namespace {

using ::testing::HasSubstr;

TEST(EventFile, ChecksumsHaveThePublishedValues) {
  // RFC 3720, B.4
  EXPECT_EQ(crc32c("123456789"), 0xE3069283U);
  EXPECT_EQ(crc32c(std::string(32, '\0')), 0x8A9136AAU);
  EXPECT_EQ(crc32c(std::string(32, '\xff')), 0x62A8AB43U);
}

// The records as TensorBoard's own protocol has them, read back by hand.
TEST(EventFile, HoldsAScalarForEveryMetricOfEveryEpoch) {
  const auto file = tensorboard_events(two_epochs());
  std::size_t at = 0;
  std::vector<std::string> records;
  while (at < file.size()) {
    std::uint64_t length = 0;
    std::memcpy(&length, file.data() + at, 8);
    std::uint32_t checksum = 0;
    std::memcpy(&checksum, file.data() + at + 8, 4);
    const auto unmasked = std::rotl(checksum - 0xA282EAD8U, 15);
    EXPECT_EQ(unmasked, crc32c(std::string_view(file).substr(at, 8)));
    records.push_back(file.substr(at + 12, length));
    at += 12 + length + 4;
  }
  EXPECT_EQ(at, file.size());
  ASSERT_EQ(records.size(), 6U);
  EXPECT_THAT(records[0], HasSubstr("brain.Event:2"));
  // value { tag: "loss" simple_value: 1.25 } in a summary: 0A 04 "loss" 15 00 00 A0 3F
  EXPECT_THAT(records[2], HasSubstr(std::string("\x0a\x04loss\x15\x00\x00\xa0\x3f", 11)));
}

}  // namespace
}  // namespace procsim::train
