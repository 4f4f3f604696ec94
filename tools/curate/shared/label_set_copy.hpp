#pragma once

#include <filesystem>

#include "data/files/file_changes.hpp"
#include "tools/program/option_groups.hpp"

namespace procsim::tools {

// --output of the commands that make a label set: the file's ending decides what is written. Another ending
// than .csv and .parquet is a UsageError.
void check_label_set_ending(const OutputOptions& output);

// Error where a file stands there that --force does not let go. Before anything is written.
void refuse_existing(const OutputOptions& output);

// The label set in the form that the ending of `out` says; it appears with the other files.
void write_copy(const std::filesystem::path& labels, const std::filesystem::path& out, IfExists if_exists,
                FileChanges& files);

}  // namespace procsim::tools
