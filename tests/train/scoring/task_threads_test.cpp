#include "train/scoring/task_threads.hpp"

#include <vector>

#include <gtest/gtest.h>

#include "train/models/torch.hpp"

namespace procsim::train {
namespace {

TEST(TaskThreads, TasksComputeWithOneThreadAndWithoutGradients) {
  torch::set_num_threads(2);
  std::vector<int> threads(6, 0);
  std::vector<int> gradients(6, 1);
  run_tasks(6, 3, [&](std::int64_t task) {
    threads[static_cast<std::size_t>(task)] = torch::get_num_threads();
    gradients[static_cast<std::size_t>(task)] = torch::GradMode::is_enabled() ? 1 : 0;
  });
  EXPECT_EQ(threads, std::vector<int>(6, 1));
  EXPECT_EQ(gradients, std::vector<int>(6, 0));
  EXPECT_EQ(torch::get_num_threads(), 2) << "as it was";
  EXPECT_TRUE(torch::GradMode::is_enabled()) << "as it was";
}

}  // namespace
}  // namespace procsim::train
