#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <utility>

#include "data/labels/label_set.hpp"

namespace procsim::noise {

// A sample whose label is not the same in two label sets.
struct LabelChange {
  std::int64_t sample_id = 0;
  std::string path;
  std::string split;
  std::int32_t before = kUnlabelled;
  std::int32_t after = kUnlabelled;
  std::optional<std::int32_t> true_label;  // as the second set has it, else the first
};

struct LabelDifference {
  std::int64_t rows_before = 0, rows_after = 0;
  std::int64_t common = 0;       // samples in both
  std::int64_t changed = 0;      // of these, with another label
  std::int64_t other_path = 0;   // of these, with another image
  std::int64_t other_truth = 0;  // of these, with another true label; unknown is no other
  std::int64_t only_before = 0, only_after = 0;
  std::int64_t mended = 0;                                              // changed from wrong to right
  std::int64_t broken = 0;                                              // changed from right to wrong
  std::map<std::pair<std::int32_t, std::int32_t>, std::int64_t> pairs;  // (before, after) → samples
};

// Compares by sample id. Calls `each` for every changed label, in the second set's order. Throws Error when
// the classes differ. Holds the first set in memory unless both have the same samples in the same order.
LabelDifference compare_label_sets(const std::filesystem::path& before, const std::filesystem::path& after,
                                   const std::function<void(const LabelChange&)>& each);

}  // namespace procsim::noise
