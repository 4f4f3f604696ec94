#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <unordered_map>
#include <vector>

#include <nlohmann/json.hpp>

#include "curate/evidence/kinship.hpp"
#include "curate/evidence/score_table.hpp"
#include "data/measures/detection.hpp"

namespace procsim::curate {

// What is known to be true of the scored samples: a row of the table each.
struct Truth {
  std::vector<std::int32_t> labels;      // kUnlabelled where it is not known
  std::vector<std::string> noise_types;  // empty, or a word per row
  // Empty, or a row each: 1 wrong, 0 right, −1 unknown. What a mask of errors says where nobody names the
  // true classes; `labels` says nothing then.
  std::vector<std::int8_t> mask;
  std::size_t known() const;
};

// The true labels that the scores file itself carries.
Truth truth_in(const ScoreTable& table);

// From a label set (its true labels; its labels where it has none), or a CSV, TSV or Parquet table with a
// column sample_id or path, a column true_label, truth or label (class by name or number), and perhaps
// noise_type; or a mask of errors: such a table with a column wrong, is_wrong, is_error or mask (0 or 1, true
// or false) and neither true_label nor truth, or a NumPy array of a number for each sample in the order of
// ids. Throws Error naming the file and what is missing or unknown.
Truth read_truth(const std::filesystem::path& file, const ScoreTable& table);

struct GroupQuality {
  std::string name;
  std::size_t wrong = 0;
  std::optional<double> auroc, average_precision;  // its errors against all right labels
  double recall = 0;  // of its errors, among the first #errors of the whole ranking
};

struct DetectionQuality {
  std::size_t samples = 0, wrong = 0;
  std::optional<double> auroc, average_precision;
  std::vector<AtRank> at;                     // 10, 20, 50, 100, … and the number of wrong labels
  AtRank at_errors;                           // k = number of wrong labels
  double precision = 0, recall = 0, f1 = 0;   // at probability 0.5
  double missed_at_errors = 0;                // share of the errors that are not among the first #errors
  std::optional<double> suggestion_accuracy;  // of the wrong labels, share whose suggestion is the truth
  std::vector<ReliabilityBin> reliability;
  double calibration_error = 0, brier = 0;
  std::vector<GroupQuality> by_kinship, by_distance, by_noise_type;
  // Images that belong to no class (kNoneOfThese) and how well p_none finds them among all others; without a
  // number where the scores do not judge that or there are none.
  std::size_t none = 0;
  std::optional<double> none_auroc, none_average_precision;
};

// Rows whose truth is unknown, or that have no label, are left out. `probabilities`: a row each, as decisions
// calibrated them; the scores' own where it is empty.
DetectionQuality evaluate(const ScoreTable& table, const Truth& truth, const ClassFamilies& families,
                          std::span<const double> probabilities = {});

nlohmann::ordered_json to_json(const DetectionQuality& quality);

// A ranking to compare with: a scores file, or a table with sample_id and a score.
struct Ranking {
  std::string name;
  std::unordered_map<std::int64_t, double> scores;  // larger = more suspect
  std::unordered_map<std::int64_t, bool> wrong;     // where the file knows it
  std::string note;                                 // which column was taken, and whether it was turned round
};
// A column named suspicion, score, p_mislabelled or mistakenness counts as it is; label_quality, label_score,
// self_confidence or quality (low = suspect, as cleanlab writes it) is turned round.
Ranking read_ranking(const std::filesystem::path& file, const std::optional<std::string>& column);

struct RankingComparison {
  std::size_t shared = 0;  // samples in both
  std::optional<double> spearman;
  struct Overlap {
    std::size_t k = 0;
    double share = 0;
  };
  std::vector<Overlap> overlap;  // of the first k
  // Where truth is known.
  std::size_t known = 0, wrong = 0;
  std::optional<AurocDifference> auroc;
  std::optional<double> first_precision, second_precision;  // average precision
  std::vector<std::pair<AtRank, AtRank>> at;
};
// Truth comes from `truth` (sample → wrong), else from what the files know.
RankingComparison compare_rankings(const Ranking& first, const Ranking& second,
                                   const std::unordered_map<std::int64_t, bool>& truth);

}  // namespace procsim::curate
