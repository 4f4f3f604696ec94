#include "train/trust/class_means.hpp"

#include <algorithm>

#include "train/models/unit_rows.hpp"

namespace procsim::train {
namespace {

constexpr std::int64_t kBlock = 2048;

}  // namespace

std::vector<double> leave_one_out_losses(const torch::Tensor& embeddings,
                                         std::span<const std::int64_t> labels,
                                         std::span<const double> weights, std::int64_t classes,
                                         double scale) {
  const torch::NoGradGuard no_gradients;
  const auto count = embeddings.size(0);
  const auto x = embeddings.to(torch::kCPU, torch::kFloat32);
  const auto own = torch::tensor(std::vector<std::int64_t>(labels.begin(), labels.end()), torch::kInt64);
  const auto w = torch::tensor(std::vector<double>(weights.begin(), weights.end()), torch::kFloat64)
                     .to(torch::kFloat32)
                     .unsqueeze(1);
  const auto sum_by_class = [&](const torch::Tensor& rows) {
    return torch::zeros({classes, rows.size(1)}).index_add_(0, own, rows);
  };
  const auto weighted = x * w;
  const auto weighted_sums = sum_by_class(weighted);
  const auto class_weight = sum_by_class(w);
  const auto plain_sums = sum_by_class(x);
  const auto others = sum_by_class(torch::ones({count, 1})).index_select(0, own) - 1;
  // A class that weighs nothing at all is judged by all of its samples.
  const auto centres = unit_rows(torch::where(class_weight <= 0, plain_sums, weighted_sums));

  constexpr float kNothing = 1e-6F;
  const auto trusted = class_weight.index_select(0, own) - w > kNothing;
  const auto without = torch::where(trusted, weighted_sums.index_select(0, own) - weighted,
                                    plain_sums.index_select(0, own) - x);
  const auto own_cosine = (unit_rows(without) * x).sum(1, true);

  std::vector<double> losses(static_cast<std::size_t>(count));
  const auto alone = others.squeeze(1) <= 0;
  for (std::int64_t first = 0; first < count; first += kBlock) {
    const auto last = std::min(first + kBlock, count);
    auto logits = torch::mm(x.slice(0, first, last), centres.t());
    logits.scatter_(1, own.slice(0, first, last).unsqueeze(1), own_cosine.slice(0, first, last));
    logits = logits.to(torch::kFloat64) * (2 * scale);
    const auto loss =
        -torch::log_softmax(logits, 1).gather(1, own.slice(0, first, last).unsqueeze(1)).squeeze(1);
    const auto kept = loss.masked_fill(alone.slice(0, first, last), 0).contiguous();
    std::copy_n(kept.data_ptr<double>(), last - first, losses.begin() + first);
  }
  return losses;
}

SetConfidence class_means_confidence(const torch::Tensor& embeddings, std::span<const std::int64_t> labels,
                                     std::int64_t classes, double scale, ConfidenceRule& rule, int rounds) {
  SetConfidence result;
  std::vector<double> weights(labels.size(), 1.0);
  for (int round = 0; round < rounds; ++round) {
    result.losses = leave_one_out_losses(embeddings, labels, weights, classes, scale);
    result.confidence = rule(result.losses);
    weights = result.confidence.sigma;
  }
  return result;
}

}  // namespace procsim::train
