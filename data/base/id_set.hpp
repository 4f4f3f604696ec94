#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <unordered_map>
#include <vector>

namespace procsim {

// A set of sample ids in pages, in any order: dense ids cost about a bit each, scattered ones (hashes) some
// tens of bytes.
class IdSet {
 public:
  // True when the id was not in the set before.
  bool insert(std::int64_t id);
  bool contains(std::int64_t id) const;
  std::uint64_t size() const { return size_; }

 private:
  using Bits = std::array<std::uint64_t, 1024>;  // 65,536 ids, 8 KiB
  struct Page {
    std::vector<std::uint16_t> few;  // sorted, as long as they are few
    std::unique_ptr<Bits> bits;      // afterwards
  };

  std::unordered_map<std::int64_t, Page> pages_;
  std::int64_t last_number_ = 0;  // the page used last: ids mostly come in order
  Page* last_ = nullptr;
  std::uint64_t size_ = 0;
};

}  // namespace procsim
