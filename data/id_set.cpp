#include "data/id_set.hpp"

namespace procsim {
namespace {

std::int64_t page_of(std::int64_t id) { return id >> 16; }
std::size_t word_of(std::int64_t id) { return static_cast<std::size_t>((id & 0xFFFF) >> 6); }
std::uint64_t bit_of(std::int64_t id) { return std::uint64_t{1} << (id & 63); }

}  // namespace

bool IdSet::insert(std::int64_t id) {
  auto& page = pages_[page_of(id)];
  if (!page) page = std::make_unique<Page>();
  auto& word = (*page)[word_of(id)];
  if ((word & bit_of(id)) != 0) return false;
  word |= bit_of(id);
  ++size_;
  return true;
}

bool IdSet::contains(std::int64_t id) const {
  const auto found = pages_.find(page_of(id));
  return found != pages_.end() && ((*found->second)[word_of(id)] & bit_of(id)) != 0;
}

}  // namespace procsim
