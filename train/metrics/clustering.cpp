#include "train/metrics/clustering.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>
#include <utility>

#include "data/base/keyed_random.hpp"

namespace procsim::train {
namespace {

constexpr std::int64_t kBlockValues = 1 << 24;

struct Assignment {
  torch::Tensor cluster;   // a row each, int64
  torch::Tensor distance;  // squared, to its centre
};

Assignment assign(const torch::Tensor& rows, const torch::Tensor& centres) {
  const auto centre_norms = centres.square().sum(1).unsqueeze(0);
  const std::int64_t step = std::max<std::int64_t>(1, kBlockValues / centres.size(0));
  std::vector<torch::Tensor> clusters;
  std::vector<torch::Tensor> distances;
  for (std::int64_t first = 0; first < rows.size(0); first += step) {
    const auto block = rows.slice(0, first, std::min(first + step, rows.size(0)));
    const auto distance = centre_norms - 2 * torch::mm(block, centres.t());
    auto [nearest, cluster] = distance.min(1);
    clusters.push_back(cluster);
    distances.push_back(nearest + block.square().sum(1));
  }
  return {torch::cat(clusters), torch::cat(distances)};
}

torch::Tensor distinct_rows(const torch::Tensor& rows, std::int64_t count, std::uint64_t seed) {
  std::vector<std::int64_t> order(static_cast<std::size_t>(rows.size(0)));
  std::iota(order.begin(), order.end(), 0);
  auto draws = KeyedRandom(seed, "train/k-means").for_id(0);
  for (std::int64_t i = 0; i < count; ++i) {
    const auto left = static_cast<std::uint64_t>(rows.size(0) - i);
    std::swap(order[static_cast<std::size_t>(i)],
              order[static_cast<std::size_t>(i) + static_cast<std::size_t>(draws.below(left))]);
  }
  return rows.index_select(0, torch::tensor(std::vector<std::int64_t>(order.begin(), order.begin() + count)));
}

double entropy(const std::map<std::int64_t, double>& counts, double total) {
  double sum = 0;
  for (const auto& [key, count] : counts) sum -= count / total * std::log(count / total);
  return sum;
}

}  // namespace

std::vector<std::int64_t> k_means(const torch::Tensor& rows, const KMeansOptions& options) {
  const torch::NoGradGuard no_gradients;
  const std::int64_t clusters = std::min(options.clusters, rows.size(0));
  auto centres = distinct_rows(rows, clusters, options.seed);
  auto assignment = assign(rows, centres);
  for (int iteration = 0; iteration < options.iterations; ++iteration) {
    auto sums = torch::zeros_like(centres).index_add_(0, assignment.cluster, rows);
    const auto counts = torch::bincount(assignment.cluster, {}, clusters);
    centres = sums / counts.clamp_min(1).unsqueeze(1);
    const auto empty = (counts == 0).nonzero().flatten();
    if (empty.size(0) > 0) {
      const auto worst = assignment.distance.argsort(/*stable=*/true, 0, /*descending=*/true);
      centres.index_copy_(0, empty, rows.index_select(0, worst.slice(0, 0, empty.size(0))));
    }
    const auto before = assignment.cluster;
    assignment = assign(rows, centres);
    if (empty.size(0) == 0 && torch::equal(before, assignment.cluster)) break;
  }
  const auto cluster = assignment.cluster.contiguous();
  return {cluster.data_ptr<std::int64_t>(), cluster.data_ptr<std::int64_t>() + cluster.numel()};
}

double normalized_mutual_information(std::span<const std::int64_t> a, std::span<const std::int64_t> b) {
  const auto total = static_cast<double>(a.size());
  std::map<std::int64_t, double> in_a;
  std::map<std::int64_t, double> in_b;
  std::map<std::pair<std::int64_t, std::int64_t>, double> in_both;
  for (std::size_t i = 0; i < a.size(); ++i) {
    ++in_a[a[i]];
    ++in_b[b[i]];
    ++in_both[{a[i], b[i]}];
  }
  if (in_a.size() <= 1 && in_b.size() <= 1) return 1;
  double mutual = 0;
  for (const auto& [pair, count] : in_both)
    mutual += count / total * std::log(count * total / (in_a[pair.first] * in_b[pair.second]));
  const double mean_entropy = (entropy(in_a, total) + entropy(in_b, total)) / 2;
  return mean_entropy > 0 ? std::max(0.0, mutual / mean_entropy) : 0;
}

}  // namespace procsim::train
