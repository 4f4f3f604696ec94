#pragma once

#include <string>
#include <vector>

#include <nlohmann/json_fwd.hpp>

namespace procsim {

// One step in the making of a label set (docs/formats.md, `provenance`): what all programs write of it.
struct LabelStep {
  std::string program;        // "noise", "curate"
  std::string operation;      // "base", "inject", "apply", …
  std::string parent_digest;  // of the label set that it was made from; empty where there was none

  bool operator==(const LabelStep&) const = default;
};

// The steps that a label set's provenance tells of, the last one first. What is not there, or of another
// type, stays empty.
std::vector<LabelStep> label_history(const nlohmann::ordered_json& provenance);

}  // namespace procsim
