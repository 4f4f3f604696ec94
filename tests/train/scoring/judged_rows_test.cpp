#include "train/scoring/judged_rows.hpp"

#include <algorithm>

#include <gtest/gtest.h>

#include "tests/train/clusters.hpp"

namespace procsim::train {
namespace {

JudgedRows rows_of(const Clusters& clusters, std::int64_t shortlist, int threads = 1) {
  return {clusters.embeddings,
          clusters.data.train_ids(),
          clusters.data.train_class,
          static_cast<std::int64_t>(clusters.data.classes.size()),
          {.candidates = 4, .all_classes = 1, .shortlist = shortlist},
          threads};
}

TEST(JudgedRows, AreComparedWithEveryClassWhereThereAreFew) {
  const Clusters clusters(6, 10, 1.0, 0.1);
  EXPECT_TRUE(rows_of(clusters, 6).shortlists.everything());
  EXPECT_FALSE(rows_of(clusters, 5).shortlists.everything());
}

TEST(JudgedRows, AreComparedWithTheirOwnClassAndTheTrueOne) {
  const Clusters clusters(40, 15, 0.7, 0.2);
  const auto rows = rows_of(clusters, 8);
  int found = 0;
  for (std::size_t i = 0; i < clusters.data.train.size(); ++i) {
    const auto list = rows.shortlists.of(static_cast<std::int64_t>(i));
    EXPECT_EQ(list.size(), 8U);
    EXPECT_TRUE(std::ranges::adjacent_find(list, std::ranges::greater_equal{}) == list.end());
    EXPECT_TRUE(std::ranges::binary_search(list, clusters.data.train[i].label));
    found += std::ranges::binary_search(list, *clusters.data.train[i].true_label);
  }
  EXPECT_GE(found, 595);
}

TEST(JudgedRows, AreTheSameWhateverTheOrderOfSamplesAndTheThreads) {
  const Clusters clusters(30, 10, 1.0, 0.1);
  const auto straight = rows_of(clusters, 8);
  auto turned = clusters;
  std::ranges::reverse(turned.data.train);
  std::ranges::reverse(turned.data.train_class);
  turned.embeddings = clusters.embeddings.flip(0);
  const auto reversed = rows_of(turned, 8, 3);
  for (std::int64_t i = 0; i < 300; ++i)
    EXPECT_TRUE(std::ranges::equal(straight.shortlists.of(i), reversed.shortlists.of(299 - i))) << i;
}

}  // namespace
}  // namespace procsim::train
