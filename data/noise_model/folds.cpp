#include "data/noise_model/folds.hpp"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "data/base/error.hpp"
#include "data/base/keyed_random.hpp"

namespace procsim {

FoldPlan deal_folds(std::span<const std::int64_t> ids, std::span<const std::int64_t> classes,
                    std::int64_t class_count, int folds, std::uint64_t seed) {
  if (folds < 2) throw UsageError(fmt::format("--folds {}: cross-fitting needs two or more", folds));
  if (static_cast<std::int64_t>(ids.size()) < folds)
    throw Error(fmt::format("{} samples cannot be split into {} folds", ids.size(), folds));
  struct Card {
    std::uint64_t draw;
    std::int64_t id;
    std::size_t row;
  };
  const KeyedRandom order(seed, "score/fold-order");
  const KeyedRandom starts(seed, "score/fold-start");
  std::vector<std::vector<Card>> hands(static_cast<std::size_t>(class_count));
  for (std::size_t i = 0; i < ids.size(); ++i)
    hands[static_cast<std::size_t>(classes[i])].push_back({order.for_id(ids[i]).next_bits(), ids[i], i});
  FoldPlan plan;
  plan.folds = folds;
  plan.fold.resize(ids.size());
  for (std::int64_t c = 0; c < class_count; ++c) {
    auto& hand = hands[static_cast<std::size_t>(c)];
    std::sort(hand.begin(), hand.end(),
              [](const Card& a, const Card& b) { return std::pair(a.draw, a.id) < std::pair(b.draw, b.id); });
    // Where dealing starts is drawn too, or small classes would all lie in the first folds.
    auto next = starts.for_id(c).below(static_cast<std::uint64_t>(folds));
    for (const auto& card : hand) {
      plan.fold[card.row] = static_cast<std::int32_t>(next);
      next = (next + 1) % static_cast<std::uint64_t>(folds);
    }
    plan.lone_classes += hand.size() == 1 ? 1 : 0;
    plan.paired_classes += hand.size() == 2 ? 1 : 0;
    plan.incomplete_classes += !hand.empty() && hand.size() < static_cast<std::size_t>(folds) ? 1 : 0;
  }
  return plan;
}

}  // namespace procsim
