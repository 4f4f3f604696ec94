#pragma once

#include <condition_variable>
#include <cstdint>
#include <exception>
#include <functional>
#include <map>
#include <mutex>
#include <optional>
#include <thread>
#include <utility>
#include <vector>

namespace procsim {

// Makes items first … end−1 ahead of time in worker threads and hands them out in order, so that results do
// not depend on the number of workers. At most `ahead` finished or started items wait. An exception thrown
// while making an item comes out of next() at that item's turn.
template <typename Item>
class Prefetcher {
 public:
  using Make = std::function<Item(std::int64_t index)>;

  Prefetcher(std::int64_t first, std::int64_t end, int workers, int ahead, Make make)
      : next_to_make_(first), next_to_give_(first), end_(end), ahead_(ahead), make_(std::move(make)) {
    for (int i = 0; i < workers; ++i) threads_.emplace_back([this] { work(); });
  }

  ~Prefetcher() {
    {
      const std::lock_guard lock(mutex_);
      stopping_ = true;
    }
    changed_.notify_all();
    for (auto& thread : threads_) thread.join();
  }
  Prefetcher(const Prefetcher&) = delete;
  Prefetcher& operator=(const Prefetcher&) = delete;

  // The next item, or none behind the last.
  std::optional<Item> next() {
    std::unique_lock lock(mutex_);
    if (next_to_give_ >= end_) return std::nullopt;
    changed_.wait(lock, [this] { return ready_.contains(next_to_give_); });
    auto node = ready_.extract(next_to_give_++);
    lock.unlock();
    changed_.notify_all();
    if (node.mapped().second) std::rethrow_exception(node.mapped().second);
    return std::move(node.mapped().first);
  }

 private:
  void work() {
    std::unique_lock lock(mutex_);
    while (true) {
      changed_.wait(lock, [this] {
        return stopping_ || next_to_make_ >= end_ || next_to_make_ < next_to_give_ + ahead_;
      });
      if (stopping_ || next_to_make_ >= end_) return;
      const std::int64_t index = next_to_make_++;
      lock.unlock();
      std::pair<std::optional<Item>, std::exception_ptr> result;
      try {
        result.first = make_(index);
      } catch (...) {
        result.second = std::current_exception();
      }
      lock.lock();
      ready_.emplace(index, std::move(result));
      changed_.notify_all();
    }
  }

  std::mutex mutex_;
  std::condition_variable changed_;
  std::int64_t next_to_make_;
  std::int64_t next_to_give_;
  std::int64_t end_;
  std::int64_t ahead_;
  bool stopping_ = false;
  Make make_;
  std::map<std::int64_t, std::pair<std::optional<Item>, std::exception_ptr>> ready_;
  std::vector<std::thread> threads_;
};

}  // namespace procsim
