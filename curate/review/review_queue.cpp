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

void ReviewQueue::settle(std::uint32_t number) {
  auto& line = lines_[number];
  if (line.place) order_.erase(*line.place);
  line.place.reset();
  while (line.head < line.rows.size() && finished_[line.rows[line.head]]) ++line.head;
  if (line.head == line.rows.size()) return;
  const auto row = line.rows[line.head];
  line.place =
      Place{log_odds(table_.p_mislabelled()[row]) + calibration_.offset(line.pair) / calibration_.slope(),
            table_.suspicion()[row], number};
  order_.insert(*line.place);
}

std::optional<std::uint32_t> ReviewQueue::first(const Wanted& wanted,
                                                std::optional<std::uint64_t> pair) const {
  const auto search = [&](const Line& line) -> std::optional<std::uint32_t> {
    for (auto i = line.head; i < line.rows.size(); ++i)
      if (!finished_[line.rows[i]] && wanted(line.rows[i])) return line.rows[i];
    return std::nullopt;
  };
  if (pair) {
    const auto found = line_of_pair_.find(*pair);
    return found == line_of_pair_.end() ? std::nullopt : search(lines_[found->second]);
  }
  for (const auto& place : order_)
    if (const auto row = search(lines_[place.line])) return row;
  return std::nullopt;
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
