#include "train/losses/cross_batch_memory.hpp"

#include <gtest/gtest.h>

#include "data/base/error.hpp"
#include "train/frame/batch.hpp"

namespace procsim::train {
namespace {

LossBatch numbered(std::int64_t first, std::int64_t count) {
  const auto numbers = torch::arange(first, first + count);
  return {numbers.to(torch::kFloat32).unsqueeze(1).expand({count, 2}).clone(), numbers, {}};
}

std::vector<std::int64_t> remembered(const CrossBatchMemory& memory) {
  const auto labels = memory.labels().contiguous();
  return {labels.data_ptr<std::int64_t>(), labels.data_ptr<std::int64_t>() + labels.numel()};
}

TEST(CrossBatchMemory, TakesAnOfferInOnceTheStepIsDone) {
  CrossBatchMemory memory({.size = 8}, 2, torch::kCPU);
  memory.offer(numbered(0, 3));
  EXPECT_EQ(memory.size(), 0);
  memory.learn();
  EXPECT_EQ(remembered(memory), (std::vector<std::int64_t>{0, 1, 2}));
  memory.learn();
  EXPECT_EQ(memory.size(), 3) << "an offer goes in once";
}

TEST(CrossBatchMemory, WrapsWithoutLosingRecentEntries) {
  CrossBatchMemory memory({.size = 5}, 2, torch::kCPU);
  for (std::int64_t first = 0; first < 12; first += 3) {
    memory.offer(numbered(first, 3));
    memory.learn();
  }
  EXPECT_EQ(remembered(memory), (std::vector<std::int64_t>{7, 8, 9, 10, 11}));
}

TEST(CrossBatchMemory, TakesInWhatIsKept) {
  CrossBatchMemory memory({.size = 5}, 2, torch::kCPU);
  memory.offer(numbered(0, 3), torch::tensor({1, 0, 1}, torch::kBool));
  memory.learn();
  EXPECT_EQ(remembered(memory), (std::vector<std::int64_t>{0, 2}));
  memory.offer(numbered(5, 2), torch::tensor({0, 0}, torch::kBool));
  memory.learn();
  EXPECT_EQ(memory.size(), 2);
}

TEST(CrossBatchMemory, IsUsedAfterItsStart) {
  CrossBatchMemory memory({.size = 5, .start = 1}, 2, torch::kCPU);
  EXPECT_FALSE(memory.used());
  memory.learn();
  EXPECT_TRUE(memory.used());
  EXPECT_THROW(CrossBatchMemoryOptions({.size = 0}).validate(), UsageError);
}

TEST(CrossBatchMemory, GoesOnFromWhatItSaved) {
  CrossBatchMemory memory({.size = 5, .start = 1}, 2, torch::kCPU);
  memory.offer(numbered(0, 3));
  memory.learn();
  TensorFile file;
  memory.save({file, "x"});
  CrossBatchMemory restored({.size = 5, .start = 1}, 2, torch::kCPU);
  restored.restore({file, "x"});
  EXPECT_TRUE(restored.used());
  EXPECT_EQ(remembered(restored), remembered(memory));
}

}  // namespace
}  // namespace procsim::train
