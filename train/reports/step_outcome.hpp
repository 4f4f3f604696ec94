#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace procsim::train {

// Values by name, one for each of the samples that they are about.
using Columns = std::vector<std::pair<std::string, std::vector<double>>>;

// What one step of a method saw and did. Which names there are, and what they mean, its quantities say
// (quantity.hpp); a step may lack some of them.
struct StepOutcome {
  double objective = 0;                                 // not finite: nothing was updated
  std::vector<std::pair<std::string, double>> scalars;  // a value for the step
  Columns columns;                                      // a value a sample of the batch

  const double* scalar(std::string_view name) const {
    for (const auto& [known, value] : scalars)
      if (known == name) return &value;
    return nullptr;
  }
  const std::vector<double>* column(std::string_view name) const {
    for (const auto& [known, values] : columns)
      if (known == name) return &values;
    return nullptr;
  }
};

}  // namespace procsim::train
