#pragma once

#include <cstdint>
#include <functional>

namespace procsim::train {

// Runs task(0) … task(count−1) on up to `threads` threads, the caller's among them (0: one per core). A task
// that throws ends the run: no further task starts, and of what was thrown the exception with the lowest
// index is thrown again when all have stopped.
void run_in_pool(std::int64_t count, int threads, const std::function<void(std::int64_t task)>& task);

}  // namespace procsim::train
