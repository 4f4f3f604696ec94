#include "train/scoring/class_sums.hpp"

#include <algorithm>

namespace procsim::train {
namespace {

constexpr std::size_t kRowsSummedAtOnce = 4096;
constexpr std::size_t kScatterRows = std::size_t{1} << 16;  // summed by one matrix product

// Calls visit(samples, their rows) block by block.
template <typename Visit>
void for_row_blocks(const PreparedRows& rows, std::span<const std::int64_t> samples, std::size_t block,
                    const Visit& visit) {
  for (std::size_t start = 0; start < samples.size(); start += block) {
    const auto some = samples.subspan(start, std::min(block, samples.size() - start));
    visit(some, rows.of(some));
  }
}

torch::Tensor scatter_of(const PreparedRows& rows, std::span<const std::int64_t> samples) {
  torch::Tensor scatter;
  for_row_blocks(rows, samples, kScatterRows, [&](auto, const torch::Tensor& block) {
    const auto part = torch::mm(block.t(), block);
    scatter = scatter.defined() ? scatter + part : part;
  });
  return scatter.defined() ? scatter : torch::zeros({rows.dimension(), rows.dimension()});
}

// Written in lanes, so that the compiler does several at once.
void add_row(float* __restrict target, const float* __restrict row, float factor, std::int64_t dimension) {
  constexpr std::int64_t kLanes = 16;
  std::int64_t d = 0;
  for (; d + kLanes <= dimension; d += kLanes)
    for (std::int64_t lane = 0; lane < kLanes; ++lane) target[d + lane] += factor * row[d + lane];
  for (; d < dimension; ++d) target[d] += factor * row[d];
}

}  // namespace

ClassSums& ClassSums::operator+=(const ClassSums& other) {
  scatter = scatter.defined() ? scatter + other.scatter : other.scatter;
  sums = sums.defined() ? sums + other.sums : other.sums;
  weights = weights.defined() ? weights + other.weights : other.weights;
  samples += other.samples;
  return *this;
}

ClassSums sum_shares(const PreparedRows& rows, std::span<const std::int64_t> samples,
                     std::int64_t class_count, const torch::Tensor& scatter, const ShareOut& share_out) {
  const auto dimension = rows.dimension();
  ClassSums sums{scatter, torch::zeros({class_count, dimension}), torch::zeros({class_count}),
                 static_cast<double>(samples.size())};
  float* table = sums.sums.data_ptr<float>();
  float* weights = sums.weights.data_ptr<float>();
  std::vector<ClassWeight> shares;
  for_row_blocks(rows, samples, kRowsSummedAtOnce,
                 [&](std::span<const std::int64_t> some, const torch::Tensor& block) {
                   const float* row = block.data_ptr<float>();
                   for (const auto sample : some) {
                     shares.clear();
                     share_out(sample, shares);
                     for (const auto& share : shares) {
                       const auto factor = static_cast<float>(share.weight);
                       weights[share.of] += factor;
                       add_row(table + share.of * dimension, row, factor, dimension);
                     }
                     row += dimension;
                   }
                 });
  return sums;
}

ClassSums sum_labels(const PreparedRows& rows, std::span<const std::int64_t> samples,
                     std::span<const std::int64_t> classes, std::int64_t class_count) {
  return sum_shares(rows, samples, class_count, scatter_of(rows, samples),
                    [&](std::int64_t sample, std::vector<ClassWeight>& shares) {
                      shares.push_back({classes[static_cast<std::size_t>(sample)], 1});
                    });
}

}  // namespace procsim::train
