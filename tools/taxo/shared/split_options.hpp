#pragma once

#include <string_view>

#include "data/sets/dataset.hpp"
#include "tools/program/program.hpp"

namespace procsim::tools {

// The words for a split policy on the command line and in the workspace: default, official, own, seeded.
std::string_view to_string(SplitPolicy policy);
SplitPolicy split_policy_from_string(std::string_view text);  // throws UsageError with the nearest one

// --root, --split, --split-seed, --label-column, --path-column: how a data set is opened.
void add_dataset_options(CLI::App* command, DatasetOptions& options);

}  // namespace procsim::tools
