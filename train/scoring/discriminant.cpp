#include "train/scoring/discriminant.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <vector>

namespace procsim::train {
namespace {

constexpr std::int64_t kBlockValues = std::int64_t{1} << 19;  // of a block: large ones cost page faults

torch::Tensor unit_rows(const torch::Tensor& rows) { return rows / rows.norm(2, 1, true).clamp_min(1e-12); }

// One row of class scores becomes sample `sample` of the table. `order` is room for the classes' order.
void keep_row(const float* all, std::int64_t own, ClassScores& scores, std::int64_t sample,
              std::vector<std::int32_t>& order) {
  const auto better = [&](std::int32_t a, std::int32_t b) {
    return all[a] != all[b] ? all[a] > all[b] : a < b;  // the best first, ties by index
  };
  std::iota(order.begin(), order.end(), 0);
  const auto last = order.begin() + scores.width;
  std::nth_element(order.begin(), last - 1, order.end(), better);
  std::sort(order.begin(), last, better);
  const auto i = static_cast<std::size_t>(sample);
  scores.given_at[i] = -1;
  for (std::int64_t k = 0; k < scores.width; ++k) {
    const auto c = order[static_cast<std::size_t>(k)];
    const auto place = static_cast<std::size_t>(sample * scores.width + k);
    scores.candidate[place] = c;
    scores.score[place] = all[c];
    if (c == own) scores.given_at[i] = static_cast<std::int32_t>(k);
  }
  scores.given[i] = all[own] == kUnsupported ? std::numeric_limits<float>::quiet_NaN() : all[own];
  double sum = 0;
  double squares = 0;
  std::int32_t count = 0;
  for (auto rest = last; rest != order.end(); ++rest) {
    if (*rest == own || all[*rest] == kUnsupported) continue;
    sum += all[*rest];
    squares += static_cast<double>(all[*rest]) * all[*rest];
    ++count;
  }
  const double mean = count > 0 ? sum / count : 0;
  scores.rest_count[i] = count;
  scores.rest_mean[i] = static_cast<float>(mean);
  scores.rest_variance[i] = static_cast<float>(count > 0 ? std::max(0.0, squares / count - mean * mean) : 0);
}

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
  directions_ = unit_rows(torch::mm(means, whitener_) - centre_).t().contiguous();
  absent_ = (sums.weights < options.least_weight).nonzero().flatten();
}

torch::Tensor Discriminant::cosines(const torch::Tensor& rows) const {
  auto scores = torch::mm(unit_rows(torch::mm(rows, whitener_) - centre_), directions_);
  if (absent_.numel() > 0) scores.index_fill_(1, absent_, kUnsupported);
  return scores;
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
      keep_row(block.data_ptr<float>() + r * scores.classes, given[static_cast<std::size_t>(start + r)],
               scores, first + start + r, order);
  }
}

}  // namespace procsim::train
