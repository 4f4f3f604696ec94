#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "data/base/progress.hpp"
#include "data/labels/scores.hpp"

namespace procsim::curate {

// All rows of a scores file in memory, packed: about 200 bytes a sample instead of the 500 or more of a
// ScoreRow, so that a million samples fit beside a server's other needs. Rows keep the file's order; an index
// is a row's position.
class ScoreTable {
 public:
  explicit ScoreTable(ScoresInfo info, std::size_t expected_rows = 0);

  // Throws Error naming the row when a value cannot be meant: a probability outside [0, 1], a suspicion that
  // is not a number, a label that is not a class.
  void append(const ScoreRow& row);
  // Call once after the last row. Throws Error when a sample occurs twice.
  void finish();

  const ScoresInfo& info() const { return info_; }
  std::size_t size() const { return sample_ids_.size(); }

  std::span<const std::int64_t> sample_ids() const { return sample_ids_; }
  std::span<const std::int32_t> labels() const { return labels_; }
  std::span<const std::int32_t> suggested() const { return suggested_; }
  std::span<const float> p_mislabelled() const { return p_mislabelled_; }
  std::span<const float> suspicion() const { return suspicion_; }
  // A row each, NaN where it has no place; empty when no row has one.
  std::span<const float> map_x() const { return map_x_; }
  std::span<const float> map_y() const { return map_y_; }
  // Probability that the image belongs to no class: a row each, NaN where nobody judged that; empty when no
  // row has one.
  std::span<const float> p_none() const { return p_none_; }
  std::optional<std::int32_t> true_label(std::uint32_t index) const;
  std::string_view path(std::uint32_t index) const;
  const std::string& class_name(std::int32_t label) const;  // "(no label)" for kUnlabelled

  // The whole row, unpacked.
  ScoreRow row(std::uint32_t index) const;
  // After finish(): the row of a sample.
  std::optional<std::uint32_t> find(std::int64_t sample_id) const;

  // Row indices from the most to the least suspect; ties by sample id.
  std::vector<std::uint32_t> ranking() const;

 private:
  // Lists of all rows behind one another: row i owns [ends[i − 1], ends[i]).
  struct IdLists {
    std::vector<std::uint64_t> ends;
    std::vector<std::int64_t> values;
    void append(const std::vector<std::int64_t>& list);
    std::vector<std::int64_t> list(std::uint32_t index) const;
  };

  ScoresInfo info_;
  std::vector<std::int64_t> sample_ids_;
  std::vector<std::int32_t> labels_, suggested_, true_labels_, folds_;
  std::vector<float> proxy_loss_, confidence_, p_mislabelled_, suspicion_, p_given_, margin_;
  std::vector<std::uint64_t> path_ends_;
  std::string paths_;
  std::vector<std::uint64_t> rival_ends_;
  std::vector<RivalClass> rivals_;
  IdLists near_given_, near_suggested_, duplicates_, near_rivals_;
  std::vector<float> map_x_, map_y_, p_none_;
  std::vector<std::uint32_t> by_id_;  // empty when the ids ascend already
};

ScoreTable read_scores(const std::filesystem::path& path, const Progress& progress = {});

}  // namespace procsim::curate
