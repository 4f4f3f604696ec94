#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <set>
#include <span>
#include <unordered_map>
#include <vector>

#include "curate/evidence/calibration.hpp"
#include "curate/evidence/score_table.hpp"

namespace procsim::curate {

// The order in which suspects are reviewed, adapting to what reviewers find. Rows wait in one line per pair
// of classes (given, suggested), most suspect first; the line whose head is most likely wrong, by the
// refitted calibration, is served first. A refit moves only the lines of pairs that have been reviewed, so
// asking for the next row stays fast with millions of rows. Not thread-safe.
class ReviewQueue {
 public:
  // The table must outlive the queue.
  explicit ReviewQueue(const ScoreTable& table);

  // The row that is most likely wrong of those for which `wanted` holds, in all lines or in the given pair's.
  // A row that is passed over lifts no other row of its line.
  using Wanted = std::function<bool(std::uint32_t row)>;
  std::optional<std::uint32_t> first(const Wanted& wanted, std::optional<std::uint64_t> pair = {}) const;

  // The row needs no further review; or does again, after an undo.
  void finish(std::uint32_t row);
  void reopen(std::uint32_t row);
  std::size_t left() const { return left_; }
  std::size_t left(std::uint64_t pair) const;

  // Takes over a new calibration.
  void adapt(Calibration calibration);
  // The probability that the row's label is wrong, as now calibrated.
  double probability(std::uint32_t row) const;

 private:
  struct Place {
    double key;       // log odds that the head is wrong, up to what all lines share
    float suspicion;  // of the head
    std::uint32_t line;
    bool operator<(const Place& other) const;
  };
  struct Line {
    std::uint64_t pair = 0;
    std::vector<std::uint32_t> rows;
    std::size_t head = 0;  // rows before it are finished
    std::size_t left = 0;
    std::optional<Place> place;  // none when nothing is left in it
  };

  Place place_of(std::uint32_t row,
                 std::uint32_t line) const;  // where it would stand at the head of its line
  std::optional<std::uint32_t> first_of(const Line& line, const Wanted& wanted) const;
  void settle(std::uint32_t line);  // moves the head, and the line to its place in the order

  const ScoreTable& table_;
  Calibration calibration_;
  std::vector<Line> lines_;
  std::vector<std::uint32_t> line_of_, position_;  // of a row
  std::vector<bool> finished_;
  std::unordered_map<std::uint64_t, std::uint32_t> line_of_pair_;
  std::set<Place> order_;
  std::set<std::uint32_t> adapted_;  // lines with an offset of their own
  std::size_t left_ = 0;
};

}  // namespace procsim::curate
