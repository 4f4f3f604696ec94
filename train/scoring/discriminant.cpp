#include "train/scoring/discriminant.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <vector>

#include "train/models/unit_rows.hpp"

namespace procsim::train {
namespace {

constexpr std::int64_t kBlockValues = std::int64_t{1} << 19;  // of a block: large ones cost page faults

}  // namespace

ClassSums& ClassSums::operator+=(const ClassSums& other) {
  scatter = scatter.defined() ? scatter + other.scatter : other.scatter;
  sums = sums.defined() ? sums + other.sums : other.sums;
  weights = weights.defined() ? weights + other.weights : other.weights;
  samples += other.samples;
  return *this;
}

Discriminant::Discriminant(const ClassSums& sums, const DiscriminantOptions& options) {
  const double shrinkage = options.shrinkage;
  const auto dimension = sums.scatter.size(0);
  const auto means = sums.sums / sums.weights.clamp_min(options.least_weight).unsqueeze(1);
  // Every sample belongs to classes with weights that add up to one: Σ (x−μ)(x−μ)ᵀ = Σ xxᵀ − Σ n μμᵀ.
  auto within = (sums.scatter - torch::mm(sums.sums.t(), means)) / sums.samples;
  within = (within + within.t()) / 2;
  const auto level = within.trace().item<double>() / static_cast<double>(dimension);
  const auto identity = torch::eye(dimension);
  // Classes without scatter (one sample each, or copies) leave the angles as they are: what is left of the
  // difference is rounding.
  const auto total = sums.scatter.trace().item<double>() / sums.samples / static_cast<double>(dimension);
  const auto shrunk = level > options.least_scatter * total
                          ? (1 - shrinkage) * within / level + shrinkage * identity
                          : identity.clone();
  const auto lower = torch::linalg_cholesky(shrunk);
  whitener_ = torch::linalg_solve_triangular(lower, identity, /*upper=*/false).t().contiguous();
  const auto there = (sums.weights >= options.least_weight).to(torch::kFloat32).unsqueeze(1);
  centre_ = torch::mm((means * there).sum(0, true) / there.sum(), whitener_);
  const auto placed = torch::mm(means, whitener_) - centre_;
  directions_ = unit_rows(placed).t().contiguous();
  lengths_ = placed.norm(2, 1).unsqueeze(0);
  absent_ = (sums.weights < options.least_weight).nonzero().flatten();
}

torch::Tensor Discriminant::cosines(const torch::Tensor& rows) const {
  auto scores = torch::mm(unit_rows(torch::mm(rows, whitener_) - centre_), directions_);
  if (absent_.numel() > 0) scores.index_fill_(1, absent_, kUnsupported);
  return scores;
}

std::vector<double> Discriminant::nearest(const torch::Tensor& rows) const {
  std::vector<double> result;
  const auto block_rows = std::max<std::int64_t>(1, kBlockValues / directions_.size(1));
  for (std::int64_t start = 0; start < rows.size(0); start += block_rows) {
    const auto placed =
        torch::mm(rows.slice(0, start, std::min(start + block_rows, rows.size(0))), whitener_) - centre_;
    auto squares = lengths_ * lengths_ - 2 * torch::mm(placed, directions_) * lengths_;
    if (absent_.numel() > 0) squares.index_fill_(1, absent_, std::numeric_limits<float>::infinity());
    const auto least = (squares.amin(1) + placed.square().sum(1)).clamp_min(0).sqrt().contiguous();
    result.insert(result.end(), least.data_ptr<float>(), least.data_ptr<float>() + least.numel());
  }
  return result;
}

std::vector<std::vector<std::int32_t>> Discriminant::alike(std::int64_t count) const {
  const auto classes = directions_.size(1);
  count = std::min(count, classes - 1);
  std::vector<std::vector<std::int32_t>> lists;
  std::vector<std::int32_t> order(static_cast<std::size_t>(classes));
  const auto block_rows = std::max<std::int64_t>(1, kBlockValues / classes);
  for (std::int64_t start = 0; start < classes; start += block_rows) {
    const auto end = std::min(start + block_rows, classes);
    auto block = torch::mm(directions_.slice(1, start, end).t(), directions_);
    if (absent_.numel() > 0) block.index_fill_(1, absent_, kUnsupported);
    block = block.contiguous();
    for (std::int64_t c = start; c < end; ++c) {
      const float* row = block.data_ptr<float>() + (c - start) * classes;
      std::iota(order.begin(), order.end(), 0);
      std::partial_sort(order.begin(), order.begin() + count + 1, order.end(),
                        [&](std::int32_t a, std::int32_t b) {
                          if ((a == c) != (b == c)) return b == c;  // the class itself comes last
                          return row[a] != row[b] ? row[a] > row[b] : a < b;
                        });
      lists.emplace_back(order.begin(), order.begin() + count);
    }
  }
  return lists;
}

void score_rows(const Discriminant& model, const torch::Tensor& rows, std::span<const std::int64_t> given,
                ClassScores& scores, std::int64_t first) {
  std::vector<std::int32_t> order(static_cast<std::size_t>(scores.classes));
  const auto block_rows = std::max<std::int64_t>(1, kBlockValues / scores.classes);
  for (std::int64_t start = 0; start < rows.size(0); start += block_rows) {
    const auto block =
        model.cosines(rows.slice(0, start, std::min(start + block_rows, rows.size(0)))).contiguous();
    for (std::int64_t r = 0; r < block.size(0); ++r)
      scores.keep(first + start + r, {block.data_ptr<float>() + r * scores.classes, order.size()},
                  given[static_cast<std::size_t>(start + r)], order);
  }
}

}  // namespace procsim::train
