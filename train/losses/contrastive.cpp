#include "train/losses/contrastive.hpp"

#include "data/base/error.hpp"
#include "train/losses/pair_sums.hpp"

namespace procsim::train {
namespace {

torch::Tensor share_of_nonzero(const torch::Tensor& terms) {
  const auto nonzero = (terms > 0).sum().clamp_min(1);
  return terms.sum(1) * terms.size(0) / nonzero;
}

}  // namespace

void ContrastiveLossOptions::validate() const {
  if (!(positive_margin >= 0)) throw Error("the contrastive loss's positive margin must not be negative");
  if (!(negative_margin > positive_margin))
    throw Error("the contrastive loss's negative margin must be above its positive margin");
}

PairTerms contrastive_terms(const LossBatch& batch, const ContrastiveLossOptions& options) {
  PairTerms terms{pair_masks(batch), {}, {}};
  const auto similarity = torch::mm(batch.embeddings, batch.embeddings.t());
  const auto distance = distances_of(similarity);
  const auto none = torch::zeros_like(distance);
  terms.positive =
      torch::where(terms.masks.positive, (distance - options.positive_margin).clamp_min(0), none);
  terms.negative =
      torch::where(terms.masks.negative, (options.negative_margin - distance).clamp_min(0), none);
  if (batch.partner_confidence.defined()) {
    terms.positive = terms.positive * batch.partner_confidence.unsqueeze(0);
    terms.negative = terms.negative * batch.partner_confidence.unsqueeze(0);
  }
  return terms;
}

torch::Tensor average_nonzero(const torch::Tensor& positive_terms, const torch::Tensor& negative_terms) {
  return share_of_nonzero(positive_terms) + share_of_nonzero(negative_terms);
}

ContrastiveLoss::ContrastiveLoss(const ContrastiveLossOptions& options) : options_(options) {
  options_.validate();
}

torch::Tensor ContrastiveLoss::operator()(const LossBatch& batch) {
  const auto terms = contrastive_terms(batch, options_);
  return average_nonzero(terms.positive, terms.negative);
}

}  // namespace procsim::train
