#include "train/reports/noise_columns.hpp"

#include <map>
#include <numeric>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "data/measures/harmonic_mean.hpp"

namespace procsim::train {

std::vector<MethodMean> compare_methods(std::span<const NoiseResult> results) {
  std::map<std::pair<std::string, std::string>, std::map<std::string, std::vector<double>>> methods;
  for (const auto& result : results)
    methods[{result.dataset, result.method}][result.noise].push_back(result.value);
  std::vector<MethodMean> list;
  for (const auto& [method, columns] : methods) {
    if (columns.size() < 2) continue;
    MethodMean mean{method.first, method.second, {}, 0};
    std::vector<double> means;
    for (const auto& [noise, values] : columns) {
      mean.noises.push_back(noise);
      means.push_back(std::accumulate(values.begin(), values.end(), 0.0) /
                      static_cast<double>(values.size()));
    }
    mean.value = harmonic_mean(means);
    list.push_back(std::move(mean));
  }
  return list;
}

std::string MethodMean::over() const { return fmt::format("{}", fmt::join(noises, ", ")); }

std::string noise_without_seed(std::string_view summary) {
  constexpr std::string_view word = " seed ";
  const auto start = summary.find(word);
  if (start == std::string_view::npos) return std::string(summary);
  const auto end = summary.find_first_not_of("0123456789", start + word.size());
  std::string noise(summary.substr(0, start));
  if (end != std::string_view::npos) noise += summary.substr(end);
  return noise;
}

}  // namespace procsim::train
