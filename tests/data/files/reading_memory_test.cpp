#include "data/files/reading_memory.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace procsim {
namespace {

TEST(ReadingMemory, RefusesWhatIsBeyondTheLimitAndGivesBackWhatWasTaken) {
  auto* memory = reading_memory();
  const auto before = memory->bytes_allocated();
  std::uint8_t* bytes = nullptr;
  const auto refused = memory->Allocate(reading_memory_limit() + 1, &bytes);
  EXPECT_TRUE(refused.IsOutOfMemory());
  EXPECT_THAT(refused.message(), testing::HasSubstr("too much for its size"));
  EXPECT_EQ(memory->bytes_allocated(), before);
  ASSERT_TRUE(memory->Allocate(1000, &bytes).ok());
  EXPECT_EQ(memory->bytes_allocated(), before + 1000);
  EXPECT_TRUE(memory->Reallocate(1000, reading_memory_limit() + 2000, &bytes).IsOutOfMemory());
  ASSERT_TRUE(memory->Reallocate(1000, 3000, &bytes).ok());
  memory->Free(bytes, 3000);
  EXPECT_EQ(memory->bytes_allocated(), before);
}

TEST(ReadingMemory, ALargerFileMayTakeMoreAndASmallerOneTakesNothingAway) {
  const auto before = reading_memory_limit();
  allow_reading((before >> 5) + (std::int64_t{1} << 20));
  const auto limit = reading_memory_limit();
  EXPECT_GT(limit, before);
  allow_reading(10);
  EXPECT_EQ(reading_memory_limit(), limit);
}

}  // namespace
}  // namespace procsim
