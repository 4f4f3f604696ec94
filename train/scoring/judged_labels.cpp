#include "train/scoring/judged_labels.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

namespace procsim::train {
namespace {

double log_odds(double wrong, double right) {
  return std::log(std::max(wrong, kLeastProbability)) - std::log(std::max(right, kLeastProbability));
}

class Scorer {
 public:
  Scorer(const TrainData& data, std::vector<Ensemble> ensembles, const ScoringOptions& options)
      : data_(data), ensembles_(std::move(ensembles)), options_(options) {}

  ScoreRow row(std::int64_t sample, PairBeliefs& pairs, double& best_margin) {
    const auto i = static_cast<std::size_t>(sample);
    const auto own = data_.train_class[i];
    const auto prediction = prediction_of(sample, own);
    ScoreRow row;
    row.sample_id = data_.train[i].id;
    row.path = data_.train[i].path;
    row.label = data_.train[i].label;
    row.true_label = data_.train[i].true_label;
    row.fold = prediction.known ? ensembles_.front().fold_of(sample) : -1;
    row.p_given = static_cast<float>(prediction.given_share);
    row.p_mislabelled = static_cast<float>(std::clamp(1 - prediction.given_belief, 0.0, 1.0));
    row.suspicion = static_cast<float>(log_odds(1 - prediction.given_belief, prediction.given_belief));
    const double best_other =
        prediction.share.empty() ? 0 : *std::max_element(prediction.share.begin(), prediction.share.end());
    best_margin = log_odds(best_other, prediction.given_share);
    for (const auto k : order_of_belief(prediction))
      row.rivals.push_back({data_.classes[static_cast<std::size_t>(prediction.classes[k])],
                            static_cast<float>(prediction.share[k])});
    if (!row.rivals.empty()) {
      row.suggested = row.rivals.front().label;
      row.margin = static_cast<float>(log_odds(row.rivals.front().probability, prediction.given_share));
    }
    for (std::size_t k = 0; k < prediction.classes.size(); ++k)
      pairs.add(own, prediction.classes[k], prediction.belief[k]);
    return row;
  }

 private:
  ClassPrediction prediction_of(std::int64_t sample, std::int64_t own) {
    auto prediction = ensembles_.front().prediction_of(sample, own);
    for (std::size_t k = 1; k < ensembles_.size(); ++k)
      prediction = pooled(prediction, ensembles_[k].prediction_of(sample, own), options_.pooling);
    return prediction;
  }

  // The rivals to name, most believed first.
  std::vector<std::size_t> order_of_belief(const ClassPrediction& prediction) const {
    std::vector<std::size_t> order(prediction.classes.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    const auto kept = std::min<std::size_t>(order.size(), static_cast<std::size_t>(options_.listing.rivals));
    std::partial_sort(order.begin(), order.begin() + static_cast<std::ptrdiff_t>(kept), order.end(),
                      [&](std::size_t a, std::size_t b) {
                        if (prediction.belief[a] != prediction.belief[b])
                          return prediction.belief[a] > prediction.belief[b];
                        return prediction.share[a] != prediction.share[b]
                                   ? prediction.share[a] > prediction.share[b]
                                   : a < b;
                      });
    order.resize(kept);
    return order;
  }

  const TrainData& data_;
  std::vector<Ensemble> ensembles_;
  const ScoringOptions& options_;
};

}  // namespace

std::vector<ScoreRow> judge_labels(const TrainData& data, std::vector<Ensemble> ensembles,
                                   const ScoringOptions& options, PairBeliefs& pairs,
                                   std::vector<double>& best_margin) {
  best_margin.resize(data.train.size());
  Scorer scorer(data, std::move(ensembles), options);
  std::vector<ScoreRow> rows;
  for (std::size_t i = 0; i < data.train.size(); ++i)
    rows.push_back(scorer.row(static_cast<std::int64_t>(i), pairs, best_margin[i]));
  return rows;
}

}  // namespace procsim::train
