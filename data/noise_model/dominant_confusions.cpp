#include "data/noise_model/dominant_confusions.hpp"

#include <algorithm>
#include <utility>

namespace procsim {

std::vector<ClassDistances::DominantConfusions> find_dominant_confusions(
    const std::unordered_map<std::uint64_t, double>& pairs, std::span<const double> all,
    const DominanceRule& rule) {
  std::vector<std::vector<std::pair<double, std::int32_t>>> found(all.size());
  for (const auto& [pair, errors] : pairs) {
    const auto truth = pair / all.size();
    if (errors >= rule.errors && errors >= rule.part * all[truth])
      found[truth].emplace_back(-errors, static_cast<std::int32_t>(pair % all.size()));
  }
  std::vector<ClassDistances::DominantConfusions> dominant(all.size());
  for (std::size_t c = 0; c < all.size(); ++c) {
    std::sort(found[c].begin(), found[c].end());  // most errors first, ties by class
    dominant[c].fill(ClassDistances::kNone);
    for (std::size_t k = 0; k < std::min(found[c].size(), dominant[c].size()); ++k)
      dominant[c][k] = found[c][k].second;
  }
  return dominant;
}

}  // namespace procsim
