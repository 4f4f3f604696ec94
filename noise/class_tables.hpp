#pragma once

#include <cstdint>
#include <filesystem>
#include <map>

#include "data/labels/label_set.hpp"
#include "noise/target_model.hpp"

namespace procsim::noise {

// Small side files by class, CSV or Parquet. Classes go by name, published name or label; an unknown one is
// an Error that says file, row and the nearest known name.

// A row-stochastic matrix, either square (first column: the class, one more column for each class, named
// after it) or long (columns from, to, probability). Rows must sum to 1 within 0.0001; they are then scaled
// to do so exactly.
ClassMatrix read_class_matrix(const std::filesystem::path& path, const LabelSetInfo& info);

// Columns class and rate.
std::map<std::int32_t, double> read_class_rates(const std::filesystem::path& path, const LabelSetInfo& info);

// Columns from and to.
std::map<std::int32_t, std::int32_t> read_pair_map(const std::filesystem::path& path,
                                                   const LabelSetInfo& info);

}  // namespace procsim::noise
