#pragma once

#include <algorithm>
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

#include "data/base/thread_tasks.hpp"
#include "data/labels/label_set.hpp"

namespace procsim::noise {

// Streams a reader's batches through `work` on `threads` threads (0: one per core) and hands the results, in
// file order, to `consume` on the calling thread. Only a few batches are in memory at a time. With one thread
// everything happens in turn. What any of the functions throws ends the run and is thrown here.
template <typename Result>
class BatchPipeline {
 public:
  using Work = std::function<Result(const LabelBatch&)>;
  using Consume = std::function<void(const LabelBatch&, Result&&)>;

  static void run(LabelSetReader& reader, unsigned threads, const Work& work, const Consume& consume) {
    const auto count = static_cast<unsigned>(thread_count(static_cast<int>(threads)));
    if (count == 1) {
      while (auto batch = reader.next()) consume(*batch, work(*batch));
      return;
    }
    BatchPipeline pipeline(reader, count - 1, work);
    pipeline.drain(consume);
  }

 private:
  // Batches read and worked on while the consumer is busy, besides the one in each worker's hands. More would
  // save no time, measured, and each takes megabytes.
  static constexpr unsigned kAhead = 2;

  struct Done {
    LabelBatch batch;
    Result result;
  };

  BatchPipeline(LabelSetReader& reader, unsigned workers, const Work& work)
      : reader_(reader), work_(work), window_(workers + kAhead) {
    for (unsigned i = 0; i < workers; ++i) workers_.emplace_back([this] { work_batches(); });
  }
  ~BatchPipeline() {
    {
      const std::lock_guard lock(mutex_);
      stopped_ = true;
    }
    changed_.notify_all();
    for (auto& worker : workers_) worker.join();
  }

  void work_batches() {
    try {
      while (true) {
        auto [number, batch] = take();
        if (!batch) return;
        auto result = work_(*batch);
        const std::lock_guard lock(mutex_);
        done_.emplace(number, Done{std::move(*batch), std::move(result)});
        changed_.notify_all();
      }
    } catch (...) {
      const std::lock_guard lock(mutex_);
      if (!failure_) failure_ = std::current_exception();
      changed_.notify_all();
    }
  }

  // The next batch with its number; one worker reads at a time, and none runs far ahead of the consumer.
  std::pair<std::uint64_t, std::optional<LabelBatch>> take() {
    const std::lock_guard reading(reader_mutex_);
    {
      std::unique_lock lock(mutex_);
      changed_.wait(lock, [&] { return stopped_ || failure_ || read_ < consumed_ + window_; });
      if (stopped_ || failure_ || ended_) return {0, std::nullopt};
    }
    auto batch = reader_.next();
    const std::lock_guard lock(mutex_);
    if (!batch) {
      ended_ = true;
      changed_.notify_all();
      return {0, std::nullopt};
    }
    return {read_++, std::move(batch)};
  }

  void drain(const Consume& consume) {
    while (true) {
      std::unique_lock lock(mutex_);
      changed_.wait(lock,
                    [&] { return failure_ || done_.contains(consumed_) || (ended_ && consumed_ == read_); });
      if (failure_) std::rethrow_exception(failure_);
      const auto found = done_.find(consumed_);
      if (found == done_.end()) return;
      auto done = std::move(found->second);
      done_.erase(found);
      lock.unlock();
      consume(done.batch, std::move(done.result));
      lock.lock();
      ++consumed_;
      changed_.notify_all();
    }
  }

  LabelSetReader& reader_;
  const Work& work_;
  const std::uint64_t window_;
  std::vector<std::thread> workers_;
  std::mutex reader_mutex_;
  std::mutex mutex_;
  std::condition_variable changed_;
  std::map<std::uint64_t, Done> done_;
  std::uint64_t read_ = 0, consumed_ = 0;
  bool ended_ = false, stopped_ = false;
  std::exception_ptr failure_;
};

}  // namespace procsim::noise
