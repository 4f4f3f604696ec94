#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "data/labels/label_set.hpp"

namespace procsim::curate {

// What changed between two label sets of the same data, and where truth is known, whether for the better.
struct LabelDiff {
  struct Change {
    std::string before, after;  // class names; "(no label)" for unlabelled
    std::int64_t count = 0;
  };
  struct Row {
    std::int64_t sample = 0;
    std::string path, before, after;  // an empty `after`: left out
  };
  std::int64_t rows_before = 0, rows_after = 0;
  std::int64_t same = 0, changed = 0, left_out = 0, added = 0;
  std::vector<Change> changes;  // most frequent first
  std::vector<Row> rows;        // changed and left out, by sample

  // Only rows whose truth is known.
  std::int64_t known_before = 0, known_after = 0, wrong_before = 0, wrong_after = 0;
  std::int64_t corrected = 0;    // was wrong, is right
  std::int64_t spoilt = 0;       // was right, is wrong
  std::int64_t still_wrong = 0;  // was wrong, changed, is wrong
  std::int64_t wrong_left_out = 0, right_left_out = 0;
  // Of the changed and left-out labels, how many had been wrong; empty when truth is not known or nothing
  // changed.
  std::optional<double> review_precision() const;
};

// Rows are matched by sample id, classes by name.
LabelDiff diff_labels(const std::filesystem::path& before, const std::filesystem::path& after);

}  // namespace procsim::curate
