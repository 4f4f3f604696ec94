#include "train/frame/memory_bank.hpp"

#include <numeric>

#include <gtest/gtest.h>

#include "data/base/error.hpp"

namespace procsim::train {
namespace {

// Samples first … last − 1; the embedding of sample s is (s, −s), its label s mod 3.
void push(MemoryBank& bank, std::int64_t first, std::int64_t last) {
  std::vector<std::int64_t> samples(static_cast<std::size_t>(last - first));
  std::iota(samples.begin(), samples.end(), first);
  const auto ids = torch::tensor(samples, torch::kInt64);
  bank.push(samples, ids.remainder(3), torch::stack({ids, -ids}, 1).to(torch::kFloat32));
}

void expect_samples(const MemoryBank& bank, std::int64_t first, std::int64_t last) {
  const auto ids = torch::arange(first, last, torch::kInt64);
  EXPECT_TRUE(torch::equal(bank.samples(), ids)) << bank.samples();
  EXPECT_TRUE(torch::equal(bank.labels(), ids.remainder(3)));
  EXPECT_TRUE(torch::equal(bank.embeddings(), torch::stack({ids, -ids}, 1).to(torch::kFloat32)));
}

TEST(MemoryBank, KeepsTheNewestWhereverTheRingWraps) {
  for (const std::int64_t batch : {1, 2, 3, 4, 5, 7}) {
    MemoryBank bank(5, 2);
    EXPECT_EQ(bank.size(), 0);
    EXPECT_EQ(bank.embeddings().size(0), 0);
    for (std::int64_t end = batch; end < 40; end += batch) {
      push(bank, end - batch, end);
      ASSERT_EQ(bank.size(), std::min<std::int64_t>(5, end));
      expect_samples(bank, std::max<std::int64_t>(0, end - 5), end);
    }
  }
}

TEST(MemoryBank, CarriesNoGradients) {
  MemoryBank bank(4, 2);
  const std::vector<std::int64_t> samples{7};
  bank.push(samples, torch::zeros({1}, torch::kInt64), torch::ones({1, 2}).requires_grad_(true));
  EXPECT_FALSE(bank.embeddings().requires_grad());
}

TEST(MemoryBank, GoesOnFromWhatItSaved) {
  MemoryBank whole(5, 2);
  push(whole, 0, 8);
  TensorFile file;
  whole.save({file, "x"});
  for (auto& [name, tensor] : file.tensors) tensor = tensor.clone();
  MemoryBank restored(5, 2);
  restored.restore({file, "x"});
  push(restored, 8, 10);
  expect_samples(restored, 5, 10);
  MemoryBank smaller(4, 2);
  EXPECT_THROW(smaller.restore({file, "x"}), Error);
}

TEST(MemoryBank, NeedsRoom) { EXPECT_THROW(MemoryBank(0, 2), Error); }

}  // namespace
}  // namespace procsim::train
