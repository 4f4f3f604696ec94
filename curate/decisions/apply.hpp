#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include <nlohmann/json.hpp>

#include "curate/decisions/decisions.hpp"
#include "curate/evidence/kinship.hpp"
#include "curate/evidence/score_table.hpp"
#include "data/base/progress.hpp"
#include "data/files/atomic_file.hpp"
#include "data/labels/label_set.hpp"

namespace procsim::curate {

// What to do with a label that nobody decided on but whose probability of being wrong is above the threshold.
enum class AutoAction { kRelabel, kDrop, kParent };
// What becomes of samples that have no class any more: not any class, ambiguous, moved up to a parent node.
enum class Unresolved {
  kDrop,     // leave them out
  kUnlabel,  // keep them without a label
  kClass,    // a class of its own for each parent node; the others are left out
};

struct ApplyOptions {
  std::size_t min_agreement = 1;
  std::optional<double> auto_above;  // empty: decisions only
  AutoAction auto_action = AutoAction::kRelabel;
  Unresolved unresolved = Unresolved::kDrop;
};

struct ApplyCounts {
  std::int64_t rows = 0, written = 0;
  std::int64_t confirmed = 0, relabelled = 0, moved_up = 0, none = 0, ambiguous = 0;  // by reviewers
  std::int64_t automatic = 0;                                                         // by probability alone
  std::int64_t unsettled = 0;  // reviewed, but too few agree
  std::int64_t changed = 0;    // rows written with another label than before
  std::int64_t left_out = 0;
  std::int64_t foreign = 0;  // decided samples that the label set does not have
};

struct ApplyInput {
  std::filesystem::path labels;
  std::string labels_digest;
  const ScoreTable* scores = nullptr;  // needed for auto_above only
  // A row of the scores each, as decisions calibrate it; the scores' own where it is empty.
  std::span<const double> probabilities{};
  std::string scores_digest;
  const DecisionLog* decisions = nullptr;
  std::string decisions_head;  // hash of the last decision taken into account
  const ClassFamilies* families = nullptr;
};

struct ApplyResult {
  ApplyCounts counts;
  std::string digest;  // of the file written
};

// Writes a new label set from an old one and what reviewers agreed on. The old file stays as it is; true
// labels are carried over. Provenance says what was done and from what. Memory does not grow with the label
// set. Throws Error when a threshold is asked for without scores, or a parent node is not in the taxonomy.
// `progress` counts rows.
ApplyResult apply_decisions(const ApplyInput& input, const ApplyOptions& options,
                            const std::filesystem::path& out, IfExists if_exists,
                            const Progress& progress = {});
// The same as one of several files that change together: it appears with them.
ApplyResult apply_decisions(const ApplyInput& input, const ApplyOptions& options,
                            const std::filesystem::path& out, IfExists if_exists, FileChanges& files,
                            const Progress& progress = {});

nlohmann::ordered_json to_json(const ApplyCounts& counts);
std::string_view to_string(AutoAction action);
std::string_view to_string(Unresolved unresolved);

}  // namespace procsim::curate
