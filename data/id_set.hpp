#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <unordered_map>

namespace procsim {

// A set of sample ids: a bitmap in pages, so that dense ids cost about a bit each, in any order.
class IdSet {
 public:
  // True when the id was not in the set before.
  bool insert(std::int64_t id);
  bool contains(std::int64_t id) const;
  std::uint64_t size() const { return size_; }

 private:
  using Page = std::array<std::uint64_t, 1024>;  // 65,536 ids, 8 KiB
  std::unordered_map<std::int64_t, std::unique_ptr<Page>> pages_;
  std::uint64_t size_ = 0;
};

}  // namespace procsim
