#include "train/scoring/sample_neighbours.hpp"

#include <algorithm>
#include <map>

#include "train/metrics/neighbours.hpp"

namespace procsim::train {
namespace {

struct Found {
  float similarity;
  std::int64_t sample;
};

// Puts it among the `count` nearest, nearest first, ties by index, each sample once.
void keep_nearest(std::vector<Found>& nearest, const Found& one, std::size_t count) {
  const auto place = std::find_if(nearest.begin(), nearest.end(), [&](const Found& other) {
    return std::pair(-other.similarity, other.sample) >= std::pair(-one.similarity, one.sample);
  });
  if (place != nearest.end() && place->sample == one.sample) return;
  nearest.insert(place, one);
  if (nearest.size() > count) nearest.pop_back();
}

}  // namespace

torch::Tensor RowsAroundMean::of(const std::vector<std::int64_t>& samples) const {
  auto rows = rows_.index_select(0, torch::tensor(samples, torch::kInt64)).sub_(mean_);
  return rows.div_(rows.norm(2, 1, true).clamp_min(1e-12));
}

SampleLists nearest_of_class(const RowsAroundMean& rows, std::span<const std::int64_t> classes,
                             std::int64_t class_count, std::span<const std::int64_t> wanted,
                             std::int64_t count) {
  SampleLists members(static_cast<std::size_t>(class_count));
  SampleLists askers(static_cast<std::size_t>(class_count));
  for (std::size_t i = 0; i < classes.size(); ++i) {
    members[static_cast<std::size_t>(classes[i])].push_back(static_cast<std::int64_t>(i));
    if (wanted[i] >= 0) askers[static_cast<std::size_t>(wanted[i])].push_back(static_cast<std::int64_t>(i));
  }
  SampleLists lists(classes.size());
  NeighbourOptions blocks;
  blocks.exclude_self = false;
  for (std::size_t c = 0; c < members.size(); ++c) {
    if (members[c].empty() || askers[c].empty()) continue;
    for_similarity_blocks(
        rows.of(askers[c]), rows.of(members[c]), blocks, [&](std::int64_t first, const torch::Tensor& block) {
          const auto k = std::min<std::int64_t>(count + 1, block.size(1));  // the sample itself may be there
          const auto nearest = top_k_by_index(block, k).indices.contiguous();
          for (std::int64_t q = 0; q < block.size(0); ++q) {
            const auto self = askers[c][static_cast<std::size_t>(first + q)];
            auto& list = lists[static_cast<std::size_t>(self)];
            for (std::int64_t j = 0; j < k && static_cast<std::int64_t>(list.size()) < count; ++j) {
              const auto other =
                  members[c][static_cast<std::size_t>(nearest.data_ptr<std::int64_t>()[q * k + j])];
              if (other != self) list.push_back(other);
            }
          }
        });
  }
  return lists;
}

SampleLists near_duplicates(const RowsAroundMean& rows, std::span<const std::int32_t> groups,
                            std::int64_t groups_each, float similarity, std::int64_t count) {
  std::map<std::int32_t, std::vector<std::int64_t>> members;
  for (std::size_t i = 0; i < groups.size(); ++i)
    if (groups[i] >= 0) members[groups[i]].push_back(static_cast<std::int64_t>(i) / groups_each);
  std::vector<std::vector<Found>> found(groups.size() / static_cast<std::size_t>(groups_each));
  NeighbourOptions blocks;
  blocks.exclude_self = true;
  for (const auto& [group, samples] : members) {
    if (samples.size() < 2) continue;
    const auto compared = rows.of(samples);
    for_similarity_blocks(compared, compared, blocks, [&](std::int64_t first, const torch::Tensor& block) {
      const auto pairs = (block >= similarity).nonzero().contiguous();
      const auto values = block.contiguous();
      for (std::int64_t p = 0; p < pairs.size(0); ++p) {
        const auto q = pairs.data_ptr<std::int64_t>()[2 * p];
        const auto g = pairs.data_ptr<std::int64_t>()[2 * p + 1];
        const auto sample = static_cast<std::size_t>(samples[static_cast<std::size_t>(first + q)]);
        const auto other = samples[static_cast<std::size_t>(g)];
        keep_nearest(found[sample], {values.data_ptr<float>()[q * values.size(1) + g], other},
                     static_cast<std::size_t>(count));
      }
    });
  }
  SampleLists lists(found.size());
  for (std::size_t i = 0; i < lists.size(); ++i)
    for (const auto& one : found[i]) lists[i].push_back(one.sample);
  return lists;
}

std::vector<double> neighbour_disagreement(const torch::Tensor& unit_rows,
                                           std::span<const std::int64_t> classes, std::int64_t k) {
  k = std::min<std::int64_t>(k, unit_rows.size(0) - 1);
  const auto nearest = nearest_neighbours(unit_rows, unit_rows, {.k = k});
  const auto indices = nearest.indices.contiguous();
  const auto similarities = nearest.similarities.to(torch::kFloat64).contiguous();
  std::vector<double> shares;
  for (std::int64_t i = 0; i < indices.size(0); ++i) {
    double other = 0;
    double all = 0;
    for (std::int64_t j = 0; j < k; ++j) {
      const double weight = std::max(similarities.data_ptr<double>()[i * k + j], 0.0);
      const auto neighbour = static_cast<std::size_t>(indices.data_ptr<std::int64_t>()[i * k + j]);
      all += weight;
      if (classes[neighbour] != classes[static_cast<std::size_t>(i)]) other += weight;
    }
    shares.push_back(all > 0 ? other / all : 0.5);
  }
  return shares;
}

}  // namespace procsim::train
