#include "train/scoring/label_posteriors.hpp"

#include <algorithm>

#include "train/models/torch.hpp"
#include "train/scoring/cross_fit_rounds.hpp"
#include "train/scoring/ensemble.hpp"

namespace procsim::train {

std::vector<LabelPosterior> label_posteriors(const torch::Tensor& embeddings,
                                             std::span<const std::int64_t> ids,
                                             std::span<const std::int64_t> classes,
                                             const ClassDistances& distances, const CrossFitOptions& options,
                                             int rounds) {
  const torch::NoGradGuard no_gradients;
  const auto fits = cross_fit_rounds(embeddings, ids, classes, distances, options, rounds);
  Ensemble ensemble(fits);
  std::vector<LabelPosterior> posteriors(classes.size());
  for (std::size_t i = 0; i < classes.size(); ++i) {
    const auto prediction = ensemble.prediction_of(static_cast<std::int64_t>(i), classes[i]);
    auto& posterior = posteriors[i];
    posterior.given = std::clamp(prediction.given_belief, 0.0, 1.0);
    const auto most = std::max_element(prediction.belief.begin(), prediction.belief.end());
    if (most == prediction.belief.end()) continue;
    posterior.other = prediction.classes[static_cast<std::size_t>(most - prediction.belief.begin())];
    posterior.other_belief = *most;
  }
  return posteriors;
}

}  // namespace procsim::train
