#pragma once

#include <string>

#include <nlohmann/json.hpp>

namespace procsim {

// How a scores file came to be (docs/formats.md, `provenance` of scores).
struct ScoresProvenance {
  std::string program;                // that wrote it
  nlohmann::ordered_json method;      // how the labels were judged; for people
  std::string label_set;              // digest of the label set that was judged; empty when unknown
  nlohmann::ordered_json embeddings;  // where the features come from; null when there were none

  // Whether proxy_loss and confidence are what a training remembered of these labels.
  bool remembers_training() const;

  bool operator==(const ScoresProvenance&) const = default;
};

nlohmann::ordered_json to_json(const ScoresProvenance& provenance);
// Files made elsewhere may say anything about themselves: what is not there, or of another type, stays empty.
ScoresProvenance scores_provenance_from_json(const nlohmann::ordered_json& json);

}  // namespace procsim
