#include "train/methods/exchange.hpp"

#include <algorithm>

#include <gtest/gtest.h>

#include "tests/train/expected_values.hpp"

namespace procsim::train {
namespace {

using Places = std::vector<std::int64_t>;

class ExchangeTest : public ::testing::Test {
 protected:
  nlohmann::json wanted = test::expected_values("rivals.json")["two_networks"];
  std::vector<double> first = wanted["losses"][0];
  std::vector<double> second = wanted["losses"][1];
  static double mean(const std::vector<double>& losses, const Places& places) {
    double sum = 0;
    for (const auto place : places) sum += losses[static_cast<std::size_t>(place)];
    return sum / static_cast<double>(places.size());
  }
};

TEST_F(ExchangeTest, EachPicksWhatIsEasyForItself) {
  const auto exchange = exchange_of(first, second, 0.5);
  EXPECT_EQ(exchange.by_first, wanted["chosen"][0].get<Places>());
  EXPECT_EQ(exchange.by_second, wanted["chosen"][1].get<Places>());
  EXPECT_NEAR(mean(first, exchange.by_second), wanted["objective"][0].get<double>(), 1e-12);
  EXPECT_NEAR(mean(second, exchange.by_first), wanted["objective"][1].get<double>(), 1e-12);
}

TEST_F(ExchangeTest, AmongWhatTheyDisagreeOn) {
  const Places classes_first{0, 1, 0, 2};
  const Places classes_second{0, 0, 2, 2};
  const auto exchange = exchange_of_apart(first, second, classes_first, classes_second, 0.5);
  EXPECT_EQ(exchange.by_first, wanted["chosen_apart"][0].get<Places>());
  EXPECT_EQ(exchange.by_second, wanted["chosen_apart"][1].get<Places>());
  const auto all = exchange_of_apart(first, second, classes_first, classes_first, 0.5);
  EXPECT_EQ(all.by_first.size(), 4U) << "the whole batch where they agree";
  EXPECT_EQ(exchange_of_apart(first, second, classes_first, classes_second, 0.99).by_first.size(), 1U);
}

TEST_F(ExchangeTest, NobodyIsLeftWithNothing) {
  EXPECT_EQ(exchange_of(first, second, 0.99).by_first.size(), 1U);
  EXPECT_EQ(exchange_of(first, second, 0.1).by_first.size(), 4U) << "⌊0.4⌋ are dropped";
  const std::vector<double> equal(4, 1.0);
  EXPECT_EQ(exchange_of(equal, equal, 0.5).by_first, (Places{0, 1}));
}

TEST_F(ExchangeTest, TheShareRisesOverTheFirstEpochs) {
  for (std::int64_t epoch = 0; epoch < 10; ++epoch)
    EXPECT_NEAR(dropped_in_epoch(0.5, epoch, 10, 1),
                wanted["schedule"][static_cast<std::size_t>(epoch)].get<double>(), 1e-12);
  EXPECT_EQ(dropped_in_epoch(0.5, 10, 10, 1), 0.5);
  EXPECT_EQ(dropped_in_epoch(0.5, 0, 1, 1), 0.5);
}

// One net of co-teaching with a temperature selects by the normalised softmax.
TEST_F(ExchangeTest, OnTheNormalisedSoftmax) {
  const std::vector<double> losses = test::expected_values("rivals.json")["nsoftmax"];
  auto chosen = exchange_of(losses, losses, 0.5).by_first;
  std::sort(chosen.begin(), chosen.end());
  EXPECT_EQ(chosen, (Places{0, 1, 3}));
}

}  // namespace
}  // namespace procsim::train
