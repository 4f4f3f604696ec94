#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace procsim::train {

// What a run came to on labels with noise of a kind and a rate. Seeds of one noise share the column.
struct NoiseResult {
  std::string dataset;
  std::string method;
  std::string noise;
  double value = 0;
};

// A method over the columns of noise, as the paper's last column compares methods.
struct MethodMean {
  std::string dataset;
  std::string method;
  std::vector<std::string> noises;
  double value = 0;  // the harmonic mean of the columns, each the mean of its runs

  std::string over() const;  // "semantic 0.5, uniform 0.5"
};

// Of the methods with two columns or more, by data set and method.
std::vector<MethodMean> compare_methods(std::span<const NoiseResult> results);

// "semantic 0.5" of "semantic 0.5 seed 3", as 'noise inject' describes its label sets.
std::string noise_without_seed(std::string_view summary);

}  // namespace procsim::train
