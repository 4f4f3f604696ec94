#include "train/scoring/cross_fit.hpp"

#include <algorithm>
#include <cmath>
#include <mutex>
#include <unordered_map>

#include "data/base/keyed_random.hpp"
#include "data/noise_model/dominant_confusions.hpp"
#include "data/noise_model/noise_fit.hpp"
#include "train/scoring/class_sums.hpp"
#include "train/scoring/discriminant.hpp"
#include "train/scoring/samples_by_fold.hpp"
#include "train/scoring/task_threads.hpp"

namespace procsim::train {
namespace {

constexpr std::int64_t kSamplesOfAPart = 1 << 16;  // counted together where not all are looked at

class CrossFitter {
 public:
  CrossFitter(std::span<const JudgedRows> tables, std::span<const std::int64_t> ids,
              std::span<const std::int64_t> classes, const FoldPlan& plan, const ClassDistances& distances,
              const CrossFitOptions& options)
      : tables_(tables),
        ids_(ids),
        classes_(classes),
        sorted_(sort_by_fold(ids, plan)),
        folds_(plan.folds),
        distances_(distances),
        options_(options) {}

  void run(CrossFit& result) {
    const auto tables = static_cast<std::int64_t>(tables_.size());
    total_ = static_cast<std::uint64_t>(tables * folds_ + std::int64_t{folds_} * (folds_ - 1) +
                                        std::int64_t{3} * folds_);
    label_sums_.resize(static_cast<std::size_t>(tables * folds_));
    run_tasks(tables * folds_, options_.threads, [&](std::int64_t task) {
      const auto fold = static_cast<int>(task % folds_);
      label_sums_[static_cast<std::size_t>(task)] =
          sum_labels(tables_[static_cast<std::size_t>(task / folds_)].rows, sorted_.of(fold), classes_,
                     distances_.classes());
      done(1);
    });
    result.fold_distances.assign(static_cast<std::size_t>(folds_), distances_);
    result.fold_fits.assign(static_cast<std::size_t>(folds_),
                            NoiseFit{.noise = LabelNoise(distances_, options_.scoring.noise), .prior = {}});
    run_tasks(folds_, options_.threads, [&](std::int64_t fold) { judge(static_cast<int>(fold), result); });
    run_tasks(folds_, options_.threads, [&](std::int64_t task) {
      const auto fold = static_cast<std::size_t>(task);
      const auto before = result.fold_fits[fold];  // fitted without this fold too
      result.fold_fits[fold] =
          fit_outside(static_cast<int>(task), result.fold_distances[fold], result.scores, &before);
      done(1);
    });
  }

 private:
  const JudgedRows& rows_of(int judge) const {
    return tables_[tables_.size() == 1 ? 0 : static_cast<std::size_t>(judge)];
  }
  std::int64_t class_of(std::int64_t sample) const { return classes_[static_cast<std::size_t>(sample)]; }

  const ClassSums& labels_of(int judge, int fold) const {
    const auto table = tables_.size() == 1 ? 0 : judge;
    return label_sums_[static_cast<std::size_t>(table) * static_cast<std::size_t>(folds_) +
                       static_cast<std::size_t>(fold)];
  }

  // From the labels of all folds but two (or one, where both are the same).
  Discriminant label_model(int judge, int without, int and_without) const {
    ClassSums rest;
    for (int h = 0; h < folds_; ++h)
      if (h != without && h != and_without) rest += labels_of(judge, h);
    return shrunk_discriminant(rest, options_.scoring.discriminant);
  }

  // Every sample outside `fold`, scored without `fold` and without its own fold.
  ClassScores partner_scores(int fold) {
    ClassScores scores(static_cast<std::int64_t>(classes_.size()), distances_.classes(),
                       options_.scoring.discriminant.candidates);
    for (int g = 0; g < folds_; ++g) {
      if (g == fold) continue;
      // Of two folds nothing is left besides them: each stands in for the rest of the other.
      const auto model = folds_ == 2 ? shrunk_discriminant(labels_of(fold, g), options_.scoring.discriminant)
                                     : label_model(fold, fold, g);
      score_samples(model, rows_of(fold), sorted_.of(g), classes_, scores);
      done(1);
    }
    return scores;
  }

  void judge(int fold, CrossFit& result) {
    auto& fit = result.fold_fits[static_cast<std::size_t>(fold)];
    auto& distances = result.fold_distances[static_cast<std::size_t>(fold)];
    const auto& likeness = options_.scoring.likeness;
    const auto& rule = options_.scoring.dominant_confusions;
    if (distances.steps() == 1)
      distances = ClassDistances(label_model(fold, fold, fold).alike(likeness.three_steps), likeness);
    const auto partners = partner_scores(fold);
    distances = distances.with_dominant_confusions(dominant_outside(fold, partners));
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
      if (g != fold) sums += believed_sums(fold, g, partners, fit, distances);
    const auto model = shrunk_discriminant(sums, options_.scoring.discriminant);
    // Every sample has a place of its own in the table: no two threads write the same.
    const auto own = sorted_.of(fold);
    score_samples(model, rows_of(fold), own, classes_, result.scores);
    const auto nearest = nearest_of_samples(model, rows_of(fold), own);
    for (std::size_t i = 0; i < nearest.size(); ++i)
      result.nearest[static_cast<std::size_t>(own[i])] = nearest[i];
    done(1);
  }

  // Calls visit(sample) for every sample outside `fold`.
  template <typename Visit>
  void for_outside(int fold, const Visit& visit) const {
    for (int g = 0; g < folds_; ++g)
      if (g != fold)
        for (const auto sample : sorted_.of(g)) visit(sample);
  }

  // Of every class: the labels that samples outside `fold` carry most which look most like it.
  std::vector<ClassDistances::DominantConfusions> dominant_outside(int fold,
                                                                   const ClassScores& scores) const {
    const auto classes = static_cast<std::uint64_t>(distances_.classes());
    std::unordered_map<std::uint64_t, double> pairs;
    std::vector<double> all(classes, 0);
    for_outside(fold, [&](std::int64_t sample) {
      const auto best = static_cast<std::uint64_t>(scores.candidates_of(sample)[0]);
      const auto label = static_cast<std::uint64_t>(class_of(sample));
      if (best == label) return;
      ++pairs[best * classes + label];
      ++all[best];
    });
    const auto& rule = options_.scoring.dominant_confusions;
    return find_dominant_confusions(pairs, all, {rule.counted_errors, rule.counted_part});
  }

  // How noisy the labels outside `fold` are.
  NoiseFit fit_outside(int fold, const ClassDistances& distances, const ClassScores& scores,
                       const NoiseFit* start) const {
    const auto& options = options_.scoring.noise;
    const auto outside =
        static_cast<std::int64_t>(ids_.size()) - static_cast<std::int64_t>(sorted_.of(fold).size());
    const bool all = outside <= options.samples;
    const double share = static_cast<double>(options.samples) / static_cast<double>(outside);
    const KeyedRandom draw(options_.seed, "score/noise-samples");
    NoiseSamples samples(distances, scores.width, std::min(outside, options.samples));
    for_outside(fold, [&](std::int64_t sample) {
      if (all || draw.for_id(ids_[static_cast<std::size_t>(sample)]).uniform() < share)
        samples.add(scores, sample, class_of(sample));
    });
    if (all) return fit_noise(samples, options, start);
    return fit_noise(samples, options, start, [&](const auto& visit) {
      NoiseSamples part(distances, scores.width, kSamplesOfAPart);
      for_outside(fold, [&](std::int64_t sample) {
        part.add(scores, sample, class_of(sample));
        if (static_cast<std::int64_t>(part.samples().size()) < kSamplesOfAPart) return;
        visit(part);
        part.clear();
      });
      visit(part);
    });
  }

  ClassSums believed_sums(int fold, int partner, const ClassScores& scores, const NoiseFit& fit,
                          const ClassDistances& distances) const {
    const double least = options_.scoring.discriminant.least_belief;
    const auto share_out = [&](std::int64_t sample, std::vector<ClassWeight>& shares) {
      const auto own = class_of(sample);
      if (std::isnan(scores.given[static_cast<std::size_t>(sample)])) {
        shares.push_back({own, 1});  // nothing speaks against the label
        return;
      }
      const auto beliefs = fit.beliefs(scores, sample, own, distances);
      const auto candidates = scores.candidates_of(sample);
      // A little stays with the label in any case: a class that nobody believes in keeps a mean, and its
      // samples can be told from it.
      const double kept = std::max(beliefs.given, least);
      double sum = kept;
      for (const double belief : beliefs.kept) sum += belief > least ? belief : 0;
      shares.push_back({own, kept / sum});
      for (std::size_t k = 0; k < candidates.size(); ++k)
        if (beliefs.kept[k] > least) shares.push_back({candidates[k], beliefs.kept[k] / sum});
    };
    return sum_shares(rows_of(fold).rows, sorted_.of(partner), distances_.classes(),
                      labels_of(fold, partner).scatter, share_out);
  }

  void done(std::uint64_t steps) {
    if (!options_.progress) return;
    const std::lock_guard lock(guard_);
    done_ += steps;
    options_.progress(done_, total_);
  }

  std::span<const JudgedRows> tables_;
  std::span<const std::int64_t> ids_, classes_;
  SamplesByFold sorted_;
  int folds_;
  const ClassDistances& distances_;
  const CrossFitOptions& options_;
  std::vector<ClassSums> label_sums_;  // table · folds + fold
  std::mutex guard_;
  std::uint64_t done_ = 0, total_ = 0;
};

}  // namespace

CrossFit cross_fit(std::span<const JudgedRows> tables, std::span<const std::int64_t> ids,
                   std::span<const std::int64_t> classes, const ClassDistances& distances,
                   const CrossFitOptions& options) {
  CrossFit result;
  result.plan = options.plan ? *options.plan
                             : deal_folds(ids, classes, distances.classes(), options.folds, options.seed);
  result.scores = ClassScores(static_cast<std::int64_t>(ids.size()), distances.classes(),
                              options.scoring.discriminant.candidates);
  result.nearest.resize(ids.size());
  CrossFitter(tables, ids, classes, result.plan, distances, options).run(result);
  return result;
}

}  // namespace procsim::train
