#include "train/samples/sampler.hpp"

#include <algorithm>
#include <numeric>

#include <fmt/format.h>

#include "data/base/error.hpp"
#include "data/base/keyed_random.hpp"

namespace procsim::train {
namespace {

std::int64_t ceil_div(std::int64_t a, std::int64_t b) { return (a + b - 1) / b; }

void shuffle(std::vector<std::int64_t>& values, Draws& draws) {
  for (std::size_t i = values.size(); i > 1; --i) std::swap(values[i - 1], values[draws.below(i)]);
}

// One class drawn with probability proportional to what it has left.
std::size_t draw_weighted(const std::vector<std::int64_t>& weights, std::int64_t total, Draws& draws) {
  auto ticket = static_cast<std::int64_t>(draws.below(static_cast<std::uint64_t>(total)));
  for (std::size_t i = 0; i < weights.size(); ++i) {
    ticket -= weights[i];
    if (ticket < 0) return i;
  }
  return weights.size() - 1;
}

// The classes of one batch: first those that would not fit any more if left for later, then by lot.
std::vector<std::int64_t> draw_classes(const std::vector<std::int64_t>& left, std::int64_t batches_left,
                                       std::int64_t places, Draws& draws) {
  std::vector<std::int64_t> chosen;
  std::vector<std::int64_t> weights = left;
  for (std::size_t c = 0; c < left.size(); ++c) {
    if (left[c] < batches_left) continue;
    chosen.push_back(static_cast<std::int64_t>(c));
    weights[c] = 0;
  }
  auto total = std::accumulate(weights.begin(), weights.end(), std::int64_t{0});
  while (static_cast<std::int64_t>(chosen.size()) < places && total > 0) {
    const auto c = draw_weighted(weights, total, draws);
    total -= weights[c];
    weights[c] = 0;
    chosen.push_back(static_cast<std::int64_t>(c));
  }
  return chosen;
}

}  // namespace

std::int64_t fitting_batch(std::int64_t batch, std::int64_t per_class, std::int64_t classes) {
  return std::min(batch, classes * per_class);
}

ClassBalancedSampler::ClassBalancedSampler(std::span<const std::int64_t> labels,
                                           const SamplerOptions& options)
    : options_(options) {
  if (options.per_class < 1 || options.batch < 1 || options.batch % options.per_class != 0)
    throw Error(
        fmt::format("a batch of {} cannot hold {} samples of each class: choose a multiple (--batch {})",
                    options.batch, options.per_class,
                    std::max<std::int64_t>(1, options.batch / std::max<std::int64_t>(1, options.per_class)) *
                        std::max<std::int64_t>(1, options.per_class)));
  for (std::size_t i = 0; i < labels.size(); ++i) {
    const auto label = static_cast<std::size_t>(labels[i]);
    if (label >= members_.size()) members_.resize(label + 1);
    members_[label].push_back(static_cast<std::int64_t>(i));
  }
  const std::int64_t places = options.batch / options.per_class;
  const auto classes = static_cast<std::int64_t>(
      std::count_if(members_.begin(), members_.end(), [](const auto& members) { return !members.empty(); }));
  if (places > classes)
    throw Error(
        fmt::format("a batch of {} needs {} classes with {} samples each, but the labels have {} training "
                    "classes. Use --batch {} or less.",
                    options.batch, places, options.per_class, classes, classes * options.per_class));
  std::int64_t all_groups = 0;
  for (const auto& members : members_) {
    groups_.push_back(ceil_div(static_cast<std::int64_t>(members.size()), options.per_class));
    all_groups += groups_.back();
  }
  batches_ = ceil_div(all_groups, places);
  for (auto& groups : groups_) groups = std::min(groups, batches_);
}

std::vector<std::int64_t> ClassBalancedSampler::samples_of(std::int64_t class_index,
                                                           std::int64_t epoch) const {
  const auto& members = members_[static_cast<std::size_t>(class_index)];
  const auto size = static_cast<std::int64_t>(members.size());
  const std::int64_t wanted = groups_[static_cast<std::size_t>(class_index)] * options_.per_class;
  // A class that does not fit into one epoch is shuffled once for as many epochs as it takes.
  const std::int64_t cycle = std::max<std::int64_t>(1, ceil_div(size, wanted));
  auto order = members;
  auto draws =
      KeyedRandom(options_.seed, "train/sampler/class").for_id(((epoch / cycle) << 32) + class_index);
  shuffle(order, draws);
  std::vector<std::int64_t> samples;
  samples.reserve(static_cast<std::size_t>(wanted));
  for (std::int64_t i = 0; i < wanted; ++i)
    samples.push_back(order[static_cast<std::size_t>(((epoch % cycle) * wanted + i) % size)]);
  return samples;
}

std::vector<std::vector<std::int64_t>> ClassBalancedSampler::epoch(std::int64_t epoch) const {
  std::vector<std::vector<std::int64_t>> samples;
  for (std::size_t c = 0; c < members_.size(); ++c)
    samples.push_back(members_[c].empty() ? std::vector<std::int64_t>{}
                                          : samples_of(static_cast<std::int64_t>(c), epoch));
  auto left = groups_;
  auto draws = KeyedRandom(options_.seed, "train/sampler/epoch").for_id(epoch);
  const auto places = static_cast<std::size_t>(options_.batch / options_.per_class);
  std::vector<std::vector<std::int64_t>> batches;
  for (std::int64_t batch = 0; batch < batches_; ++batch) {
    std::vector<std::int64_t> indices;
    const auto take_group = [&](std::size_t c, std::int64_t group) {
      const auto first = samples[c].begin() + group * options_.per_class;
      indices.insert(indices.end(), first, first + options_.per_class);
    };
    const auto chosen = draw_classes(left, batches_ - batch, static_cast<std::int64_t>(places), draws);
    std::vector<bool> taken(members_.size());
    for (const auto index : chosen) {
      const auto c = static_cast<std::size_t>(index);
      take_group(c, groups_[c] - left[c]);
      --left[c];
      taken[c] = true;
    }
    // Places that are left over go to further classes, any of their groups.
    std::vector<std::int64_t> others;
    for (std::size_t c = 0; c < members_.size() && chosen.size() < places; ++c)
      if (!members_[c].empty() && !taken[c]) others.push_back(static_cast<std::int64_t>(c));
    shuffle(others, draws);
    for (std::size_t i = 0; i + chosen.size() < places; ++i) {
      const auto c = static_cast<std::size_t>(others[i]);
      take_group(c, static_cast<std::int64_t>(draws.below(static_cast<std::uint64_t>(groups_[c]))));
    }
    batches.push_back(std::move(indices));
  }
  return batches;
}

}  // namespace procsim::train
