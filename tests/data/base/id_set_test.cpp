#include "data/base/id_set.hpp"

#include <limits>

#include <gtest/gtest.h>

namespace procsim {
namespace {

TEST(IdSet, KnowsWhatWasInserted) {
  IdSet ids;
  const std::int64_t far = std::numeric_limits<std::int64_t>::max();
  const std::int64_t low = std::numeric_limits<std::int64_t>::min();
  for (const std::int64_t id : {std::int64_t{0}, std::int64_t{63}, std::int64_t{64}, std::int64_t{65535},
                                std::int64_t{65536}, std::int64_t{-1}, far, low}) {
    EXPECT_FALSE(ids.contains(id)) << id;
    EXPECT_TRUE(ids.insert(id)) << id;
    EXPECT_TRUE(ids.contains(id)) << id;
    EXPECT_FALSE(ids.insert(id)) << id;
  }
  EXPECT_EQ(ids.size(), 8u);
  EXPECT_FALSE(ids.contains(1));
  EXPECT_FALSE(ids.contains(far - 1));
}

TEST(IdSet, KeepsWhatAPageHeldWhenItFillsUp) {
  IdSet ids;
  for (std::int64_t id = 0; id < 70'000; id += 7) EXPECT_TRUE(ids.insert(id));
  for (std::int64_t id = 69'993; id >= 0; id -= 7) EXPECT_FALSE(ids.insert(id)) << id;
  EXPECT_TRUE(ids.contains(65'534));
  EXPECT_FALSE(ids.contains(65'535));
  EXPECT_EQ(ids.size(), 10'000u);
}

}  // namespace
}  // namespace procsim
