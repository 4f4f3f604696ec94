#include "train/methods/co_teaching.hpp"

#include <cmath>
#include <numeric>

#include <gtest/gtest.h>

#include "data/base/error.hpp"
#include "tests/train/first_step.hpp"

namespace procsim::train {
namespace {

using test::FirstStep;

double sum_of(const std::vector<double>& values) {
  return std::accumulate(values.begin(), values.end(), 0.0);
}

std::unique_ptr<Method> method_of(FirstStep& step, const std::string& name) {
  builtin_registry().use_method(step.config, name);
  step.config.dimension = 8;
  builtin_registry().check(step.config);
  return step.method();
}

TEST(CoTeaching, DropsMoreFromEpochToEpoch) {
  for (const std::string name : {"co-teaching", "co-teaching-temperature"}) {
    FirstStep step;
    const auto method = method_of(step, name);
    EXPECT_EQ(sum_of(*method->step(step.batch(0)).column("kept")), 6) << name;
    const auto late = method->step(step.batch(50));
    EXPECT_EQ(sum_of(*late.column("kept")), 3) << name;
    EXPECT_EQ(*late.scalar("dropped"), 0.5);
  }
}

// The first network's loss is a mean over what the second picked: the smallest losses of the second.
TEST(CoTeaching, TheFirstLearnsFromWhatIsEasyForTheSecond) {
  FirstStep step;
  const auto method = method_of(step, "co-teaching");
  const auto outcome = method->step(step.batch(50));
  const auto& losses = *outcome.column("cross_entropy");
  const auto& kept = *outcome.column("kept");
  double hardest_kept = -HUGE_VAL;
  double easiest_dropped = HUGE_VAL;
  for (std::size_t i = 0; i < losses.size(); ++i) {
    if (kept[i] > 0)
      hardest_kept = std::max(hardest_kept, losses[i]);
    else
      easiest_dropped = std::min(easiest_dropped, losses[i]);
  }
  EXPECT_LE(hardest_kept, easiest_dropped);
}

TEST(CoTeaching, BothNetworksLearn) {
  FirstStep step;
  const auto method = method_of(step, "co-teaching+");
  TensorFile before;
  method->save({before, "x"});
  for (auto& [name, tensor] : before.tensors) tensor = tensor.clone();
  method->step(step.batch(0));
  TensorFile after;
  method->save({after, "x"});
  for (const char* name :
       {"model.head.weight", "second.model.head.weight", "objective.weights", "second.objective.weights"}) {
    ASSERT_TRUE(before.tensors.contains(name)) << name;
    EXPECT_FALSE(torch::equal(before.tensors.at(name), after.tensors.at(name))) << name;
  }
}

TEST(CoTeaching, RefusesOptionsThatCannotBe) {
  EXPECT_THROW(CoTeachingOptions({.epochs = 0}).validate(), UsageError);
  FirstStep step;
  step.noise_rate.reset();
  EXPECT_THROW(method_of(step, "co-teaching"), UsageError);
}

}  // namespace
}  // namespace procsim::train
