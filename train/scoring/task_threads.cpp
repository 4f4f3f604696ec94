#include "train/scoring/task_threads.hpp"

#include <algorithm>
#include <atomic>
#include <exception>
#include <mutex>
#include <thread>
#include <vector>

#include "train/torch.hpp"

namespace procsim::train {
namespace {

// One thread in the tensor library while it lasts.
class SingleThread {
 public:
  SingleThread() : before_(torch::get_num_threads()) { torch::set_num_threads(1); }
  ~SingleThread() { torch::set_num_threads(before_); }
  SingleThread(const SingleThread&) = delete;
  SingleThread& operator=(const SingleThread&) = delete;

 private:
  int before_;
};

}  // namespace

void run_tasks(std::int64_t count, int threads, const std::function<void(std::int64_t)>& task) {
  const SingleThread single;
  std::atomic<std::int64_t> next{0};
  std::mutex guard;
  std::int64_t failed = count;
  std::exception_ptr failure;
  const auto work = [&] {
    torch::set_num_threads(1);  // a thread of its own starts with the library's default
    const torch::NoGradGuard no_gradients;
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
  const int cores = threads > 0 ? threads : static_cast<int>(std::thread::hardware_concurrency());
  const auto helpers = std::min<std::int64_t>(std::max(cores, 1), count) - 1;
  {
    std::vector<std::jthread> others;
    for (std::int64_t i = 0; i < helpers; ++i) others.emplace_back(work);
    work();
  }
  if (failure) std::rethrow_exception(failure);
}

}  // namespace procsim::train
