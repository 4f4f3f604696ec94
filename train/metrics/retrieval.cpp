#include "train/metrics/retrieval.hpp"

#include <algorithm>
#include <limits>
#include <span>

#include <ATen/Parallel.h>

#include "train/metrics/neighbours.hpp"

namespace procsim::train {
namespace {

// How many are nearer than `best`.
std::int64_t count_nearer(std::span<const float> row, const Near& best) {
  std::int64_t count = 0;
  std::size_t begin = 0;
  for (; begin + kCompared <= row.size(); begin += kCompared) {
    int nearer = 0;
    for (std::size_t i = 0; i < kCompared; ++i) nearer += row[begin + i] > best.similarity ? 1 : 0;
    count += nearer;
  }
  for (; begin < row.size(); ++begin) count += row[begin] > best.similarity ? 1 : 0;
  const auto before = row.first(static_cast<std::size_t>(best.index));
  return count + std::count(before.begin(), before.end(), best.similarity);
}

// The samples of each class, in their order.
class ClassMembers {
 public:
  explicit ClassMembers(const torch::Tensor& labels) {
    const auto [classes, class_of, counts] = torch::_unique2(labels, true, true, true);
    const auto members = class_of.argsort(/*stable=*/true, 0, /*descending=*/false);
    members_.assign(members.data_ptr<std::int64_t>(), members.data_ptr<std::int64_t>() + members.size(0));
    class_of_.assign(class_of.data_ptr<std::int64_t>(), class_of.data_ptr<std::int64_t>() + class_of.size(0));
    begin_.assign(1, 0);
    for (std::int64_t c = 0; c < counts.size(0); ++c)
      begin_.push_back(begin_.back() + counts.data_ptr<std::int64_t>()[c]);
  }

  std::int64_t class_of(std::int64_t sample) const { return class_of_[static_cast<std::size_t>(sample)]; }
  // The sample's own class, itself included.
  std::span<const std::int64_t> around(std::int64_t sample) const {
    const auto c = static_cast<std::size_t>(class_of(sample));
    return std::span(members_).subspan(static_cast<std::size_t>(begin_[c]),
                                       static_cast<std::size_t>(begin_[c + 1] - begin_[c]));
  }

 private:
  std::vector<std::int64_t> members_, class_of_, begin_;
};

struct Answer {
  std::int64_t rank = -1;  // of the nearest sample of the class, from 0; −1: the query is alone in it
  double r_precision = 0;
  double average_precision = 0;  // at R
};

// Of one query with its similarities to all samples, its own −∞. `found` is room to work in.
Answer answer_of(std::int64_t query, std::span<const float> row, const ClassMembers& members,
                 std::vector<Near>& found) {
  const auto own = members.around(query);
  const auto mates = own.size() - 1;
  Answer answer;
  if (mates == 0) return answer;
  find_nearest(row, mates, found);
  double hits = 0;
  for (std::size_t place = 0; place < found.size(); ++place) {
    if (members.class_of(found[place].index) != members.class_of(query)) continue;
    if (answer.rank < 0) answer.rank = static_cast<std::int64_t>(place);
    hits += 1;
    answer.average_precision += hits / static_cast<double>(place + 1);
  }
  answer.r_precision = hits / static_cast<double>(mates);
  answer.average_precision /= static_cast<double>(mates);
  if (answer.rank >= 0) return answer;
  Near best{-std::numeric_limits<float>::infinity(), 0};
  for (const auto mate : own)
    if (mate != query) best = std::min(best, {row[static_cast<std::size_t>(mate)], mate});
  answer.rank = count_nearer(row, best);
  return answer;
}

}  // namespace

RetrievalMetrics evaluate_retrieval(const torch::Tensor& embeddings, const torch::Tensor& labels,
                                    const RetrievalOptions& options) {
  RetrievalMetrics metrics;
  for (const auto k : options.recall_at) metrics.recall[k] = 0;
  const ClassMembers members(labels.cpu());
  std::vector<Answer> answers(static_cast<std::size_t>(embeddings.size(0)));
  NeighbourOptions blocks;
  blocks.block_values = options.block_values;
  for_similarity_blocks(embeddings, embeddings, blocks, [&](std::int64_t first, const torch::Tensor& block) {
    const auto rows = block.cpu().contiguous();
    const auto width = rows.size(1);
    at::parallel_for(0, rows.size(0), 1, [&](std::int64_t begin, std::int64_t end) {
      std::vector<Near> found;
      for (auto i = begin; i < end; ++i) {
        const std::span row(rows.data_ptr<float>() + i * width, static_cast<std::size_t>(width));
        answers[static_cast<std::size_t>(first + i)] = answer_of(first + i, row, members, found);
      }
    });
  });
  for (const auto& answer : answers) {
    if (answer.rank < 0) continue;
    ++metrics.queries;
    for (auto& [k, recall] : metrics.recall) recall += answer.rank < k ? 1 : 0;
    metrics.r_precision += answer.r_precision;
    metrics.map_at_r += answer.average_precision;
  }
  if (metrics.queries == 0) return metrics;
  const auto count = static_cast<double>(metrics.queries);
  for (auto& [k, recall] : metrics.recall) recall /= count;
  metrics.r_precision /= count;
  metrics.map_at_r /= count;
  return metrics;
}

}  // namespace procsim::train
