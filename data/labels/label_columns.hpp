#pragma once

// How a LabelBatch holds its rows. Included by sources of data/ only.

#include <memory>
#include <string>
#include <vector>

#include <arrow/api.h>

#include "data/labels/label_set.hpp"

namespace procsim {

struct LabelBatch::Columns {
  std::int64_t rows = 0;
  std::shared_ptr<arrow::Int64Array> sample_ids;
  std::shared_ptr<arrow::StringArray> paths;  // null when not read
  std::shared_ptr<const std::vector<std::string>> split_names;
  std::shared_ptr<const std::vector<std::int32_t>> split_codes;  // index into split_names
  std::shared_ptr<arrow::Int32Array> labels;
  std::shared_ptr<arrow::Int32Array> true_labels;  // null when not read
};

}  // namespace procsim
