#include "train/processes/peers.hpp"

#include <gtest/gtest.h>

#include "data/base/process.hpp"

namespace procsim::train {
namespace {

constexpr std::chrono::seconds kTimeout{7};

// The name of a process that is gone: the number of this one, another start.
std::string ended() {
  auto name = this_process();
  name.insert(name.find(' ') + 1, "1");
  return name;
}

TEST(Peers, CountThoseOfTheirMachine) {
  const Peers peers{3, {"a", "b", "a", "b", "b"}, std::vector<std::string>(5, this_process())};
  EXPECT_EQ(peers.rank_on_host(), 1);
  EXPECT_EQ(peers.size_on_host(), 3);
}

TEST(Peers, SayWhoEndedOnTheirMachine) {
  const Peers one{0, {"a", "a", "b"}, {this_process(), ended(), ended()}};
  EXPECT_EQ(what_was_lost(one, "closed", kTimeout), "process 0 of 3 stops: process 1 ended");
  const Peers two{2, {"a", "a", "a"}, {ended(), ended(), this_process()}};
  EXPECT_EQ(what_was_lost(two, "closed", kTimeout), "process 2 of 3 stops: processes 0, 1 ended");
}

TEST(Peers, OfAnotherMachineTheySayWhatBroke) {
  const Peers peers{0, {"a", "b"}, {this_process(), ended()}};
  EXPECT_EQ(what_was_lost(peers, "closed by peer", kTimeout),
            "process 0 of 2 lost the connection to another one (closed by peer)");
  EXPECT_EQ(what_was_lost(peers, "Timed out waiting", kTimeout),
            "process 0 of 2 heard nothing from the others for 7 s");
}

}  // namespace
}  // namespace procsim::train
