#include "curate/review/review_queue.hpp"

#include <algorithm>
#include <tuple>

namespace procsim::curate {

bool ReviewQueue::Place::operator<(const Place& other) const {
  return std::tie(other.key, other.suspicion, line) < std::tie(key, suspicion, other.line);
}

ReviewQueue::ReviewQueue(const ScoreTable& table)
    : table_(table),
      line_of_(table.size()),
      position_(table.size()),
      finished_(table.size(), false),
      left_(table.size()) {
  for (const auto row : table.ranking()) {
    const auto pair = pair_key(table.labels()[row], table.suggested()[row]);
    const auto [found, fresh] = line_of_pair_.try_emplace(pair, static_cast<std::uint32_t>(lines_.size()));
    if (fresh) {
      lines_.emplace_back();
      lines_.back().pair = pair;
    }
    auto& line = lines_[found->second];
    line_of_[row] = found->second;
    position_[row] = static_cast<std::uint32_t>(line.rows.size());
    line.rows.push_back(row);
    ++line.left;
  }
  for (std::uint32_t line = 0; line < lines_.size(); ++line) settle(line);
}

ReviewQueue::Place ReviewQueue::place_of(std::uint32_t row, std::uint32_t number) const {
  return {calibration_.log_odds_without_offset(table_.p_mislabelled()[row], lines_[number].pair),
          table_.suspicion()[row], number};
}

void ReviewQueue::settle(std::uint32_t number) {
  auto& line = lines_[number];
  if (line.place) order_.erase(*line.place);
  line.place.reset();
  while (line.head < line.rows.size() && finished_[line.rows[line.head]]) ++line.head;
  if (line.head == line.rows.size()) return;
  line.place = place_of(line.rows[line.head], number);
  order_.insert(*line.place);
}

std::optional<std::uint32_t> ReviewQueue::first_of(const Line& line, const Wanted& wanted) const {
  for (auto i = line.head; i < line.rows.size(); ++i)
    if (!finished_[line.rows[i]] && wanted(line.rows[i])) return line.rows[i];
  return std::nullopt;
}

std::optional<std::uint32_t> ReviewQueue::first(const Wanted& wanted,
                                                std::optional<std::uint64_t> pair) const {
  if (pair) {
    const auto found = line_of_pair_.find(*pair);
    return found == line_of_pair_.end() ? std::nullopt : first_of(lines_[found->second], wanted);
  }
  // Where a head is passed over, the row behind it has to stand up to the heads of the other lines.
  std::optional<std::uint32_t> best;
  std::optional<Place> best_place;
  for (const auto& place : order_) {
    if (best_place && *best_place < place) break;
    const auto row = first_of(lines_[place.line], wanted);
    if (!row) continue;
    const auto its_place = place_of(*row, place.line);
    if (best_place && !(its_place < *best_place)) continue;
    best = row;
    best_place = its_place;
  }
  return best;
}

void ReviewQueue::finish(std::uint32_t row) {
  if (finished_[row]) return;
  finished_[row] = true;
  --left_;
  --lines_[line_of_[row]].left;
  settle(line_of_[row]);
}

void ReviewQueue::reopen(std::uint32_t row) {
  if (!finished_[row]) return;
  finished_[row] = false;
  ++left_;
  auto& line = lines_[line_of_[row]];
  ++line.left;
  line.head = std::min<std::size_t>(line.head, position_[row]);
  settle(line_of_[row]);
}

std::size_t ReviewQueue::left(std::uint64_t pair) const {
  const auto found = line_of_pair_.find(pair);
  return found == line_of_pair_.end() ? 0 : lines_[found->second].left;
}

void ReviewQueue::adapt(Calibration calibration) {
  calibration_ = std::move(calibration);
  for (const auto pair : calibration_.pairs())
    if (const auto found = line_of_pair_.find(pair); found != line_of_pair_.end())
      adapted_.insert(found->second);
  for (const auto line : adapted_) settle(line);
}

double ReviewQueue::probability(std::uint32_t row) const {
  return calibration_(table_.p_mislabelled()[row], lines_[line_of_[row]].pair);
}

}  // namespace procsim::curate
