#pragma once

#include <cstdint>
#include <filesystem>
#include <string>

#include "data/base/progress.hpp"
#include "data/files/atomic_file.hpp"

namespace procsim::noise {

struct ExportCounts {
  std::int64_t written = 0;
  std::int64_t skipped = 0;  // unlabelled, or of another split
  std::int64_t missing = 0;  // links to images that are not there
};

// Columns sample_id, path, split, label, class, true_label, true_class; empty where there is none. All
// splits.
ExportCounts export_csv(const std::filesystem::path& labels, const std::filesystem::path& output,
                        IfExists if_exists, const Progress& progress);

// Lines "path,label" of one split, as PRISM reads them: `prefix` before each path, labels counted from
// `first_label`.
ExportCounts export_prism(const std::filesystem::path& labels, const std::filesystem::path& output,
                          IfExists if_exists, const std::string& split, const std::string& prefix,
                          std::int64_t first_label, const Progress& progress);

// output/<split>/<class>/<sample id>-<file name>: links to the images under `root`, a folder per given label,
// as ImageFolder readers expect. The folder appears when it is complete. kReplace replaces only a folder that
// this function made, which stays until the new one stands: of a process that is killed between, the next one
// brings it back. Throws Error for images inside Parquet files: there is nothing to link to.
ExportCounts export_image_folder(const std::filesystem::path& labels, const std::filesystem::path& output,
                                 IfExists if_exists, const std::filesystem::path& root,
                                 const Progress& progress);

}  // namespace procsim::noise
