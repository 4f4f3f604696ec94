#include "data/base/thread_tasks.hpp"

#include <atomic>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include <gtest/gtest.h>

namespace procsim {
namespace {

TEST(ThreadTasks, ThereAreAsManyThreadsAsAskedForOrOnePerCore) {
  EXPECT_EQ(thread_count(7), 7);
  EXPECT_GE(thread_count(0), 1);
  EXPECT_EQ(thread_count(), thread_count(0));
}

TEST(ThreadTasks, EveryTaskRunsOnceWhateverTheNumberOfThreads) {
  for (const int threads : {0, 1, 3, 50}) {
    std::vector<std::atomic<int>> runs(20);
    run_on_threads(20, threads, [&](std::int64_t task) { ++runs[static_cast<std::size_t>(task)]; });
    for (const auto& count : runs) EXPECT_EQ(count, 1) << threads;
  }
}

TEST(ThreadTasks, WithoutTasksNothingRuns) {
  run_on_threads(0, 4, [](std::int64_t) { FAIL(); });
}

TEST(ThreadTasks, AnExceptionEndsTheWorkAndComesOut) {
  std::vector<std::int64_t> begun;
  try {
    run_on_threads(100, 1, [&](std::int64_t task) {
      begun.push_back(task);
      if (task == 2) throw std::runtime_error("task 2");
    });
    FAIL();
  } catch (const std::runtime_error& error) {
    EXPECT_EQ(error.what(), std::string("task 2"));
  }
  EXPECT_EQ(begun, (std::vector<std::int64_t>{0, 1, 2}));
}

TEST(ThreadTasks, OfSeveralExceptionsThatOfTheLowestTaskCounts) {
  // Both begin before either may end.
  std::atomic<int> waiting{0};
  try {
    run_on_threads(2, 2, [&](std::int64_t task) {
      ++waiting;
      while (waiting < 2) std::this_thread::yield();
      throw std::runtime_error(std::to_string(task));
    });
    FAIL();
  } catch (const std::runtime_error& error) {
    EXPECT_EQ(error.what(), std::string("0"));
  }
}

}  // namespace
}  // namespace procsim
