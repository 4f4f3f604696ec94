#pragma once

#include <cstdint>
#include <functional>

namespace procsim::train {

// Runs task(0) … task(count−1) on up to `threads` threads (0: one per core). Inside a task the tensor library
// computes with one thread and without gradients, so what a task computes does not depend on how many others
// run: the same bits whatever the number of threads. The first exception (by index) is thrown again when all
// have stopped.
void run_tasks(std::int64_t count, int threads, const std::function<void(std::int64_t task)>& task);

}  // namespace procsim::train
