#include "train/scoring/task_threads.hpp"

#include "data/base/thread_tasks.hpp"
#include "train/models/torch.hpp"

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
  run_on_threads(count, threads, [&](std::int64_t i) {
    torch::set_num_threads(1);  // a thread of its own starts with the library's default
    const torch::NoGradGuard no_gradients;
    task(i);
  });
}

}  // namespace procsim::train
