#include "train/samples/sampler.hpp"

#include <map>
#include <set>
#include <string>

#include <gtest/gtest.h>

#include "data/base/error.hpp"

namespace procsim::train {
namespace {

std::vector<std::int64_t> labels_of_sizes(const std::vector<std::int64_t>& sizes) {
  std::vector<std::int64_t> labels;
  for (std::size_t c = 0; c < sizes.size(); ++c)
    labels.insert(labels.end(), static_cast<std::size_t>(sizes[c]), static_cast<std::int64_t>(c));
  return labels;
}

TEST(Sampler, EveryBatchHoldsDistinctClassesWithDistinctSamples) {
  const auto labels = labels_of_sizes({7, 4, 5, 9, 2, 3, 8, 6});
  const ClassBalancedSampler sampler(labels, {.batch = 8, .per_class = 2, .seed = 5});
  for (std::int64_t epoch = 0; epoch < 20; ++epoch) {
    for (const auto& batch : sampler.epoch(epoch)) {
      ASSERT_EQ(batch.size(), 8U);
      EXPECT_EQ(std::set<std::int64_t>(batch.begin(), batch.end()).size(), 8U);
      std::map<std::int64_t, int> per_class;
      for (const auto index : batch) ++per_class[labels[static_cast<std::size_t>(index)]];
      EXPECT_EQ(per_class.size(), 4U);
      for (const auto& [label, count] : per_class) EXPECT_EQ(count, 2);
    }
  }
}

TEST(Sampler, AnEpochReachesEverySample) {
  const auto labels = labels_of_sizes({7, 4, 5, 9, 2, 3, 8, 6, 1, 7});
  const ClassBalancedSampler sampler(labels, {.batch = 6, .per_class = 2, .seed = 1});
  for (std::int64_t epoch = 0; epoch < 50; ++epoch) {
    std::set<std::int64_t> seen;
    const auto batches = sampler.epoch(epoch);
    EXPECT_EQ(batches.size(), 10U) << "29 pairs of one class, three to a batch";
    for (const auto& batch : batches) seen.insert(batch.begin(), batch.end());
    EXPECT_EQ(seen.size(), labels.size()) << "epoch " << epoch;
  }
}

TEST(Sampler, AClassTooLargeForAnEpochIsReachedOverSeveral) {
  const auto labels = labels_of_sizes({1000, 4, 4, 4});
  const ClassBalancedSampler sampler(labels, {.batch = 8, .per_class = 2, .seed = 3});
  std::set<std::int64_t> seen;
  std::int64_t epoch = 0;
  for (; epoch < 8 && seen.size() < labels.size(); ++epoch)
    for (const auto& batch : sampler.epoch(epoch)) seen.insert(batch.begin(), batch.end());
  EXPECT_EQ(seen.size(), labels.size());
  EXPECT_GT(epoch, 1);
}

TEST(Sampler, TheSameSeedAndEpochGiveTheSamePlanWhateverCameBefore) {
  const auto labels = labels_of_sizes({7, 4, 5, 9});
  const ClassBalancedSampler first(labels, {.batch = 4, .per_class = 2, .seed = 9});
  const ClassBalancedSampler second(labels, {.batch = 4, .per_class = 2, .seed = 9});
  second.epoch(0);
  EXPECT_EQ(first.epoch(3), second.epoch(3));
  EXPECT_NE(first.epoch(3), first.epoch(4));
  EXPECT_NE(first.epoch(3), ClassBalancedSampler(labels, {.batch = 4, .per_class = 2, .seed = 10}).epoch(3));
}

TEST(Sampler, AClassOfOneSampleIsRepeated) {
  const auto labels = labels_of_sizes({1, 2});
  const auto batch = ClassBalancedSampler(labels, {.batch = 4, .per_class = 2}).epoch(0).front();
  EXPECT_EQ(std::count(batch.begin(), batch.end(), 0), 2);
}

TEST(Sampler, SkipsLabelsWithoutSamples) {
  const std::vector<std::int64_t> labels{0, 0, 5, 5, 9, 9};
  for (const auto& batch : ClassBalancedSampler(labels, {.batch = 6, .per_class = 2}).epoch(0))
    EXPECT_EQ(std::set<std::int64_t>(batch.begin(), batch.end()).size(), 6U);
}

TEST(Sampler, ABatchLargerThanTheDataIsRefusedWithTheWayOut) {
  try {
    ClassBalancedSampler(labels_of_sizes({5, 5, 5}), {.batch = 90, .per_class = 2});
    FAIL();
  } catch (const Error& error) {
    EXPECT_NE(std::string(error.what()).find("--batch 6"), std::string::npos) << error.what();
  }
}

TEST(Sampler, AFittingBatchIsFilledByTheClassesThereAre) {
  EXPECT_EQ(fitting_batch(90, 2, 45), 90);
  EXPECT_EQ(fitting_batch(90, 2, 200), 90);
  EXPECT_EQ(fitting_batch(90, 2, 6), 12);
  const auto labels = labels_of_sizes({7, 4, 5});
  EXPECT_EQ(ClassBalancedSampler(labels, {.batch = fitting_batch(90, 2, 3), .per_class = 2, .seed = 1})
                .epoch(0)
                .front()
                .size(),
            6U);
}

TEST(Sampler, ABatchThatIsNoMultipleIsRefused) {
  EXPECT_THROW(ClassBalancedSampler(labels_of_sizes({5, 5, 5}), {.batch = 5, .per_class = 2}), Error);
}

}  // namespace
}  // namespace procsim::train
