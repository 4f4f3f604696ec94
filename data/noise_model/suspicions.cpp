#include "data/noise_model/suspicions.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <map>

namespace procsim {
namespace {

// Where `rising` reaches `wanted`.
template <typename Rising>
double bisect(double low, double high, double wanted, const Rising& rising) {
  for (int step = 0; step < 60; ++step) {
    const double middle = (low + high) / 2;
    (rising(middle) < wanted ? low : high) = middle;
  }
  return low;
}

double probability(double suspicion) { return 1 / (1 + std::exp(-suspicion)); }

void set_suspicion(ScoreRow& row, double suspicion) {
  row.suspicion = static_cast<float>(suspicion);
  row.p_mislabelled = static_cast<float>(probability(suspicion));
}

void move_rows(std::span<ScoreRow> rows, std::span<const std::size_t> which, double wanted) {
  const double more = bisect(-40, 40, wanted, [&](double amount) {
    double sum = 0;
    for (const auto i : which) sum += probability(rows[i].suspicion + amount);
    return sum;
  });
  for (const auto i : which) set_suspicion(rows[i], rows[i].suspicion + more);
}

}  // namespace

void move_to(std::span<ScoreRow> rows, double wanted) {
  std::vector<std::size_t> all(rows.size());
  for (std::size_t i = 0; i < all.size(); ++i) all[i] = i;
  move_rows(rows, all, wanted);
}

void add_suspicion(ScoreRow& row, double doubt) {
  // Odds of being wrong: (1 − (1 − p)(1 − d)) / ((1 − p)(1 − d)) = (o + d) / (1 − d) with o = p / (1 − p).
  const double left = std::max(1 - doubt, 1e-7);
  set_suspicion(row, std::log((std::exp(std::min<double>(row.suspicion, 600)) + doubt) / left));
}

void scale_temperature(std::span<ScoreRow> rows, const TemperatureOptions& options) {
  double ambiguous = 0;
  double wanted = 0;
  for (const auto& row : rows) {
    ambiguous += std::min(row.p_mislabelled, 1 - row.p_mislabelled) / static_cast<double>(rows.size());
    wanted += row.p_mislabelled;
  }
  const auto factor = static_cast<float>(std::max(options.least_factor, 1 - options.slope * ambiguous));
  for (auto& row : rows) row.suspicion *= factor;
  move_to(rows, wanted);
}

double suspected_share(std::int64_t size, double rate) {
  const auto others = size - 1;
  double outvoted = 0;
  double chance = std::pow(1 - rate, others);  // that so many of the others are wrong
  for (std::int64_t wrong = 0; wrong <= others; ++wrong) {
    if (2 * wrong >= others) outvoted += 2 * wrong == others ? chance / 2 : chance;
    chance *= static_cast<double>(others - wrong) / static_cast<double>(wrong + 1) * rate / (1 - rate);
  }
  return rate + (1 - rate) * outvoted;
}

void correct_small_classes(std::span<ScoreRow> rows, std::span<const std::int64_t> sizes,
                           const SmallClassOptions& options) {
  std::map<std::int64_t, std::vector<std::size_t>> small;
  for (std::size_t i = 0; i < rows.size(); ++i)
    if (sizes[i] <= options.labels) small[sizes[i]].push_back(i);
  for (const auto& [size, which] : small) {
    if (size < 2 || which.size() < static_cast<std::size_t>(options.least_samples)) continue;
    double suspected = 0;
    for (const auto i : which) suspected += rows[i].p_mislabelled;
    const auto count = static_cast<double>(which.size());
    const double rate = bisect(0, 0.5, suspected / count,
                               [&, size = size](double guess) { return suspected_share(size, guess); });
    move_rows(rows, which, rate * count);
  }
  const auto lone = small.find(1);
  if (lone == small.end() || lone->second.size() == rows.size()) return;
  double wrong = 0;
  for (std::size_t i = 0; i < rows.size(); ++i) wrong += sizes[i] > 1 ? rows[i].p_mislabelled : 0;
  const auto judged = static_cast<double>(rows.size() - lone->second.size());
  const double rate = std::clamp(wrong / judged, 1e-6, 1 - 1e-6);
  for (const auto i : lone->second) set_suspicion(rows[i], std::log(rate / (1 - rate)));
}

}  // namespace procsim
