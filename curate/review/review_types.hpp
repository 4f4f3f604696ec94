#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "curate/decisions/decisions.hpp"
#include "curate/report/card.hpp"
#include "curate/report/summary.hpp"

namespace procsim::curate {

// What a review session is told and what it answers; review_json.hpp writes and reads it for the page.

struct NextCard {
  std::size_t left = 0;      // of what was asked for
  std::optional<Card> card;  // none when nothing is left for this reviewer
};

// A reviewer's word on a sample, as it was sent.
struct ReviewerWord {
  std::string reviewer;
  std::int64_t sample = 0;
  Verdict verdict = Verdict::kSkip;
  std::optional<std::int64_t> label{};  // kRelabel
  std::string node{};                   // kParent
  std::optional<std::string> ticket{};  // of the card that was handed out
  // A word that is sent twice is recorded once: known by its key, and by `after`, the last id that the sender
  // was told, where the server that recorded it died before it could answer.
  std::optional<std::string> key{};
  std::optional<std::int64_t> after{};
};

// Of all reviewers.
struct ReviewProgress {
  std::size_t decided = 0;  // samples with an opinion
  std::size_t left = 0;     // suspects
  std::size_t samples = 0;
  std::size_t reviewers = 0;           // who have given their word
  std::size_t audited = 0;             // random cards that were judged
  std::optional<NoiseEstimate> noise;  // of the audit, once it is one
};

struct RecordedWord {
  std::int64_t id = 0;
  ReviewProgress progress;
};

struct ReviewerState {
  ReviewProgress progress;
  std::vector<std::pair<std::int64_t, Opinion>> decisions;  // that stand, by sample, the oldest first
  std::vector<std::int64_t> history;                        // samples, the oldest first
  std::int64_t last = 0;                                    // id of the last word
};

}  // namespace procsim::curate
