#include "train/scoring/favourites.hpp"

#include <algorithm>
#include <utility>

namespace procsim::train {

std::vector<ClassClimbs::Favourites> find_favourites(const std::unordered_map<std::uint64_t, double>& pairs,
                                                     std::span<const double> all, const FavouriteRule& rule) {
  std::vector<std::vector<std::pair<double, std::int32_t>>> found(all.size());
  for (const auto& [pair, errors] : pairs) {
    const auto truth = pair / all.size();
    if (errors >= rule.errors && errors >= rule.part * all[truth])
      found[truth].emplace_back(-errors, static_cast<std::int32_t>(pair % all.size()));
  }
  std::vector<ClassClimbs::Favourites> favourites(all.size());
  for (std::size_t c = 0; c < all.size(); ++c) {
    std::sort(found[c].begin(), found[c].end());  // most errors first, ties by class
    favourites[c].fill(ClassClimbs::kNone);
    for (std::size_t k = 0; k < std::min(found[c].size(), favourites[c].size()); ++k)
      favourites[c][k] = found[c][k].second;
  }
  return favourites;
}

}  // namespace procsim::train
