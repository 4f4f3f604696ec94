#include "train/processes/launch.hpp"

#include <map>

#include <gtest/gtest.h>

#include "data/base/error.hpp"
#include "tests/support/expect_error.hpp"

namespace procsim::train {
namespace {

using Variables = std::map<std::string, std::string>;

std::optional<Launch> launch_of(const Variables& variables) {
  return read_launch([&](const char* name) {
    const auto found = variables.find(name);
    return found == variables.end() ? nullptr : found->second.c_str();
  });
}

Variables whole(const Variables& other = {}) {
  Variables variables{{"RANK", "1"}, {"WORLD_SIZE", "3"}, {"MASTER_ADDR", "node1"}, {"MASTER_PORT", "29500"}};
  for (const auto& [name, value] : other) variables[name] = value;
  return variables;
}

TEST(Launch, IsWhatALauncherSays) {
  EXPECT_FALSE(launch_of({}));
  EXPECT_FALSE(launch_of({{"MASTER_ADDR", "node1"}}));
  const auto launch = launch_of(whole());
  ASSERT_TRUE(launch);
  EXPECT_EQ(launch->rank, 1);
  EXPECT_EQ(launch->size, 3);
  EXPECT_EQ(launch->address, "node1");
  EXPECT_EQ(launch->port, 29500);
  EXPECT_FALSE(launch->store_is_there);
  EXPECT_EQ(launch->attempt, 0);
}

TEST(Launch, TorchrunKeepsTheStoreAndCountsItsRestarts) {
  const auto launch =
      launch_of(whole({{"TORCHELASTIC_USE_AGENT_STORE", "True"}, {"TORCHELASTIC_RESTART_COUNT", "2"}}));
  EXPECT_TRUE(launch->store_is_there);
  EXPECT_EQ(launch->attempt, 2);
  EXPECT_FALSE(launch_of(whole({{"TORCHELASTIC_USE_AGENT_STORE", "False"}}))->store_is_there);
}

TEST(Launch, OneProcessNeedsNoAddress) {
  EXPECT_EQ(launch_of({{"RANK", "0"}, {"WORLD_SIZE", "1"}})->size, 1);
}

TEST(Launch, SaysWhatIsMissingOrMakesNoSense) {
  const auto refused = [](const Variables& variables, const std::string& part) {
    test::expect_error([&] { launch_of(variables); }, {part});
  };
  refused({{"RANK", "0"}}, "RANK is set and WORLD_SIZE is not");
  refused({{"WORLD_SIZE", "2"}}, "WORLD_SIZE is set and RANK is not");
  refused({{"RANK", "0"}, {"WORLD_SIZE", "2"}}, "MASTER_ADDR");
  refused({{"RANK", "0"}, {"WORLD_SIZE", "2"}, {"MASTER_ADDR", "node1"}}, "MASTER_PORT");
  refused(whole({{"RANK", "3"}}), "the last is 2");
  refused(whole({{"RANK", "-1"}}), "RANK=-1");
  refused(whole({{"WORLD_SIZE", "two"}}), "WORLD_SIZE=two");
  refused(whole({{"MASTER_PORT", "70000"}}), "MASTER_PORT=70000");
}

}  // namespace
}  // namespace procsim::train
