#include "data/noise_model/class_distances.hpp"

#include <algorithm>
#include <utility>

namespace procsim {

ClassDistances::ClassDistances(std::int64_t class_count) {
  parents_.assign(static_cast<std::size_t>(class_count) + 1, 0);
  parents_[0] = -1;
  for (std::int64_t c = 0; c < class_count; ++c) chains_.push_back({0, static_cast<std::int32_t>(c + 1)});
  count_below();
}

ClassDistances::ClassDistances(const std::vector<std::vector<std::int32_t>>& alike,
                               const LikenessOptions& options)
    : ClassDistances(static_cast<std::int64_t>(alike.size())) {
  reach_ = options.reach();
  alike_width_ = std::min(reach_.back(), classes() - 1);
  for (const auto& list : alike) alike_.insert(alike_.end(), list.begin(), list.begin() + alike_width_);
  for (const auto reach : reach_) steps_ += classes() - 1 > reach;
}

ClassDistances::ClassDistances(std::vector<std::int32_t> parents, std::span<const std::int32_t> nodes)
    : parents_(std::move(parents)) {
  for (auto node : nodes) {
    auto& chain = chains_.emplace_back();
    for (; node >= 0; node = parents_[static_cast<std::size_t>(node)]) chain.push_back(node);
    std::reverse(chain.begin(), chain.end());
  }
  count_below();
}

void ClassDistances::count_below() {
  below_.assign(parents_.size(), 0);
  for (const auto& chain : chains_) {
    for (const auto node : chain) ++below_[static_cast<std::size_t>(node)];
    steps_ = std::max(steps_, static_cast<int>(chain.size()) - 1);
  }
}

int ClassDistances::plain_distance(std::int64_t from, std::int64_t to) const {
  if (!alike_.empty()) {
    if (from == to) return 0;
    const auto first = alike_.begin() + from * alike_width_;
    const auto place = std::find(first, first + alike_width_, static_cast<std::int32_t>(to)) - first;
    int step = 1;
    for (const auto reach : reach_) step += place >= reach;
    return std::min(step, steps_);
  }
  const auto& a = chains_[static_cast<std::size_t>(from)];
  const auto& b = chains_[static_cast<std::size_t>(to)];
  const auto shared = std::mismatch(a.begin(), a.end(), b.begin(), b.end()).first - a.begin();
  return static_cast<int>(static_cast<std::ptrdiff_t>(a.size()) - shared);
}

std::int64_t ClassDistances::plain_others_below(std::int64_t from, int step) const {
  if (!alike_.empty()) {
    const auto tier = static_cast<std::size_t>(step - 1);
    return tier < reach_.size() ? std::min(reach_[tier], classes() - 1) : classes() - 1;
  }
  const auto& chain = chains_[static_cast<std::size_t>(from)];
  const auto place = std::max(static_cast<int>(chain.size()) - 1 - step, 0);
  return below_[static_cast<std::size_t>(chain[static_cast<std::size_t>(place)])] - 1;
}

ClassDistances ClassDistances::with_dominant_confusions(std::vector<DominantConfusions> dominant) const {
  auto result = *this;
  result.dominant_ = std::move(dominant);
  return result;
}

int ClassDistances::distance(std::int64_t from, std::int64_t to) const {
  if (dominant_.empty()) return plain_distance(from, to);
  if (from == to) return 0;
  const auto& own = dominant_[static_cast<std::size_t>(from)];
  return std::find(own.begin(), own.end(), to) != own.end() ? 1 : 1 + plain_distance(from, to);
}

std::int64_t ClassDistances::others_below(std::int64_t from, int step) const {
  if (dominant_.empty()) return plain_others_below(from, step);
  auto others = step > 1 ? plain_others_below(from, step - 1) : 0;
  for (const auto confusion : dominant_[static_cast<std::size_t>(from)])
    others += confusion != kNone && (step == 1 || plain_distance(from, confusion) > step - 1);
  return others;
}

}  // namespace procsim
