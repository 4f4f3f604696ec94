#include "train/scoring/label_scores.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

#include <fmt/format.h>

#include "data/base/error.hpp"
#include "data/noise_model/noise_estimates.hpp"
#include "data/noise_model/noise_readings.hpp"
#include "data/noise_model/outliers.hpp"
#include "data/noise_model/suspicions.hpp"
#include "taxonomy/tree/class_tree.hpp"
#include "taxonomy/tree/taxonomy.hpp"
#include "taxonomy/tree/tree_distances.hpp"
#include "train/models/embedding_check.hpp"
#include "train/models/torch.hpp"
#include "train/scoring/cross_fit_rounds.hpp"
#include "train/scoring/embedding_file.hpp"
#include "train/scoring/ensemble.hpp"
#include "train/scoring/fold_embeddings.hpp"
#include "train/scoring/judged_labels.hpp"
#include "train/scoring/judged_rows.hpp"
#include "train/scoring/listed_neighbours.hpp"
#include "train/scoring/sample_places.hpp"
#include "train/thresholds/confidence.hpp"
#include "train/thresholds/otsu.hpp"

namespace procsim::train {
namespace {

// Of every sample: how many carry its label.
std::vector<std::int64_t> labels_of_class(const TrainData& data) {
  std::vector<std::int64_t> count(data.classes.size(), 0);
  for (const auto c : data.train_class) ++count[static_cast<std::size_t>(c)];
  std::vector<std::int64_t> sizes;
  for (const auto c : data.train_class) sizes.push_back(count[static_cast<std::size_t>(c)]);
  return sizes;
}

// The paper's loss and σ: from training, or from the cross-fitted probabilities where there was none.
void fill_training_columns(std::vector<ScoreRow>& rows, const TrainingMemory& memory, double lambda) {
  std::vector<double> losses;
  for (const auto& row : rows) losses.push_back(-std::log(std::max<double>(row.p_given, kLeastProbability)));
  const auto threshold = otsu_threshold(losses);
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const bool trained = !memory.proxy_loss.empty();
    const bool seen = trained && !std::isnan(memory.proxy_loss[i]);
    rows[i].proxy_loss = seen ? memory.proxy_loss[i] : static_cast<float>(losses[i]);
    if (trained)
      rows[i].confidence = seen ? memory.sigma[i] : 1.0F;
    else if (threshold)
      rows[i].confidence = static_cast<float>(procsim_confidence(losses[i], *threshold, lambda));
  }
}

std::vector<std::string> notes_of(const CrossFit& fit) {
  std::vector<std::string> notes;
  const auto& plan = fit.plan;
  if (plan.lone_classes > 0)
    notes.push_back(
        fmt::format("{} classes have a single sample: nobody else can judge it, so its probability of being "
                    "wrong is the estimated rate (fold −1)",
                    plan.lone_classes));
  if (plan.incomplete_classes > plan.lone_classes)
    notes.push_back(
        fmt::format("{} classes have fewer samples than folds ({}): their samples are judged by "
                    "the one or few others",
                    plan.incomplete_classes - plan.lone_classes, plan.folds));
  return notes;
}

void check_input(const TrainData& data, const torch::Tensor& embeddings) {
  if (embeddings.dim() != 2 || embeddings.size(0) != static_cast<std::int64_t>(data.train.size()))
    throw Error(fmt::format("{} samples to score but {} embeddings", data.train.size(), embeddings.size(0)));
  if (data.classes.size() < 2)
    throw Error("the labels name a single class: a label can only be wrong where there is another");
  for (const auto& sample : data.train) {
    if (sample.label < 0 || static_cast<std::size_t>(sample.label) >= data.info.classes.size())
      throw Error(fmt::format("sample {} has the label {}, but the label set has {} classes", sample.id,
                              sample.label, data.info.classes.size()));
  }
  auto ids = data.train_ids();
  check_embeddings(embeddings, ids, "embeddings");
  check_embedding_values(embeddings, "embeddings");
  std::sort(ids.begin(), ids.end());
  if (const auto twice = std::adjacent_find(ids.begin(), ids.end()); twice != ids.end())
    throw Error(fmt::format("sample {} is there twice", *twice));
}

// Numbers whose squares would overflow, or vanish, brought to the size of 1.
torch::Tensor of_usual_size(const torch::Tensor& embeddings) {
  constexpr float kLarge = 1e12F;
  const auto largest = embeddings.abs().max().item<float>();
  if (largest == 0 || (largest < kLarge && largest > 1 / kLarge)) return embeddings;
  return (embeddings.to(torch::kFloat64) / largest).to(torch::kFloat32);
}

// Of the labels: those of the class that the sample looks most like.
double agreement(const TrainData& data, const CrossFit& fit) {
  double agree = 0;
  for (std::int64_t i = 0; i < fit.scores.size(); ++i)
    agree += fit.scores.candidates_of(i)[0] == data.train_class[static_cast<std::size_t>(i)];
  return agree / static_cast<double>(fit.scores.size());
}

// A label of an image that belongs to no class is wrong too.
void fill_outliers(std::span<const CrossFit> rounds, const OutlierOptions& options,
                   std::vector<ScoreRow>& rows) {
  std::vector<double> nearest(rows.size(), 0);
  for (const auto& round : rounds)
    for (std::size_t i = 0; i < rows.size(); ++i) nearest[i] += round.nearest[i];
  const auto none = outlier_probabilities(nearest, options);
  for (std::size_t i = 0; i < rows.size(); ++i) {
    rows[i].p_none = static_cast<float>(none[i]);
    add_suspicion(rows[i], none[i]);
  }
}

// Of labels: the share that is not the class which the features like best.
double disagreement(std::span<const double> best_margin) {
  const auto other = std::ranges::count_if(best_margin, [](double margin) { return margin > 0; });
  return static_cast<double>(other) / static_cast<double>(best_margin.size());
}

// The networks of folds judge in one round, with the folds they were trained for.
CrossFit judge_by_networks(const TrainData& data, std::span<const std::int64_t> ids,
                           const ClassDistances& distances, const LabelScoreOptions& options) {
  std::vector<JudgedRows> rows;
  for (const auto& table : options.fold_models->embeddings)
    rows.emplace_back(table, ids, data.train_class, distances.classes(),
                      options.cross_fit.scoring.discriminant, options.cross_fit.threads);
  auto once = options.cross_fit;
  once.plan = options.fold_models->plan;
  return cross_fit(rows, ids, data.train_class, distances, once);
}

}  // namespace

ClassDistances class_distances_of(const TrainData& data, const taxonomy::Taxonomy* taxonomy) {
  if (taxonomy == nullptr) return ClassDistances(static_cast<std::int64_t>(data.classes.size()));
  if (data.classes.back() >= taxonomy->class_count())
    throw Error(
        fmt::format("the taxonomy has {} classes but the labels go up to {}: it belongs to another "
                    "data set",
                    taxonomy->class_count(), data.classes.back()));
  return taxonomy::tree_distances(taxonomy::prune(*taxonomy, data.classes), data.classes);
}

LabelScores score_labels(const TrainData& data, const torch::Tensor& features,
                         const taxonomy::Taxonomy* taxonomy, const TrainingMemory& memory,
                         const LabelScoreOptions& options) {
  const torch::NoGradGuard no_gradients;
  const auto& scoring = options.cross_fit.scoring;
  scoring.validate();
  check_input(data, features);
  const auto embeddings = of_usual_size(features);
  const auto distances = class_distances_of(data, taxonomy);
  const auto ids = data.train_ids();
  auto rounds =
      cross_fit_rounds(embeddings, ids, data.train_class, distances, options.cross_fit, options.rounds);
  LabelScores result;
  PairBeliefs pairs(static_cast<std::int64_t>(data.classes.size()), scoring.estimates.least_belief);
  std::vector<Ensemble> ensembles{Ensemble(rounds)};
  std::optional<CrossFit> networks;
  double said_by_networks = 0;
  if (options.fold_models) {
    // They have a say in every prediction, and the number of errors is theirs.
    networks = judge_by_networks(data, ids, distances, options);
    ensembles.emplace_back(std::span(&*networks, 1));
    PairBeliefs unused(pairs.classes(), scoring.estimates.least_belief);
    for (const auto& row : judge_labels(data, {ensembles.back()}, scoring, unused, result.best_margin))
      said_by_networks += row.p_mislabelled;
  }
  result.rows = judge_labels(data, std::move(ensembles), scoring, pairs, result.best_margin);
  if (networks)
    move_to(result.rows, said_by_networks);  // two ensembles that differ have doubted each other already
  else
    scale_temperature(result.rows, scoring.temperature);
  correct_small_classes(result.rows, labels_of_class(data), scoring.small_classes);
  if (!networks) fill_outliers(rounds, scoring.outliers, result.rows);
  rounds.erase(rounds.begin() + 1, rounds.end());  // the first one says the rest, and memory is short
  const auto& fit = rounds.front();
  fill_training_columns(result.rows, memory, scoring.listing.sigma_lambda);
  fill_neighbours(data, embeddings, fit, scoring.listing, result.rows);
  fill_places(embeddings, result.rows);
  result.estimates = noise_estimates(data.classes, data.train_class, result.rows, pairs, scoring.estimates);
  result.estimates.noise_rate = with_readings(result.estimates.noise_rate, disagreement(result.best_margin),
                                              static_cast<double>(result.rows.size()), scoring.readings);
  nlohmann::ordered_json shares = nlohmann::ordered_json::array();
  const auto& first = fit.fold_fits.front().noise;
  const auto share_of = [&](int step) {
    return std::round(first.step_share[static_cast<std::size_t>(step)] * 1000) / 1000;
  };
  const double dominant = share_of(1);
  for (int step = 2; step <= first.steps; ++step) shares.push_back(share_of(step));
  result.method = {{"name", "cross-fitted discriminants"},
                   {"folds", fit.plan.folds},
                   {"rounds", options.rounds},
                   {"fold_models", options.fold_models != nullptr},
                   {"seed", options.cross_fit.seed},
                   {"taxonomy", taxonomy == nullptr ? nlohmann::ordered_json()
                                                    : nlohmann::ordered_json(taxonomy->digest())},
                   {"dimension", embeddings.size(1)},
                   {"error_share_of_dominant_confusions", dominant},
                   {"error_share_by_tree_step", std::move(shares)},
                   {"classes_with_one_sample", fit.plan.lone_classes}};
  if (auto numbers = to_json(scoring); numbers != to_json(ScoringOptions{}))
    result.method["scoring_options"] = std::move(numbers);
  result.notes = notes_of(fit);
  if (const double agree = agreement(data, fit); agree < scoring.listing.little_agreement)
    result.notes.push_back(fmt::format(
        "these features agree with only {:.0f} % of the labels: whether the labels are wrong or the "
        "features tell the classes apart too badly cannot be told (do the sample ids belong to "
        "these images?)",
        100 * agree));
  return result;
}

}  // namespace procsim::train
