#include "data/files/reading_memory.hpp"

#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace procsim {
namespace {

// As the refusal says it, in MB: 640 for any file, or more after a larger one.
std::int64_t limit() {
  std::uint8_t* bytes = nullptr;
  const auto refused = reading_memory()->Allocate(std::int64_t{1} << 50, &bytes).message();
  const std::string before = "it unpacks to more than ";
  const auto place = refused.find(before);
  return place == std::string::npos ? -1 : std::stoll(refused.substr(place + before.size()));
}

constexpr std::int64_t kMegabyte = std::int64_t{1} << 20;

TEST(ReadingMemory, RefusesWhatIsBeyondTheLimitAndGivesBackWhatWasTaken) {
  auto* memory = reading_memory();
  const auto before = memory->bytes_allocated();
  std::uint8_t* bytes = nullptr;
  const auto refused = memory->Allocate(limit() * kMegabyte + 1, &bytes);
  EXPECT_TRUE(refused.IsOutOfMemory());
  EXPECT_THAT(refused.message(), testing::HasSubstr("too much for its size"));
  EXPECT_EQ(memory->bytes_allocated(), before);
  ASSERT_TRUE(memory->Allocate(1000, &bytes).ok());
  EXPECT_EQ(memory->bytes_allocated(), before + 1000);
  EXPECT_TRUE(memory->Reallocate(1000, limit() * kMegabyte + 2000, &bytes).IsOutOfMemory());
  ASSERT_TRUE(memory->Reallocate(1000, 3000, &bytes).ok());
  memory->Free(bytes, 3000);
  EXPECT_EQ(memory->bytes_allocated(), before);
}

TEST(ReadingMemory, ALargerFileMayTakeMoreAndASmallerOneTakesNothingAway) {
  const auto before = limit();
  ASSERT_GE(before, 640);
  allow_reading(((before - 640) / 32 + 1) * kMegabyte);  // 32 times a file, beyond the 640 for any
  EXPECT_EQ(limit(), before + 32);
  allow_reading(10);
  EXPECT_EQ(limit(), before + 32);
}

TEST(ReadingMemory, ForAnImageTakesNoMoreAtOnceThanAnImageMayHave) {
  const auto before = reading_memory()->bytes_allocated();
  std::uint8_t* bytes = nullptr;
  EXPECT_THAT(image_memory()->Allocate(kMostImageBytes + 1, &bytes).message(),
              testing::HasSubstr("it takes 256 MB at once, and an image may take 256 MB"));
  ASSERT_TRUE(image_memory()->Allocate(1000, &bytes).ok());
  EXPECT_EQ(reading_memory()->bytes_allocated(), before + 1000);
  image_memory()->Free(bytes, 1000);
  EXPECT_EQ(reading_memory()->bytes_allocated(), before);
}

}  // namespace
}  // namespace procsim
