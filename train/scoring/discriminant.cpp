#include "train/scoring/discriminant.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <vector>

#include "train/models/unit_rows.hpp"

namespace procsim::train {
namespace {

// Written in lanes, so that the compiler does several at once.
float dot_product(const float* a, const float* b, std::int64_t count) {
  constexpr std::int64_t kLanes = 16;
  float lanes[kLanes] = {};
  std::int64_t i = 0;
  for (; i + kLanes <= count; i += kLanes)
    for (std::int64_t lane = 0; lane < kLanes; ++lane) lanes[lane] += a[i + lane] * b[i + lane];
  for (std::int64_t lane = 0; i < count; ++i, ++lane) lanes[lane] += a[i] * b[i];
  float sum = 0;
  for (const float lane : lanes) sum += lane;
  return sum;
}

}  // namespace

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
  by_class_ = unit_rows(placed).contiguous();
  directions_ = by_class_.t().contiguous();
  lengths_ = placed.norm(2, 1).contiguous();
  absent_ = (sums.weights < options.least_weight).nonzero().flatten();
  is_absent_.assign(static_cast<std::size_t>(classes()), false);
  for (std::int64_t i = 0; i < absent_.numel(); ++i)
    is_absent_[static_cast<std::size_t>(absent_.data_ptr<std::int64_t>()[i])] = true;
  const auto present = by_class_ * there;
  direction_sum_ = present.sum(0).unsqueeze(1);
  second_moment_ = torch::mm(present.t(), present);
}

torch::Tensor Discriminant::placed(const torch::Tensor& rows) const {
  return torch::mm(rows, whitener_) - centre_;
}

torch::Tensor Discriminant::cosines(const torch::Tensor& rows) const {
  auto scores = torch::mm(unit_rows(placed(rows)), directions_);
  if (absent_.numel() > 0) scores.index_fill_(1, absent_, kUnsupported);
  return scores;
}

torch::Tensor Discriminant::products(const torch::Tensor& placed_rows, std::span<const std::int64_t> samples,
                                     const Shortlists& lists) const {
  if (lists.everything()) return torch::mm(placed_rows, directions_);
  const auto dimension = by_class_.size(1);
  const auto rows = placed_rows.contiguous();
  auto table = torch::empty({rows.size(0), lists.width()});
  const float* row = rows.data_ptr<float>();
  float* out = table.data_ptr<float>();
  for (const auto sample : samples) {
    for (const auto c : lists.of(sample))
      *out++ = dot_product(row, by_class_.data_ptr<float>() + c * dimension, dimension);
    row += dimension;
  }
  return table;
}

Discriminant::Listed Discriminant::cosines(const torch::Tensor& rows, std::span<const std::int64_t> samples,
                                           const Shortlists& lists) const {
  const auto unit = unit_rows(placed(rows));
  Listed listed{products(unit, samples, lists).contiguous(), {}};
  if (lists.everything()) {
    if (absent_.numel() > 0) listed.scores.index_fill_(1, absent_, kUnsupported);
    return listed;
  }
  // All classes together less those listed: no other class is looked at.
  const auto sums = torch::mm(unit, direction_sum_).contiguous();
  const auto squares = (torch::mm(unit, second_moment_) * unit).sum(1).contiguous();
  const auto present = static_cast<std::int32_t>(classes() - absent_.numel());
  float* score = listed.scores.data_ptr<float>();
  for (std::size_t i = 0; i < samples.size(); ++i) {
    OtherScores others{present, sums.data_ptr<float>()[i], squares.data_ptr<float>()[i]};
    for (const auto c : lists.of(samples[i])) {
      if (is_absent_[static_cast<std::size_t>(c)]) {
        *score = kUnsupported;
      } else {
        --others.count;
        others.sum -= *score;
        others.squares -= static_cast<double>(*score) * *score;
      }
      ++score;
    }
    listed.others.push_back(others);
  }
  return listed;
}

std::vector<double> Discriminant::nearest(const torch::Tensor& rows, std::span<const std::int64_t> samples,
                                          const Shortlists& lists) const {
  const auto block = placed(rows);
  const auto table = products(block, samples, lists).contiguous();
  const float* at = table.data_ptr<float>();
  const float* length = lengths_.data_ptr<float>();
  std::vector<float> squares;
  for (const auto sample : samples) {
    float least = std::numeric_limits<float>::infinity();
    for (const auto c : lists.of(sample)) {
      if (!is_absent_[static_cast<std::size_t>(c)])
        least = std::min(least, length[c] * length[c] - 2 * *at * length[c]);
      ++at;
    }
    squares.push_back(least);
  }
  const auto far = (torch::tensor(squares) + block.square().sum(1)).clamp_min(0).sqrt().contiguous();
  return {far.data_ptr<float>(), far.data_ptr<float>() + far.numel()};
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

Discriminant shrunk_discriminant(const ClassSums& sums, DiscriminantOptions options) {
  const auto dimension = static_cast<double>(sums.scatter.size(0));
  options.shrinkage += (1 - options.shrinkage) * dimension / (dimension + sums.samples);
  return {sums, options};
}

}  // namespace procsim::train
