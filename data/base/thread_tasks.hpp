#pragma once

#include <cstdint>
#include <functional>

namespace procsim {

// As many threads as were asked for; 0: one per core that this machine has.
int thread_count(int asked = 0);

// Runs task(0) … task(count−1) on up to `threads` threads (0: one per core), the caller's among them. After
// an exception no further task is begun; when all have stopped, that of the lowest index is thrown again.
void run_on_threads(std::int64_t count, int threads, const std::function<void(std::int64_t task)>& task);

}  // namespace procsim
