#pragma once

#include <cstdint>
#include <filesystem>

#include "data/base/progress.hpp"
#include "data/files/atomic_file.hpp"
#include "data/files/file_changes.hpp"

namespace procsim {

// A label set with its images inside, as Hugging Face's `datasets` has it:
// folder/data/<split>-00000-of-00001.parquet, columns image (bytes, path), label, sample_id, class names in
// the metadata. `load_dataset(folder)` and `taxo build` open it. The images are below `root`. Returns how
// many rows; the files appear with `files`. Throws Error naming the image that cannot be read, and when the
// folder exists and may not be replaced.
std::int64_t write_image_parquet(const std::filesystem::path& labels, const std::filesystem::path& root,
                                 const std::filesystem::path& folder, IfExists if_exists, FileChanges& files,
                                 const Progress& progress = {});

}  // namespace procsim
