#include "train/losses/guidance_loss.hpp"

namespace procsim::train {
torch::Tensor guidance_loss(const torch::Tensor& embeddings, const torch::Tensor& labels,
                            const torch::Tensor& guidance, double shift) {
  const auto same = labels.unsqueeze(1) == labels.unsqueeze(0);
  const auto language = (guidance.detach() + shift).masked_fill(same, 1 + shift).log_softmax(1);
  const auto visual = torch::mm(embeddings, embeddings.t()).masked_fill(same, 1 + shift).log_softmax(1);
  return (visual.exp() * (visual - language)).sum(1);
}

}  // namespace procsim::train
