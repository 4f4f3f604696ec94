#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

namespace procsim::train {

// σ = exp(−W([(ℓ − τ) / 2λ]₊)), W the principal branch of Lambert's function (docs/paper-map.md, Eq. 3). In
// [0, 1].
double procsim_confidence(double loss, double threshold, double lambda);

// SuperLoss's σ = exp(−W(½ max(−2/e, (ℓ − τ)/λ))) (Eq. 2). In (0, 2.717067]: a
// little less than 2/e is cut off, as in published code.
double superloss_confidence(double loss, double threshold, double lambda);

enum class ThresholdKind { kOtsu, kGaussianMixture, kMean };
std::string_view to_string(ThresholdKind kind);
ThresholdKind threshold_from_string(std::string_view text);  // otsu, gmm, mean; throws Error with the nearest

// The mean of every loss seen so far: τ of `--threshold mean`.
class GlobalMean {
 public:
  void add(std::span<const double> losses);
  std::optional<double> value() const;

  // Its state, for checkpoints.
  double sum = 0;
  std::int64_t count = 0;
};

// An exponential running average: SuperLoss's τ. The first batch starts it.
class RunningAverage {
 public:
  explicit RunningAverage(double rate = 0.1) : rate_(rate) {}
  void add(double value);

  std::optional<double> state;

 private:
  double rate_;
};

// What a batch's losses say about its labels.
struct BatchConfidence {
  std::optional<double> threshold;  // none: the batch could not be split and every σ is 1
  std::vector<double> sigma;        // a value a sample
  std::vector<std::uint8_t> above;  // 1 where the loss is above τ
};

// τ by the chosen rule (a mean learns from every batch it sees), then σ of every sample.
class ConfidenceRule {
 public:
  ConfidenceRule(ThresholdKind kind, double lambda) : kind_(kind), lambda_(lambda) {}

  BatchConfidence operator()(std::span<const double> losses);

  GlobalMean& global_mean() { return mean_; }
  const GlobalMean& global_mean() const { return mean_; }

 private:
  ThresholdKind kind_;
  double lambda_;
  GlobalMean mean_;
};

}  // namespace procsim::train
