#include "data/base/thread_tasks.hpp"

#include <algorithm>
#include <atomic>
#include <exception>
#include <mutex>
#include <thread>
#include <vector>

namespace procsim {

int thread_count(int asked) {
  return asked > 0 ? asked : std::max(1, static_cast<int>(std::thread::hardware_concurrency()));
}

void run_on_threads(std::int64_t count, int threads, const std::function<void(std::int64_t)>& task) {
  std::atomic<std::int64_t> next{0};
  std::mutex guard;
  std::int64_t failed = count;
  std::exception_ptr failure;
  const auto work = [&] {
    for (std::int64_t i = next++; i < count; i = next++) {
      try {
        task(i);
      } catch (...) {
        const std::lock_guard lock(guard);
        if (i < failed) {
          failed = i;
          failure = std::current_exception();
        }
        next = count;
      }
    }
  };
  const auto helpers = std::min<std::int64_t>(thread_count(threads), count) - 1;
  {
    std::vector<std::jthread> others;
    for (std::int64_t i = 0; i < helpers; ++i) others.emplace_back(work);
    work();
  }
  if (failure) std::rethrow_exception(failure);
}

}  // namespace procsim
