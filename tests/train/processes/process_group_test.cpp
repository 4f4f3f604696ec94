#include "train/processes/process_group.hpp"

#include <gtest/gtest.h>

#include "tests/support/expect_error.hpp"
#include "tests/train/processes/local_processes.hpp"

namespace procsim::train {
namespace {

torch::Tensor all_rows() { return torch::arange(21, torch::kFloat32).reshape({7, 3}); }

torch::Tensor own_rows(const Processes& processes) {
  const auto slice = processes.slice(7);
  return all_rows().narrow(0, slice.first, slice.count);
}

TEST(ProcessGroup, GathersRowsOfSlicesOfAnySize) {
  for (const std::int64_t size : {2, 3})
    test::with_processes(size, [](Processes& processes) {
      EXPECT_TRUE(torch::equal(processes.gather_rows(own_rows(processes)), all_rows()));
    });
}

TEST(ProcessGroup, AProcessMayHaveNoRow) {
  test::with_processes(2, [](Processes& processes) {
    const auto own = processes.first() ? all_rows() : torch::empty({0, 1});
    EXPECT_TRUE(torch::equal(processes.gather_rows(own), all_rows()));
  });
}

// The gradient of Σ w·x² over all rows with respect to its own rows: not summed over processes, not divided.
TEST(ProcessGroup, AProcessHasTheGradientOfItsOwnRows) {
  test::with_processes(3, [](Processes& processes) {
    auto own = own_rows(processes).clone().requires_grad_(true);
    const auto all = processes.gather_rows(own);
    const auto weights = torch::arange(1, 8, torch::kFloat32).unsqueeze(1);
    (weights * all.square()).sum().backward();
    const auto slice = processes.slice(7);
    const auto expected = 2 * weights.narrow(0, slice.first, slice.count) * own_rows(processes);
    EXPECT_TRUE(torch::equal(own.grad(), expected));
  });
}

TEST(ProcessGroup, GradientsOfAllProcessesAreAddedUp) {
  test::with_processes(3, [](Processes& processes) {
    auto weight = torch::ones({3, 2, 2, 2}).contiguous(torch::MemoryFormat::ChannelsLast);
    weight.requires_grad_(true);
    const auto sum = processes.gradient_sum({weight});
    sum->begin();
    (weight * torch::arange(24).reshape({3, 2, 2, 2}) * static_cast<double>(processes.rank() + 1))
        .sum()
        .backward();
    sum->finish();
    EXPECT_TRUE(torch::equal(weight.grad(), 6 * torch::arange(24, torch::kFloat32).reshape({3, 2, 2, 2})));
  });
}

TEST(ProcessGroup, TakesTensorsAndTextsOfTheFirst) {
  test::with_processes(3, [](Processes& processes) {
    const auto rank = static_cast<double>(processes.rank());
    auto plain = torch::full({2, 3}, rank);
    auto turned = torch::full({3, 2}, rank).t();
    processes.take_from_first({plain, turned});
    EXPECT_EQ(plain.sum().item<double>() + turned.sum().item<double>(), 0);
    EXPECT_EQ(processes.text_from_first(processes.first() ? "a plan" : "another"), "a plan");
    EXPECT_TRUE(processes.any(processes.rank() == 2));
    EXPECT_FALSE(processes.any(false));
  });
}

TEST(ProcessGroup, KnowsWhoIsOnThisMachine) {
  test::with_processes(2, [](Processes& processes) {
    EXPECT_EQ(processes.rank_on_host(), processes.rank());
    EXPECT_EQ(processes.size_on_host(), 2);
  });
}

TEST(ProcessGroup, KeepsAWordWhereTheProcessesMeet) {
  test::with_processes(2, [](Processes& processes) {
    if (processes.first()) {
      EXPECT_EQ(processes.kept(), "");
      processes.keep("run 1");
      EXPECT_EQ(processes.kept(), "run 1");
    }
    processes.any(false);
  });
}

TEST(ProcessGroup, SaysThatTheOthersDidNotCome) {
  const Launch launch{.rank = 1, .size = 2, .address = "127.0.0.1", .port = test::free_port()};
  test::expect_error([&] { ProcessGroup(launch, std::chrono::seconds(1)); },
                     {"process 1 of 2 did not meet the others at 127.0.0.1:"});
}

// One leaves in the middle; threads stand for processes here, so nobody is seen to have ended.
TEST(ProcessGroup, SaysThatAnotherProcessWasLost) {
  test::with_processes(2, [](Processes& processes) {
    if (processes.rank() == 1) return;
    test::expect_error([&] { processes.any(false); }, {"process 0 of 2 lost the connection to another one"});
    EXPECT_THROW(processes.any(false), LostProcess);
  });
}

}  // namespace
}  // namespace procsim::train
