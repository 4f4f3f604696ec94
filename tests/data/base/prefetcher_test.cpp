#include "data/base/prefetcher.hpp"

#include <atomic>
#include <stdexcept>

#include <gtest/gtest.h>

namespace procsim::train {
namespace {

TEST(Prefetcher, GivesItemsInOrderWhateverTheWorkers) {
  for (const int workers : {1, 2, 7}) {
    Prefetcher<std::int64_t> squares(3, 50, workers, 5, [](std::int64_t i) { return i * i; });
    for (std::int64_t i = 3; i < 50; ++i) ASSERT_EQ(squares.next(), i * i);
    EXPECT_FALSE(squares.next());
  }
}

TEST(Prefetcher, ThrowsAtTheItemThatFailed) {
  Prefetcher<int> items(0, 10, 3, 10, [](std::int64_t i) {
    if (i == 2) throw std::runtime_error("item 2");
    return static_cast<int>(i);
  });
  EXPECT_EQ(items.next(), 0);
  EXPECT_EQ(items.next(), 1);
  EXPECT_THROW(items.next(), std::runtime_error);
}

TEST(Prefetcher, CanBeLeftBeforeTheEnd) {
  std::atomic<int> made{0};
  {
    Prefetcher<int> items(0, 1000000, 2, 4, [&](std::int64_t) { return ++made; });
    items.next();
  }
  EXPECT_LE(made, 8);
}

}  // namespace
}  // namespace procsim::train
