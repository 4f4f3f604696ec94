#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include <nlohmann/json_fwd.hpp>

namespace procsim {

// A number of wrong labels with a 90 % interval.
struct WrongCount {
  double wrong = 0, low = 0, high = 0;

  bool operator==(const WrongCount&) const = default;
};

// A share of wrong labels with a 90 % interval.
struct WrongRate {
  double rate = 0, low = 0, high = 0;
  bool leaning = false;  // by a model that was trained on these labels: more may be wrong
  // Errors that follow the image cannot be told from a classifier's confusions. Two readings of where
  // features and labels disagree: as confusions, as far as a noise model can (low), and as errors (high). The
  // interval spans both.
  struct Readings {
    double low = 0, high = 0;
    bool operator==(const Readings&) const = default;
  };
  std::optional<Readings> readings{};
  bool audit_decides = false;  // the readings are far apart: only judging random samples tells which holds

  bool operator==(const WrongRate&) const = default;
};

struct ClassEstimate {
  std::int32_t label = 0;
  WrongCount count;

  bool operator==(const ClassEstimate&) const = default;
};

struct PairEstimate {
  std::int32_t given = 0, suggested = 0;
  WrongCount count;

  bool operator==(const PairEstimate&) const = default;
};

// How many labels are wrong, as whoever made a scores file estimates it (docs/formats.md, `estimates`).
struct ScoreEstimates {
  WrongRate noise_rate;
  std::vector<ClassEstimate> by_class;
  std::vector<PairEstimate> by_pair;

  bool operator==(const ScoreEstimates&) const = default;
};

nlohmann::ordered_json to_json(const WrongRate& rate);
// For people, where only an audit decides: "between 2 and 20 % …: judge 60 random cards to know". Else empty.
std::string audit_note(const WrongRate& rate);
nlohmann::ordered_json to_json(const ScoreEstimates& estimates);
// Throws Error naming the file when a field is missing or of another type, an interval does not hold its
// estimate, or a label is not one of the `classes`. `by_class` and `by_pair` may be missing.
ScoreEstimates score_estimates_from_json(const nlohmann::ordered_json& json, std::size_t classes,
                                         const std::filesystem::path& file);

}  // namespace procsim
