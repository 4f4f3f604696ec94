#include "curate/evidence/calibration.hpp"

#include <algorithm>
#include <cmath>

namespace procsim::curate {

namespace {

constexpr double kSlopeVariance = 0.25, kShiftVariance = 1, kOffsetVariance = 1;
constexpr double kLeastSlope = 0.05;  // the order within a pair never turns round
constexpr double kEdge = 1e-6;
// log(0.995 / 0.005); chosen on three of four data sets for the fourth (docs/results.md, "Audits").
constexpr double kSure = 5.293304824724492;

double sigmoid(double x) { return 1 / (1 + std::exp(-x)); }
double limited(double log_odds) { return std::clamp(log_odds, -kSure, kSure); }

}  // namespace

double log_odds(double probability) {
  const double p = std::clamp(probability, kEdge, 1 - kEdge);
  return std::log(p / (1 - p));
}

std::uint64_t pair_key(std::int32_t given, std::int32_t suggested) {
  return static_cast<std::uint64_t>(static_cast<std::uint32_t>(given)) << 32 |
         static_cast<std::uint32_t>(suggested);
}

double Calibration::offset(std::uint64_t pair) const {
  const auto found = offsets_.find(pair);
  return found == offsets_.end() ? 0 : found->second;
}

std::vector<std::uint64_t> Calibration::pairs() const {
  std::vector<std::uint64_t> keys;
  for (const auto& [pair, offset] : offsets_) keys.push_back(pair);
  return keys;
}

double Calibration::operator()(double probability, std::uint64_t pair) const {
  const double x = log_odds(probability);
  return sigmoid(x + (slope_ - 1) * limited(x) + shift_ + offset(pair));
}

double Calibration::log_odds_without_offset(double probability, std::uint64_t pair) const {
  const double x = log_odds(probability), raised = x + (slope_ - 1) * limited(x) + offset(pair);
  if (std::abs(raised) <= slope_ * kSure) return raised / slope_;
  return raised - (slope_ - 1) * std::copysign(kSure, raised);
}

// Newton's method on slope and shift together, then on each offset alone, in turn until nothing moves. The
// posterior is concave, so this ends at its one maximum.
Calibration Calibration::fit(std::span<const CalibrationCase> cases, const Calibration& start) {
  if (cases.empty()) return {};
  Calibration result = start;
  const auto expected = [&](const CalibrationCase& item) {
    return sigmoid(result.slope_ * limited(log_odds(item.probability)) + result.shift_ +
                   result.offset(item.pair));
  };
  struct PairSums {
    double gradient = 0, curvature = 0;
  };
  for (int round = 0; round < 200; ++round) {
    double moved = 0;
    {
      double g_slope = (1 - result.slope_) / kSlopeVariance, g_shift = -result.shift_ / kShiftVariance;
      double h_slope = 1 / kSlopeVariance, h_shift = 1 / kShiftVariance, h_both = 0;
      for (const auto& item : cases) {
        const double x = limited(log_odds(item.probability)), p = expected(item);
        const double error = (item.wrong ? 1 : 0) - p, weight = p * (1 - p);
        g_slope += error * x;
        g_shift += error;
        h_slope += weight * x * x;
        h_shift += weight;
        h_both += weight * x;
      }
      const double determinant = h_slope * h_shift - h_both * h_both;
      const double step_slope = std::clamp((h_shift * g_slope - h_both * g_shift) / determinant, -0.5, 0.5);
      const double step_shift = std::clamp((h_slope * g_shift - h_both * g_slope) / determinant, -1.0, 1.0);
      result.slope_ = std::max(kLeastSlope, result.slope_ + step_slope);
      result.shift_ += step_shift;
      moved = std::max(std::abs(step_slope), std::abs(step_shift));
    }
    std::unordered_map<std::uint64_t, PairSums> sums;
    for (const auto& item : cases) {
      const double p = expected(item);
      auto& sum = sums[item.pair];
      sum.gradient += (item.wrong ? 1 : 0) - p;
      sum.curvature += p * (1 - p);
    }
    for (const auto& [pair, offset] : result.offsets_)
      sums.try_emplace(pair);  // falls back to 0 after an undo
    for (const auto& [pair, sum] : sums) {
      auto& offset = result.offsets_[pair];
      const double gradient = sum.gradient - offset / kOffsetVariance;
      const double step = std::clamp(gradient / (sum.curvature + 1 / kOffsetVariance), -1.0, 1.0);
      offset += step;
      moved = std::max(moved, std::abs(step));
    }
    if (moved < 1e-8) break;
  }
  return result;
}

}  // namespace procsim::curate
