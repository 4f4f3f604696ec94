#include "train/guidance/guidance_loss.hpp"

namespace procsim {
namespace {

constexpr double kSameLabel = 2;

}  // namespace

torch::Tensor guidance_loss(const torch::Tensor& embeddings, const torch::Tensor& labels,
                            const torch::Tensor& guidance) {
  const auto same = labels.unsqueeze(1) == labels.unsqueeze(0);
  const auto language = (guidance.detach() + 1).masked_fill(same, kSameLabel).log_softmax(1);
  const auto visual = torch::mm(embeddings, embeddings.t()).masked_fill(same, kSameLabel).log_softmax(1);
  return (visual.exp() * (visual - language)).sum(1);
}

}  // namespace procsim
