#pragma once

#include <nlohmann/json_fwd.hpp>

#include "curate/review/review_types.hpp"

namespace procsim::curate {

// What the page reads: {"left", "card" unless nothing is left}, {"id", "state"}, {"state", "decisions",
// "history", "last"}.
nlohmann::ordered_json to_json(const NextCard& next);
nlohmann::ordered_json to_json(const RecordedWord& recorded);
nlohmann::ordered_json to_json(const ReviewerState& state);

// What it sends: {"reviewer", "sample", "verdict", "label" or "node" where the verdict needs one, "ticket",
// "key", "after"}. Throws ReviewError (400) for a field that is missing or of another type.
ReviewerWord reviewer_word(const nlohmann::ordered_json& request);

}  // namespace procsim::curate
