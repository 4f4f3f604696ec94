#include "data/base/id_set.hpp"

#include <algorithm>

namespace procsim {
namespace {

constexpr std::size_t kFew = 256;  // a sixteenth of a bitmap's size

std::int64_t page_of(std::int64_t id) { return id >> 16; }
std::uint16_t place_of(std::int64_t id) { return static_cast<std::uint16_t>(id & 0xFFFF); }
std::size_t word_of(std::uint16_t place) { return place >> 6; }
std::uint64_t bit_of(std::uint16_t place) { return std::uint64_t{1} << (place & 63); }

}  // namespace

bool IdSet::insert(std::int64_t id) {
  if (last_ == nullptr || last_number_ != page_of(id)) {
    last_number_ = page_of(id);
    last_ = &pages_[last_number_];  // references into an unordered_map stay valid
  }
  auto& page = *last_;
  const auto place = place_of(id);
  if (!page.bits) {
    const auto found = std::lower_bound(page.few.begin(), page.few.end(), place);
    if (found != page.few.end() && *found == place) return false;
    ++size_;
    page.few.insert(found, place);
    if (page.few.size() <= kFew) return true;
    page.bits = std::make_unique<Bits>();
    for (const auto earlier : page.few) (*page.bits)[word_of(earlier)] |= bit_of(earlier);
    page.few = {};
    return true;
  }
  auto& word = (*page.bits)[word_of(place)];
  if ((word & bit_of(place)) != 0) return false;
  word |= bit_of(place);
  ++size_;
  return true;
}

bool IdSet::contains(std::int64_t id) const {
  const auto found = pages_.find(page_of(id));
  if (found == pages_.end()) return false;
  const auto& page = found->second;
  const auto place = place_of(id);
  if (!page.bits) return std::binary_search(page.few.begin(), page.few.end(), place);
  return ((*page.bits)[word_of(place)] & bit_of(place)) != 0;
}

}  // namespace procsim
