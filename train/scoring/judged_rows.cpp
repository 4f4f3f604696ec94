#include "train/scoring/judged_rows.hpp"

#include <algorithm>
#include <numeric>
#include <optional>
#include <vector>

#include "train/scoring/class_sums.hpp"
#include "train/scoring/discriminant.hpp"
#include "train/scoring/task_threads.hpp"

namespace procsim::train {
namespace {

constexpr std::size_t kSamplesOfATask = 4096;
constexpr std::size_t kRowsOfAProduct = 256;

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

}  // namespace procsim::train
