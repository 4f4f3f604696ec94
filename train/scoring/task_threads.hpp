#pragma once

#include <cstdint>
#include <functional>

namespace procsim::train {

// run_on_threads (data/base/thread_tasks.hpp) for tasks with tensors: inside a task the tensor library
// computes with one thread and without gradients, so what a task computes does not depend on how many others
// run: the same bits whatever the number of threads.
void run_tasks(std::int64_t count, int threads, const std::function<void(std::int64_t task)>& task);

}  // namespace procsim::train
