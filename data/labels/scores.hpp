#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "data/files/atomic_file.hpp"
#include "data/labels/label_set.hpp"
#include "data/labels/score_estimates.hpp"
#include "data/labels/scores_provenance.hpp"

namespace procsim {

// The scores format (docs/formats.md). These constants are on disk: they never change.
inline constexpr std::string_view kScoresFormat = "scores";
inline constexpr int kScoresVersion = 1;

struct RivalClass {
  std::int32_t label = kUnlabelled;
  float probability = 0;

  bool operator==(const RivalClass&) const = default;
};

// What a trained model thinks of one label. Wide samples × classes matrices are never written: only the best
// rivals.
struct ScoreRow {
  std::int64_t sample_id = 0;
  std::string path;
  std::int32_t label = kUnlabelled;        // as given to the learner
  std::optional<std::int32_t> true_label;  // may be kNoneOfThese
  float proxy_loss = 0;                    // in training, as the paper has it
  float confidence = 1;                    // σ of the paper
  float p_mislabelled = 0;                 // calibrated probability that `label` is wrong
  float suspicion = 0;                     // what to rank by, larger = more suspect
  float p_given = 0;                       // cross-fitted probability of the given class
  float margin = 0;                        // log p(suggested class) − log p(given class)
  std::int32_t suggested = kUnlabelled;
  std::vector<RivalClass> rivals;            // best first, the given class left out
  std::vector<std::int64_t> near_given;      // nearest samples that carry the given label
  std::vector<std::int64_t> near_suggested;  // nearest samples that carry the suggested label
  std::vector<std::int64_t> duplicates;      // near-duplicates, under any label, nearest first
  std::int32_t fold = -1;                    // which held-out fold scored it, −1: none
  // Nearest samples of the rivals that are not suggested; which rival's is told by the sample's label.
  std::vector<std::int64_t> near_rivals{};
  // Its place in a plane that shows the features (principal axes); empty where there is none.
  struct Place {
    float x = 0, y = 0;
    bool operator==(const Place&) const = default;
  };
  std::optional<Place> place{};
  // Probability that the image belongs to no class of the set (an outlier, another domain); empty where
  // nobody has judged that. It is part of p_mislabelled where it is given.
  std::optional<float> p_none{};

  bool operator==(const ScoreRow&) const = default;
};

struct ScoresInfo {
  std::string dataset;
  std::vector<LabelClass> classes;
  ScoresProvenance provenance;
  std::optional<ScoreEstimates> estimates;  // empty when nothing was estimated
};

// Scores of one file, or of a folder of parts (`*.parquet`, in the order of their names) that agree in data
// set, classes and estimates; the provenance is that of the first.
class ScoresReader {
 public:
  explicit ScoresReader(const std::filesystem::path& path);
  ~ScoresReader();
  ScoresReader(ScoresReader&&) noexcept;

  const ScoresInfo& info() const;
  std::int64_t rows() const;
  // Some consecutive rows; empty at the end. Memory does not grow with the file.
  std::vector<ScoreRow> next();

 private:
  struct State;
  std::unique_ptr<State> state_;
};

class ScoresWriter {
 public:
  ScoresWriter(const std::filesystem::path& path, IfExists if_exists);
  ~ScoresWriter();
  ScoresWriter(const ScoresWriter&) = delete;
  ScoresWriter& operator=(const ScoresWriter&) = delete;

  void append(std::span<const ScoreRow> rows);
  // The file appears now. Returns its SHA-256.
  std::string finish(const ScoresInfo& info);
  // The same as one of several files that change together: it appears with them.
  std::string finish(const ScoresInfo& info, FileChanges& changes);

 private:
  struct State;
  std::string close(const ScoresInfo& info);
  std::unique_ptr<State> state_;
};

}  // namespace procsim
