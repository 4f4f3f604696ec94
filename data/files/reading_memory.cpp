#include "data/files/reading_memory.hpp"

#include <algorithm>
#include <atomic>
#include <limits>

#include <fmt/format.h>

namespace procsim {
namespace {

// A row group of images is read as a whole: with the default of most writers that is some hundred megabytes.
constexpr std::int64_t kAnyFile = std::int64_t{640} << 20;
// Text and repeated values: Zstandard and dictionaries together rarely save more.
constexpr std::int64_t kTimesTheFile = 32;

// At most `limit` bytes together and `largest` at once, from another pool.
class BoundedPool : public arrow::MemoryPool {
 public:
  BoundedPool(arrow::MemoryPool* inner, std::int64_t limit, std::int64_t largest)
      : inner_(inner), largest_(largest), limit_(limit) {}
  using MemoryPool::Allocate;
  using MemoryPool::Free;
  using MemoryPool::Reallocate;

  arrow::Status Allocate(std::int64_t size, std::int64_t alignment, std::uint8_t** out) override {
    if (auto refused = take(size, size); !refused.ok()) return refused;
    auto status = inner_->Allocate(size, alignment, out);
    if (!status.ok()) taken_ -= size;
    return status;
  }
  arrow::Status Reallocate(std::int64_t old_size, std::int64_t new_size, std::int64_t alignment,
                           std::uint8_t** out) override {
    if (auto refused = take(new_size - old_size, new_size); !refused.ok()) return refused;
    auto status = inner_->Reallocate(old_size, new_size, alignment, out);
    if (!status.ok()) taken_ -= new_size - old_size;
    return status;
  }
  void Free(std::uint8_t* buffer, std::int64_t size, std::int64_t alignment) override {
    inner_->Free(buffer, size, alignment);
    taken_ -= size;
  }
  void ReleaseUnused() override { inner_->ReleaseUnused(); }
  std::int64_t bytes_allocated() const override { return taken_; }
  std::int64_t max_memory() const override { return inner_->max_memory(); }
  std::int64_t total_bytes_allocated() const override { return inner_->total_bytes_allocated(); }
  std::int64_t num_allocations() const override { return inner_->num_allocations(); }
  std::string backend_name() const override { return inner_->backend_name(); }

  void allow(std::int64_t bytes) {
    auto before = limit_.load();
    while (before < bytes && !limit_.compare_exchange_weak(before, bytes)) {
    }
  }

 private:
  arrow::Status take(std::int64_t more, std::int64_t size) {
    if (size > largest_)
      return arrow::Status::OutOfMemory(
          fmt::format("it takes {} MB at once, and an image may take {} MB", size >> 20, largest_ >> 20));
    if (more > 0 && more > limit_ - taken_)
      return arrow::Status::OutOfMemory(
          fmt::format("it unpacks to more than {} MB, too much for its size", limit_ >> 20));
    taken_ += more;
    return arrow::Status::OK();
  }

  arrow::MemoryPool* inner_;
  std::int64_t largest_;
  std::atomic<std::int64_t> taken_{0}, limit_;
};

BoundedPool& pool() {
  // What was read may outlive every static object.
  static auto* const lasting =
      new BoundedPool(arrow::default_memory_pool(), kAnyFile, std::numeric_limits<std::int64_t>::max());
  return *lasting;
}

}  // namespace

arrow::MemoryPool* reading_memory() { return &pool(); }

arrow::MemoryPool* image_memory() {
  static auto* const lasting =
      new BoundedPool(&pool(), std::numeric_limits<std::int64_t>::max(), kMostImageBytes);
  return lasting;
}

void allow_reading(std::int64_t file_bytes) {
  constexpr auto kMost = std::numeric_limits<std::int64_t>::max() / kTimesTheFile - kAnyFile;
  pool().allow(kAnyFile + kTimesTheFile * std::min(file_bytes, kMost));
}

}  // namespace procsim
