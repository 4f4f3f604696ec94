#include "train/metrics/clustering.hpp"

#include <algorithm>
#include <vector>

#include <gtest/gtest.h>

#include "data/base/keyed_random.hpp"
#include "tests/train/expected_values.hpp"

namespace procsim::train {
namespace {

TEST(Clustering, MutualInformationAgreesWithScikitLearn) {
  const auto expected = test::expected_values("metrics.json")["nmi"];
  const auto a = expected["a"].get<std::vector<std::int64_t>>();
  const auto b = expected["b"].get<std::vector<std::int64_t>>();
  EXPECT_NEAR(normalized_mutual_information(a, b), expected["value"].get<double>(), 1e-12);
  EXPECT_NEAR(normalized_mutual_information(a, a), 1, 1e-12);
}

TEST(Clustering, KMeansFindsSeparatedGroupsWhateverTheirOrder) {
  const std::int64_t groups = 5;
  std::vector<std::int64_t> truth;
  auto rows = torch::empty({200, 3});
  auto draws = KeyedRandom(1, "test/k-means").for_id(0);
  for (std::int64_t i = 0; i < 200; ++i) {
    const auto group = static_cast<std::int64_t>(draws.below(groups));
    truth.push_back(group);
    for (std::int64_t d = 0; d < 3; ++d) rows[i][d] = 10.0 * ((group >> d) & 1) + 0.1 * draws.normal();
  }
  double best = 0;
  for (std::uint64_t seed = 1; seed <= 5; ++seed)
    best = std::max(best,
                    normalized_mutual_information(k_means(rows, {.clusters = groups, .seed = seed}), truth));
  EXPECT_NEAR(best, 1, 1e-9);
  EXPECT_EQ(k_means(rows, {.clusters = groups, .seed = 2}), k_means(rows, {.clusters = groups, .seed = 2}));
}

TEST(Clustering, KMeansWithMoreClustersThanRowsUsesTheRows) {
  EXPECT_EQ(k_means(torch::eye(3), {.clusters = 10}).size(), 3U);
}

}  // namespace
}  // namespace procsim::train
