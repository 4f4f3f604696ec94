#pragma once

#include <cstdint>
#include <filesystem>

#include "data/files/atomic_file.hpp"

namespace procsim {

// A label set as the table that its user may have written: columns sample_id, path, split, label, the label
// as the data set has it (its published name), empty where there is none. `taxo build` reads it. Returns how
// many rows. The file is not committed.
std::int64_t write_label_table(const std::filesystem::path& labels, AtomicFile& file);

}  // namespace procsim
