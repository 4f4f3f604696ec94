#include "train/scoring/cross_fit.hpp"

#include <algorithm>
#include <cmath>
#include <mutex>
#include <numeric>
#include <unordered_map>
#include <utility>

#include "data/noise_model/dominant_confusions.hpp"
#include "data/noise_model/noise_fit.hpp"
#include "train/models/torch.hpp"
#include "train/scoring/discriminant.hpp"
#include "train/scoring/rows_by_fold.hpp"
#include "train/scoring/task_threads.hpp"

namespace procsim::train {
namespace {

// Rows of samples summed by class, each shared out by `share(place among the rows, add(class, weight))`.
template <typename Share>
ClassSums sum_rows(const torch::Tensor& samples, std::int64_t class_count, const torch::Tensor& scatter,
                   const Share& share) {
  const auto rows = samples.contiguous();
  const auto dimension = rows.size(1);
  ClassSums sums{scatter, torch::zeros({class_count, dimension}), torch::zeros({class_count}),
                 static_cast<double>(rows.size(0))};
  float* table = sums.sums.data_ptr<float>();
  float* weights = sums.weights.data_ptr<float>();
  for (std::int64_t place = 0; place < rows.size(0); ++place) {
    const float* row = rows.data_ptr<float>() + place * dimension;
    share(place, [&](std::int64_t c, double weight) {
      const auto factor = static_cast<float>(weight);
      weights[c] += factor;
      float* target = table + c * dimension;
      for (std::int64_t d = 0; d < dimension; ++d) target[d] += factor * row[d];
    });
  }
  return sums;
}

// More shrinkage where there are few samples for the dimensions.
double shrinkage_for(const ClassSums& sums, double least) {
  const auto dimension = static_cast<double>(sums.scatter.size(0));
  return least + (1 - least) * dimension / (dimension + sums.samples);
}

class CrossFitter {
 public:
  CrossFitter(RowsByFold sorted, const FoldPlan& plan, const ClassDistances& distances,
              const CrossFitOptions& options)
      : sorted_(std::move(sorted)), folds_(plan.folds), distances_(distances), options_(options) {}

  void run(CrossFit& result) {
    const auto pairs = static_cast<std::int64_t>(folds_) * (folds_ - 1) / 2;
    const std::int64_t tables = sorted_.one_table() ? 1 : folds_;
    total_ = static_cast<std::uint64_t>(tables * folds_ + pairs + std::int64_t{3} * folds_);
    label_sums_.resize(static_cast<std::size_t>(tables) * static_cast<std::size_t>(folds_));
    run_tasks(tables * folds_, options_.threads, [&](std::int64_t task) {
      sum_labels(static_cast<int>(task) / folds_, static_cast<int>(task) % folds_);
    });
    score_pairs();
    result.fold_distances.assign(static_cast<std::size_t>(folds_), distances_);
    result.fold_fits.assign(static_cast<std::size_t>(folds_),
                            NoiseFit{.noise = LabelNoise(distances_, options_.scoring.noise), .prior = {}});
    final_scores_ = ClassScores(static_cast<std::int64_t>(sorted_.order.size()), distances_.classes(),
                                options_.scoring.discriminant.candidates);
    result.nearest.resize(sorted_.order.size());
    run_tasks(folds_, options_.threads, [&](std::int64_t fold) { judge(static_cast<int>(fold), result); });
    run_tasks(folds_, options_.threads, [&](std::int64_t task) {
      const auto fold = static_cast<std::size_t>(task);
      const auto before = result.fold_fits[fold];  // fitted without this fold too
      result.fold_fits[fold] = fit_outside(
          static_cast<int>(task), result.fold_distances[fold],
          [&](int g) { return std::pair(&final_scores_, sorted_.first[static_cast<std::size_t>(g)]); },
          &before);
      done(1);
    });
    for (std::size_t place = 0; place < sorted_.order.size(); ++place)
      result.scores.copy(sorted_.order[place], final_scores_, static_cast<std::int64_t>(place));
    partner_scores_.clear();
    final_scores_ = {};
  }
  std::vector<torch::Tensor> rows() && { return in_sample_order(std::move(sorted_)); }

 private:
  // Tables of fold × fold in one vector.
  std::size_t cell(int row, int column) const {
    return static_cast<std::size_t>(row) * static_cast<std::size_t>(folds_) +
           static_cast<std::size_t>(column);
  }

  void sum_labels(int judge, int fold) {
    const auto rows = sorted_.rows_of(judge, fold);
    const auto classes = sorted_.classes_of(fold);
    label_sums_[cell(judge, fold)] = sum_rows(
        rows, distances_.classes(), torch::mm(rows.t(), rows),
        [&](std::int64_t place, const auto& add) { add(classes[static_cast<std::size_t>(place)], 1); });
    done(1);
  }

  const ClassSums& labels_of(int judge, int fold) const {
    return label_sums_[cell(sorted_.one_table() ? 0 : judge, fold)];
  }

  // From the labels of all folds but two (or one, where both are the same).
  Discriminant label_model(int judge, int without, int and_without) const {
    ClassSums rest;
    for (int h = 0; h < folds_; ++h)
      if (h != without && h != and_without) rest += labels_of(judge, h);
    return discriminant(rest);
  }

  // partner_scores_[f · folds + g]: fold g, scored without f and without g.
  void score_pairs() {
    partner_scores_.resize(static_cast<std::size_t>(folds_) * static_cast<std::size_t>(folds_));
    std::vector<std::pair<int, int>> pairs;
    for (int f = 0; f < folds_; ++f)
      for (int g = f + 1; g < folds_; ++g) pairs.emplace_back(f, g);
    run_tasks(static_cast<std::int64_t>(pairs.size()), options_.threads, [&](std::int64_t task) {
      const auto [f, g] = pairs[static_cast<std::size_t>(task)];
      if (folds_ == 2) {
        // Nothing is left besides them: each stands in for the rest of the other.
        score_partner(f, g, discriminant(labels_of(f, g)));
        score_partner(g, f, discriminant(labels_of(g, f)));
      } else {
        const auto model = label_model(f, f, g);
        score_partner(f, g, model);
        score_partner(g, f, sorted_.one_table() ? model : label_model(g, f, g));
      }
      done(1);
    });
  }

  Discriminant discriminant(const ClassSums& sums) const {
    auto options = options_.scoring.discriminant;
    options.shrinkage = shrinkage_for(sums, options.shrinkage);
    return {sums, options};
  }

  void score_partner(int outer, int scored, const Discriminant& model) {
    auto& scores = partner_scores_[cell(outer, scored)];
    scores =
        ClassScores(sorted_.size_of(scored), distances_.classes(), options_.scoring.discriminant.candidates);
    score_rows(model, sorted_.rows_of(outer, scored), sorted_.classes_of(scored), scores, 0);
  }

  void judge(int fold, CrossFit& result) {
    auto& fit = result.fold_fits[static_cast<std::size_t>(fold)];
    auto& distances = result.fold_distances[static_cast<std::size_t>(fold)];
    const auto& likeness = options_.scoring.likeness;
    const auto& rule = options_.scoring.dominant_confusions;
    if (distances.steps() == 1)
      distances = ClassDistances(label_model(fold, fold, fold).alike(likeness.three_steps), likeness);
    const auto partners = [&](int g) { return std::pair(&partner_scores_[cell(fold, g)], std::int64_t{0}); };
    distances = distances.with_dominant_confusions(dominant_outside(fold));
    fit = fit_outside(fold, distances, partners, nullptr);
    for (int again = 0; again < rule.rounds && fit.noise.step_share[1] > rule.few; ++again) {
      distances = distances.with_dominant_confusions(find_dominant_confusions(
          fit.noise.pair_wrong, fit.noise.class_wrong, {rule.expected_errors, rule.expected_part}));
      const auto before = fit;
      fit = fit_outside(fold, distances, partners, &before);
    }
    done(1);
    ClassSums sums;
    for (int g = 0; g < folds_; ++g)
      if (g != fold) sums += believed_sums(fold, g, fit, distances);
    const auto model = discriminant(sums);
    // Every fold has places of its own in the table: no two threads write the same.
    const auto first = sorted_.first[static_cast<std::size_t>(fold)];
    score_rows(model, sorted_.rows_of(fold, fold), sorted_.classes_of(fold), final_scores_, first);
    const auto nearest = model.nearest(sorted_.rows_of(fold, fold));
    for (std::size_t i = 0; i < nearest.size(); ++i)
      result.nearest[static_cast<std::size_t>(sorted_.order[static_cast<std::size_t>(first) + i])] =
          nearest[i];
    done(1);
  }

  // Of every class: the labels that samples outside `fold` carry most which look most like it.
  std::vector<ClassDistances::DominantConfusions> dominant_outside(int fold) const {
    const auto classes = static_cast<std::uint64_t>(distances_.classes());
    std::unordered_map<std::uint64_t, double> pairs;
    std::vector<double> all(classes, 0);
    for (int g = 0; g < folds_; ++g) {
      if (g == fold) continue;
      const auto& scores = partner_scores_[cell(fold, g)];
      const auto labels = sorted_.classes_of(g);
      for (std::int64_t place = 0; place < sorted_.size_of(g); ++place) {
        const auto best = static_cast<std::uint64_t>(scores.candidates_of(place)[0]);
        const auto label = static_cast<std::uint64_t>(labels[static_cast<std::size_t>(place)]);
        if (best == label) continue;
        ++pairs[best * classes + label];
        ++all[best];
      }
    }
    const auto& rule = options_.scoring.dominant_confusions;
    return find_dominant_confusions(pairs, all, {rule.counted_errors, rule.counted_part});
  }

  // How noisy the labels outside `fold` are. `scores_of(g)` gives the scores of fold g and where they begin.
  template <typename ScoresOf>
  NoiseFit fit_outside(int fold, const ClassDistances& distances, const ScoresOf& scores_of,
                       const NoiseFit* start) const {
    const auto outside = static_cast<std::int64_t>(sorted_.order.size()) - sorted_.size_of(fold);
    NoiseSamples samples(distances, final_scores_.width, outside);
    for (int g = 0; g < folds_; ++g) {
      if (g == fold) continue;
      const auto [table, first] = scores_of(g);
      const auto classes = sorted_.classes_of(g);
      for (std::int64_t place = 0; place < sorted_.size_of(g); ++place)
        samples.add(*table, first + place, classes[static_cast<std::size_t>(place)]);
    }
    return fit_noise(samples, options_.scoring.noise, start);
  }

  ClassSums believed_sums(int fold, int partner, const NoiseFit& fit, const ClassDistances& distances) const {
    const auto& scores = partner_scores_[cell(fold, partner)];
    const auto classes = sorted_.classes_of(partner);
    const double least = options_.scoring.discriminant.least_belief;
    return sum_rows(sorted_.rows_of(fold, partner), distances_.classes(), labels_of(fold, partner).scatter,
                    [&](std::int64_t place, const auto& add) {
                      const auto own = classes[static_cast<std::size_t>(place)];
                      if (std::isnan(scores.given[static_cast<std::size_t>(place)])) {
                        add(own, 1);  // nothing speaks against the label
                        return;
                      }
                      const auto beliefs = fit.beliefs(scores, place, own, distances);
                      const auto candidates = scores.candidates_of(place);
                      // A little stays with the label in any case: a class that nobody believes in keeps
                      // a mean, and its samples can be told from it.
                      const double kept = std::max(beliefs.given, least);
                      double sum = kept;
                      for (const double belief : beliefs.kept) sum += belief > least ? belief : 0;
                      add(own, kept / sum);
                      for (std::size_t k = 0; k < candidates.size(); ++k)
                        if (beliefs.kept[k] > least) add(candidates[k], beliefs.kept[k] / sum);
                    });
  }

  void done(std::uint64_t steps) {
    if (!options_.progress) return;
    const std::lock_guard lock(guard_);
    done_ += steps;
    options_.progress(done_, total_);
  }

  RowsByFold sorted_;
  int folds_;
  const ClassDistances& distances_;
  const CrossFitOptions& options_;
  std::vector<ClassSums> label_sums_;  // table · folds + fold
  std::vector<ClassScores> partner_scores_;
  ClassScores final_scores_;  // by place
  std::mutex guard_;
  std::uint64_t done_ = 0, total_ = 0;
};

}  // namespace

CrossFit cross_fit(std::vector<torch::Tensor>& rows, std::span<const std::int64_t> ids,
                   std::span<const std::int64_t> classes, const ClassDistances& distances,
                   const CrossFitOptions& options) {
  CrossFit result;
  result.plan = options.plan ? *options.plan
                             : deal_folds(ids, classes, distances.classes(), options.folds, options.seed);
  result.scores =
      ClassScores(rows.front().size(0), distances.classes(), options.scoring.discriminant.candidates);
  CrossFitter fitter(sort_by_fold(std::move(rows), ids, classes, result.plan), result.plan, distances,
                     options);
  fitter.run(result);
  rows = std::move(fitter).rows();
  return result;
}

}  // namespace procsim::train
