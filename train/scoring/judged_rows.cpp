#include "train/scoring/judged_rows.hpp"

#include <algorithm>
#include <numeric>
#include <optional>
#include <vector>

#include "train/scoring/class_sums.hpp"
#include "train/scoring/task_threads.hpp"

namespace procsim::train {
namespace {

constexpr std::size_t kSamplesOfATask = 4096;
constexpr std::size_t kRowsOfAProduct = 256;
constexpr std::int64_t kListedRows = 512;  // of a block where not every class is looked at

template <typename Visit>
void for_blocks(const JudgedRows& rows, std::span<const std::int64_t> samples, const Visit& visit) {
  const auto& lists = rows.shortlists;
  const auto at_once = static_cast<std::size_t>(
      lists.everything() ? std::max<std::int64_t>(1, Discriminant::kBlockValues / lists.width())
                         : kListedRows);
  for (std::size_t start = 0; start < samples.size(); start += at_once)
    visit(samples.subspan(start, std::min(at_once, samples.size() - start)));
}

Shortlists find_shortlists(const PreparedRows& rows, std::span<const std::int64_t> ids,
                           std::span<const std::int64_t> classes, std::int64_t class_count,
                           const DiscriminantOptions& options, int threads) {
  if (class_count <= std::max(options.all_classes, options.shortlist)) return Shortlists(class_count);
  // By id: sums come out the same whatever the order of the rows.
  std::vector<std::int64_t> order(ids.size());
  std::iota(order.begin(), order.end(), std::int64_t{0});
  std::sort(order.begin(), order.end(), [&](std::int64_t a, std::int64_t b) {
    return ids[static_cast<std::size_t>(a)] < ids[static_cast<std::size_t>(b)];
  });
  Shortlists lists(rows.size(), options.shortlist);
  std::optional<Discriminant> model;
  run_tasks(1, 1, [&](std::int64_t) {
    model.emplace(shrunk_discriminant(sum_labels(rows, order, classes, class_count), options));
  });
  const std::span<const std::int64_t> samples(order);
  const auto tasks = (samples.size() + kSamplesOfATask - 1) / kSamplesOfATask;
  run_tasks(static_cast<std::int64_t>(tasks), threads, [&](std::int64_t task) {
    const auto first = static_cast<std::size_t>(task) * kSamplesOfATask;
    const auto end = std::min(first + kSamplesOfATask, samples.size());
    for (auto start = first; start < end; start += kRowsOfAProduct) {
      const auto some = samples.subspan(start, std::min(kRowsOfAProduct, end - start));
      const auto block = model->cosines(rows.of(some)).contiguous();
      for (std::size_t r = 0; r < some.size(); ++r)
        lists.set(some[r],
                  {block.data_ptr<float>() + static_cast<std::int64_t>(r) * class_count,
                   static_cast<std::size_t>(class_count)},
                  classes[static_cast<std::size_t>(some[r])]);
    }
  });
  return lists;
}

}  // namespace

JudgedRows::JudgedRows(const torch::Tensor& embeddings, std::span<const std::int64_t> ids,
                       std::span<const std::int64_t> classes, std::int64_t class_count,
                       const DiscriminantOptions& options, int threads)
    : rows(embeddings, options.dimensions),
      shortlists(find_shortlists(rows, ids, classes, class_count, options, threads)) {}

void score_samples(const Discriminant& model, const JudgedRows& rows, std::span<const std::int64_t> samples,
                   std::span<const std::int64_t> classes, ClassScores& scores) {
  const auto& lists = rows.shortlists;
  const auto given = [&](std::int64_t sample) { return classes[static_cast<std::size_t>(sample)]; };
  std::vector<std::int64_t> order(samples.begin(), samples.end());
  // Samples of a class have much of their shortlists in common: what is looked at stays in the cache.
  if (!lists.everything()) std::ranges::stable_sort(order, {}, given);
  std::vector<std::int32_t> room(static_cast<std::size_t>(lists.width()));
  for_blocks(rows, order, [&](std::span<const std::int64_t> some) {
    const auto block = model.cosines(rows.rows.of(some), some, lists);
    const float* score = block.scores.data_ptr<float>();
    for (std::size_t r = 0; r < some.size(); ++r, score += lists.width())
      scores.keep(some[r], lists.of(some[r]), {score, room.size()}, given(some[r]),
                  block.others.empty() ? OtherScores{} : block.others[r], room);
  });
}

std::vector<double> nearest_of_samples(const Discriminant& model, const JudgedRows& rows,
                                       std::span<const std::int64_t> samples) {
  std::vector<double> result;
  for_blocks(rows, samples, [&](std::span<const std::int64_t> some) {
    const auto block = model.nearest(rows.rows.of(some), some, rows.shortlists);
    result.insert(result.end(), block.begin(), block.end());
  });
  return result;
}

}  // namespace procsim::train
