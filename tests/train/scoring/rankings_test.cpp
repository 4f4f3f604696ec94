#include "train/scoring/rankings.hpp"

#include <gtest/gtest.h>

#include "tests/support/expect_error.hpp"
#include "tests/train/clusters.hpp"

namespace procsim::train {
namespace {

TEST(Rankings, NeedTheTruthAndAnError) {
  Clusters clusters(3, 8, 1.0, 0);
  test::expect_error([&] { clusters.rank(); }, {"no label of this set is wrong"});
  clusters.data.train[0].true_label.reset();
  test::expect_error([&] { clusters.rank(); }, {"true labels"});
}

}  // namespace
}  // namespace procsim::train
