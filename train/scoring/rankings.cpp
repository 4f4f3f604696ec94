#include "train/scoring/rankings.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "data/base/error.hpp"
#include "data/noise_model/noise_fit.hpp"
#include "train/models/torch.hpp"
#include "train/scoring/class_sums.hpp"
#include "train/scoring/discriminant.hpp"
#include "train/scoring/judged_rows.hpp"
#include "train/scoring/sample_neighbours.hpp"
#include "train/scoring/task_threads.hpp"
#include "train/thresholds/confidence.hpp"
#include "train/thresholds/otsu.hpp"

namespace procsim::train {
namespace {

// −log p(given) by a model that has seen every label.
std::vector<double> in_sample_losses(const TrainData& data, const torch::Tensor& embeddings,
                                     const LabelScoreOptions& options) {
  const auto class_count = static_cast<std::int64_t>(data.classes.size());
  const auto& discriminant = options.cross_fit.scoring.discriminant;
  const auto ids = data.train_ids();
  const JudgedRows rows(embeddings, ids, data.train_class, class_count, discriminant,
                        options.cross_fit.threads);
  std::vector<double> losses;
  run_tasks(1, 1, [&](std::int64_t) {
    std::vector<std::int64_t> samples(ids.size());
    std::iota(samples.begin(), samples.end(), std::int64_t{0});
    const Discriminant model(sum_labels(rows.rows, samples, data.train_class, class_count), discriminant);
    ClassScores scores(rows.rows.size(), class_count, discriminant.candidates);
    score_samples(model, rows, samples, data.train_class, scores);
    const auto fit =
        fit_noise(scores, data.train_class, ClassDistances(class_count), options.cross_fit.scoring.noise);
    ClassShares shares;
    for (std::int64_t i = 0; i < scores.size(); ++i) {
      fit.shares(scores, i, data.train_class[static_cast<std::size_t>(i)], shares);
      losses.push_back(-std::log(std::max(shares.given, 1e-30)));
    }
  });
  return losses;
}

std::vector<double> negative_sigma(const std::vector<double>& losses, double lambda) {
  const auto threshold = otsu_threshold(losses);
  std::vector<double> values;
  for (const double loss : losses)
    values.push_back(threshold ? -procsim_confidence(loss, *threshold, lambda) : -1);
  return values;
}

}  // namespace

std::vector<Ranking> all_rankings(const TrainData& data, const torch::Tensor& embeddings,
                                  const LabelScores& scores, const TrainingMemory& memory,
                                  const LabelScoreOptions& options) {
  const torch::NoGradGuard no_gradients;
  const auto& listing = options.cross_fit.scoring.listing;
  auto in_sample = in_sample_losses(data, embeddings, options);
  std::vector<double> sigma;
  std::vector<double> loss;
  std::vector<double> suspicion;
  for (const auto& row : scores.rows) {
    sigma.push_back(-row.confidence);
    loss.push_back(-std::log(std::max<double>(row.p_given, 1e-30)));
    suspicion.push_back(row.suspicion);
  }
  if (memory.sigma.empty()) sigma = negative_sigma(in_sample, listing.sigma_lambda);
  const auto unit = embeddings / embeddings.norm(2, 1, true).clamp_min(1e-12);
  std::vector<Ranking> rankings;
  rankings.push_back({"sigma", std::move(sigma)});
  rankings.push_back({"in-sample loss", std::move(in_sample)});
  rankings.push_back({"cross-fitted loss", std::move(loss)});
  rankings.push_back({"margin", scores.best_margin});
  rankings.push_back(
      {"nearest neighbours", neighbour_disagreement(unit, data.train_class, listing.ranking_neighbours)});
  rankings.push_back({"suspicion", std::move(suspicion)});
  return rankings;
}

void check_truth(const TrainData& data) {
  if (!data.truth_known())
    throw Error("--compare-sigma needs true labels for every training sample, which this label set lacks");
  const bool any = std::any_of(data.train.begin(), data.train.end(),
                               [](const TrainSample& sample) { return *sample.true_label != sample.label; });
  if (!any) throw Error("--compare-sigma: no label of this set is wrong, so there is nothing to find");
}

std::vector<RankedDetection> compare_rankings(const TrainData& data, std::span<const Ranking> rankings) {
  check_truth(data);
  std::vector<std::uint8_t> wrong;
  for (const auto& sample : data.train) wrong.push_back(*sample.true_label != sample.label ? 1 : 0);
  std::vector<RankedDetection> result;
  for (const auto& ranking : rankings)
    result.push_back({ranking.name, rank_detection(ranking.suspicion, wrong)});
  return result;
}

}  // namespace procsim::train
