#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "data/labels/label_set.hpp"

namespace procsim {

// A sample whose label is not the same in two label sets, or that the second leaves out.
struct LabelChange {
  std::int64_t sample_id = 0;
  std::string path, split;                 // as the second set has them, where it has the sample
  std::int32_t before = kUnlabelled;       // labels are indices into LabelDifference::classes
  std::optional<std::int32_t> after;       // empty: left out
  std::optional<std::int32_t> true_label;  // as the second set has it, else the first
};

struct LabelDifference {
  std::vector<std::string> classes;  // those of the first set, then those that only the second has
  std::int64_t rows_before = 0, rows_after = 0;
  std::int64_t common = 0;       // samples in both
  std::int64_t changed = 0;      // of these, with another label
  std::int64_t other_path = 0;   // of these, with another image
  std::int64_t other_truth = 0;  // of these, with another true label; unknown is no other
  std::int64_t only_before = 0, only_after = 0;
  std::map<std::pair<std::int32_t, std::int32_t>, std::int64_t> pairs;  // changed: (before, after) → samples

  // Each set's labels against its own truth, where that is known.
  std::int64_t known_before = 0, known_after = 0, wrong_before = 0, wrong_after = 0;
  // Changed labels against the truth, as the second set has it, else the first.
  std::int64_t corrected = 0;       // was wrong, is right
  std::int64_t spoilt = 0;          // was right, is wrong or gone
  std::int64_t still_wrong = 0;     // was wrong, is wrong in another way
  std::int64_t labelled_right = 0;  // had no label, is right
  // Samples that the second set leaves out, against the first set's truth.
  std::int64_t wrong_left_out = 0, right_left_out = 0;

  // Of the labels that were changed or left out, how many had been wrong; empty when the truth of none is
  // known.
  std::optional<double> precision() const;
};

// What changed between two label sets: rows matched by sample id, classes by name. Calls `each`, unless it is
// empty, for every changed label in the second set's order, then for every sample that is left out, by id.
// Memory grows with what differs (samples on one side only, out of order, or changed), not with the sets.
// Throws Error where a set has a sample twice.
LabelDifference compare_label_sets(const std::filesystem::path& before, const std::filesystem::path& after,
                                   const std::function<void(const LabelChange&)>& each);

}  // namespace procsim
