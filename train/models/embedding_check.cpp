#include "train/models/embedding_check.hpp"

#include <fmt/format.h>

#include "data/base/error.hpp"

namespace procsim::train {
namespace {

// Of the largest number: what the order of sums moves a float by, with room.
constexpr double kRounding = 1e-6;

}  // namespace

void check_embedding_values(const torch::Tensor& embeddings, std::string_view source) {
  const torch::NoGradGuard no_gradients;
  const auto rows = embeddings.size(0);
  if (embeddings.numel() == 0) return;
  // A sum is finite only where its numbers are, and needs no table of flags.
  const auto sums = embeddings.sum(1, false, torch::kFloat64);
  const auto broken = (~torch::isfinite(sums)).sum().item<std::int64_t>();
  if (broken > 0)
    throw Error(
        fmt::format("{}: {} of {} embeddings hold NaN or infinity: the model has diverged. Take an earlier "
                    "checkpoint, or train again with a lower --lr.",
                    source, broken, rows));
  if (rows < 2) return;
  const auto spread = (embeddings.amax(0) - embeddings.amin(0)).max().item<double>();
  const auto largest = embeddings.abs().max().item<double>();
  if (spread <= kRounding * largest)
    throw Error(fmt::format(
        "{}: all {} embeddings are the same: the model has collapsed to a point. Take another model "
        "or an earlier checkpoint, or train again with a lower --lr.",
        source, rows));
}

void check_weights(const std::map<std::string, torch::Tensor>& weights) {
  const torch::NoGradGuard no_gradients;
  for (const auto& [name, tensor] : weights)
    if (tensor.is_floating_point() && !torch::isfinite(tensor).all().item<bool>())
      throw Error(
          fmt::format("the weights '{}' hold NaN or infinity: the model has diverged. Go on from the last "
                      "checkpoint with a lower --lr, or train again.",
                      name));
}

}  // namespace procsim::train
