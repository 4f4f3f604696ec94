#pragma once

#include <string>
#include <vector>

#include "train/methods/registry.hpp"

namespace procsim::train {

// Of the fields that somebody has given (omega), those that nothing in a checked configuration reads, each as
// a line with the reason: "--omega 2 changes nothing: --guidance is off". They are not refused: comparisons
// pass the same words to every method. Options of components are (Registry::check_options).
std::vector<std::string> unread_fields(const Registry& registry, const TrainConfig& config,
                                       const std::vector<std::string>& given);

}  // namespace procsim::train
