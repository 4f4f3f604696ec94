#pragma once

#include <span>
#include <string>
#include <string_view>

namespace procsim {

// The candidate most like `word` (edit distance, letter case ignored), or an empty string when none is near
// enough to be a likely slip. Ties go to the first.
std::string nearest_match(std::string_view word, std::span<const std::string> candidates);

// "; did you mean 'x'?" for the nearest candidate, or nothing: made to end an error message.
std::string did_you_mean(std::string_view word, std::span<const std::string> candidates);

}  // namespace procsim
