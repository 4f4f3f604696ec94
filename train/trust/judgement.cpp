#include "train/trust/judgement.hpp"

namespace procsim::train {

std::vector<Quantity> confidence_quantities(const std::string& column, const std::string& title,
                                            bool threshold_of_column) {
  using Kind = Quantity::Kind;
  using Meaning = Quantity::Meaning;
  return {{.name = column,
           .title = title,
           .meaning = Meaning::kSuspicion,
           .plot = "Losses",
           .marker = threshold_of_column ? "threshold" : ""},
          {.name = "sigma",
           .title = "confidence σ",
           .meaning = Meaning::kTrust,
           .symbol = "σ",
           .plot = "Confidence"},
          {.name = "threshold", .title = "τ", .kind = Kind::kScalar, .plot = "Losses"},
          {.name = "share_below",
           .title = "share under τ",
           .meaning = Meaning::kKept,
           .symbol = "under τ",
           .plot = "Confidence"}};
}

Trust confidence_trust(const std::string& column, std::vector<double> losses, BatchConfidence confidence) {
  Trust trust;
  std::vector<double> below;
  for (const auto above : confidence.above) below.push_back(above != 0 ? 0 : 1);
  trust.weight = std::move(confidence.sigma);
  if (confidence.threshold) trust.scalars.emplace_back("threshold", *confidence.threshold);
  trust.columns.emplace_back(column, std::move(losses));
  trust.columns.emplace_back("share_below", std::move(below));
  return trust;
}

std::vector<double> doubles(const torch::Tensor& values) {
  const auto flat = values.detach().to(torch::kCPU, torch::kFloat64).contiguous();
  return {flat.data_ptr<double>(), flat.data_ptr<double>() + flat.numel()};
}

}  // namespace procsim::train
