#include "train/frame/option_check.hpp"

#include <algorithm>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "data/base/error.hpp"
#include "data/base/suggest.hpp"

namespace procsim::train {

void require_option(bool good, std::string_view option, double value, std::string_view wanted) {
  if (!good) throw UsageError(fmt::format("{} {}: must be {}", option, value, wanted));
}

void require_choice(std::string_view option, const std::string& value,
                    const std::vector<std::string>& choices) {
  if (std::find(choices.begin(), choices.end(), value) != choices.end()) return;
  throw UsageError(fmt::format("{} {}: choose one of {}{}", option, value, fmt::join(choices, ", "),
                               did_you_mean(value, choices)));
}

}  // namespace procsim::train
