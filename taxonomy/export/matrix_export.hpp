#pragma once

#include <cstdint>
#include <filesystem>
#include <string_view>

#include "data/base/progress.hpp"
#include "data/files/atomic_file.hpp"
#include "taxonomy/tree/queries.hpp"
#include "taxonomy/tree/taxonomy.hpp"

namespace procsim::taxonomy {

// The class-by-class matrix format (docs/taxonomy.md). These constants are on disk: they never change.
inline constexpr std::string_view kClassMatrixFormat = "classmatrix";
inline constexpr int kClassMatrixVersion = 1;

// More columns than this make files that most readers choke on.
inline constexpr std::int32_t kMostMatrixColumns = 2000;

// A row per class: `label`, `class`, and a column per class in label order, named as the class is (with "
// #label" where a name is taken). Distances are int32, similarities double. Throws Error above
// kMostMatrixColumns, with the other form.
void write_class_matrix(const std::filesystem::path& path, const Taxonomy& taxonomy, Measure which,
                        IfExists if_exists);

// A row per unordered pair of different classes: `label_a` < `label_b`, and a column named like the measure.
// Memory does not grow with the number of pairs.
void write_class_pairs(const std::filesystem::path& path, const Taxonomy& taxonomy, Measure which,
                       IfExists if_exists, const Progress& progress = {});

}  // namespace procsim::taxonomy
