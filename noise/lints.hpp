#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "data/base/progress.hpp"

namespace procsim::noise {

// Something about a label set that its user should know before training on it.
struct Lint {
  std::string
      check;  // missing-class, phantom-label, singleton, split-leak, duplicate-id, duplicate-path, rate
  std::int64_t count = 0;
  std::string message;  // one line with the first few names
};

struct LintOptions {
  std::string split = "train";
  std::optional<double> rate;  // the share of wrong labels that the set claims; none: from its provenance
};

// Checks what is written, not what was meant:
//   duplicate-id     a sample id stands twice
//   duplicate-path   an image stands twice in one split
//   split-leak       an image stands in two splits
//   missing-class    a class that samples of the split truly have, but none carries its label
//   phantom-label    a label that samples of the split carry, but none truly has
//   singleton        a label that only one sample of the split carries
//   rate             the share of wrong labels is off the claimed one by more than chance (binomial, p <
//   10⁻⁶)
// Ids and hashes of paths are held in memory, 24 bytes a row.
std::vector<Lint> lint_label_set(const std::filesystem::path& path, const LintOptions& options,
                                 const Progress& progress);

}  // namespace procsim::noise
