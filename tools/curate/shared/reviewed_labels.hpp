#pragma once

#include <filesystem>
#include <optional>
#include <string>

#include "data/workspace/workspace.hpp"
#include "tools/program/program.hpp"

namespace procsim::tools {

// The label set that decisions are about.
struct ReviewedLabels {
  std::filesystem::path file;
  std::string digest;
};

inline constexpr const char* kReviewedByDefault = "that of the newest scores";  // in words, for --help

// The given file, else the label set of the newest scores of --dataset or the current data set, else the
// newest one with decisions. Says which when it was not given. Throws Error with what to do when there is
// none.
ReviewedLabels pick_reviewed_labels(const std::optional<std::filesystem::path>& given,
                                    const std::optional<std::string>& dataset,
                                    const std::optional<Workspace>& workspace, const GlobalOptions& global);

}  // namespace procsim::tools
