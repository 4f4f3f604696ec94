#include "train/scoring/task_pool.hpp"

#include <atomic>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace procsim::train {
namespace {

TEST(TaskPool, RunsEveryTaskOnceWhateverTheThreads) {
  for (const int threads : {0, 1, 2, 7}) {
    std::vector<int> runs(100);  // a place per task: threads share none
    run_in_pool(100, threads, [&](std::int64_t task) { ++runs[static_cast<std::size_t>(task)]; });
    EXPECT_THAT(runs, ::testing::Each(1)) << threads << " threads";
  }
}

TEST(TaskPool, WithoutTasksDoesNothing) {
  run_in_pool(0, 4, [](std::int64_t task) { FAIL() << "task " << task; });
}

TEST(TaskPool, RunsOneTaskOnTheCallersThread) {
  const auto caller = std::this_thread::get_id();
  run_in_pool(1, 4, [&](std::int64_t) { EXPECT_EQ(std::this_thread::get_id(), caller); });
}

// Both throw: each waits until the other has started.
TEST(TaskPool, ThrowsTheFirstExceptionByIndex) {
  std::atomic<int> started{0};
  try {
    run_in_pool(2, 2, [&](std::int64_t task) {
      ++started;
      while (started < 2) std::this_thread::yield();
      throw std::runtime_error(std::to_string(task));
    });
    FAIL() << "nothing was thrown";
  } catch (const std::runtime_error& error) {
    EXPECT_STREQ(error.what(), "0");
  }
}

TEST(TaskPool, StartsNoTaskAfterAFailure) {
  int runs = 0;
  EXPECT_THROW(run_in_pool(100, 1,
                           [&](std::int64_t task) {
                             ++runs;
                             if (task == 2) throw std::runtime_error("task 2");
                           }),
               std::runtime_error);
  EXPECT_EQ(runs, 3);
}

}  // namespace
}  // namespace procsim::train
