#include "noise/label_statistics.hpp"

#include <cmath>
#include <set>

#include <fmt/format.h>

#include "data/base/error.hpp"
#include "noise/batch_pipeline.hpp"

namespace procsim::noise {
namespace {

using Pairs = std::map<std::pair<std::int32_t, std::int32_t>, std::int64_t>;

double entropy_bits(const std::map<std::int32_t, std::int64_t>& counts) {
  double total = 0;
  for (const auto& entry : counts) total += static_cast<double>(entry.second);
  double entropy = 0;
  for (const auto& [label, count] : counts) {
    const double share = static_cast<double>(count) / total;
    entropy -= share * std::log2(share);
  }
  return entropy;
}

std::int32_t depth_of(const taxonomy::ClassTree& tree, std::int32_t node) {
  std::int32_t depth = 0;
  for (; node != 0; node = tree.nodes[static_cast<std::size_t>(node)].parent) ++depth;
  return depth;
}

std::int32_t common_ancestor(const taxonomy::ClassTree& tree, std::int32_t a, std::int32_t b) {
  // Parents stand before their children, so the larger index is never the ancestor.
  while (a != b) {
    auto& lower = a > b ? a : b;
    lower = tree.nodes[static_cast<std::size_t>(lower)].parent;
  }
  return a;
}

// Mean distance from a class to all others, from sums over subtrees.
std::vector<double> mean_distances(const taxonomy::ClassTree& tree) {
  const auto count = tree.nodes.size();
  std::vector<double> leaves(count, 0), down(count, 0), all(count, 0);
  for (std::size_t node = count; node-- > 0;) {
    if (tree.nodes[node].children.empty()) leaves[node] = 1;
    for (const auto child : tree.nodes[node].children) {
      leaves[node] += leaves[static_cast<std::size_t>(child)];
      down[node] += down[static_cast<std::size_t>(child)] + leaves[static_cast<std::size_t>(child)];
    }
  }
  all[0] = down[0];
  for (std::size_t node = 1; node < count; ++node) {
    // One edge down: the leaves below come nearer by one, all others farther by one.
    all[node] = all[static_cast<std::size_t>(tree.nodes[node].parent)] + leaves[0] - 2 * leaves[node];
  }
  std::vector<double> means(tree.leaf_of.size(), 0);
  for (std::size_t label = 0; label < means.size(); ++label) {
    if (tree.leaf_of[label] == taxonomy::ClassTree::kNone || leaves[0] < 2) continue;
    means[label] = all[static_cast<std::size_t>(tree.leaf_of[label])] / (leaves[0] - 1);
  }
  return means;
}

TreeStatistics tree_statistics(const ConfusionCounts& counts, const taxonomy::Taxonomy& taxonomy) {
  const auto tree = taxonomy::prune(taxonomy, counts.classes());
  const auto uniform = mean_distances(tree);
  TreeStatistics result;
  double errors = 0;
  for (const auto& [pair, count] : counts.pairs) {
    if (pair.first == pair.second) continue;
    const auto distance = leaf_distance(tree, pair.first, pair.second);
    const auto leaf = tree.leaf_of[static_cast<std::size_t>(pair.first)];
    const auto other = tree.leaf_of[static_cast<std::size_t>(pair.second)];
    const auto weight = static_cast<double>(count);
    result.errors_by_distance[distance] += count;
    if (common_ancestor(tree, leaf, other) == tree.nodes[static_cast<std::size_t>(leaf)].parent) {
      result.sibling_errors += count;
    }
    result.mean_distance += weight * distance;
    result.mean_distance_uniform += weight * uniform[static_cast<std::size_t>(pair.first)];
    errors += weight;
  }
  if (errors > 0) {
    result.mean_distance /= errors;
    result.mean_distance_uniform /= errors;
  }
  return result;
}

}  // namespace

std::int64_t ConfusionCounts::compared() const {
  std::int64_t sum = none_of_these;
  for (const auto& entry : pairs) sum += entry.second;
  return sum;
}

std::int64_t ConfusionCounts::wrong() const {
  std::int64_t sum = none_of_these;
  for (const auto& [pair, count] : pairs) sum += pair.first == pair.second ? 0 : count;
  return sum;
}

std::vector<std::int32_t> ConfusionCounts::classes() const {
  std::set<std::int32_t> present;
  for (const auto& entry : pairs) {
    present.insert(entry.first.first);
    present.insert(entry.first.second);
  }
  for (std::size_t label = 0; label < given.size(); ++label) {
    if (given[label] > 0) present.insert(static_cast<std::int32_t>(label));
  }
  return {present.begin(), present.end()};
}

ConfusionCounts count_confusions(const std::filesystem::path& path, const std::string& split,
                                 unsigned threads, const Progress& progress) {
  LabelReadOptions read;
  read.paths = false;
  read.split = split;
  LabelSetReader reader(path, read);
  ConfusionCounts counts;
  counts.info = reader.info();
  counts.split = split;
  counts.given.assign(counts.info.classes.size(), 0);
  BatchPipeline<Pairs>::run(
      reader, threads,
      [](const LabelBatch& batch) {
        Pairs pairs;  // -1 for unknown
        for (std::int64_t row = 0; row < batch.rows(); ++row) {
          const auto label = batch.labels()[static_cast<std::size_t>(row)];
          ++pairs[{batch.true_label(row).value_or(kUnlabelled), label}];
        }
        return pairs;
      },
      [&](const LabelBatch& batch, Pairs&& pairs) {
        for (const auto& [pair, count] : pairs) {
          counts.rows += count;
          if (pair.second == kUnlabelled) {
            counts.unlabelled += count;
            continue;
          }
          counts.given[static_cast<std::size_t>(pair.second)] += count;
          if (pair.first == kUnlabelled) {
            counts.truth_unknown += count;
          } else if (pair.first == kNoneOfThese) {
            counts.none_of_these += count;
          } else {
            counts.pairs[pair] += count;
          }
        }
        if (progress)
          progress(static_cast<std::uint64_t>(counts.rows), static_cast<std::uint64_t>(reader.file_rows()));
        (void)batch;
      });
  if (counts.rows == 0) throw Error(fmt::format("{} has no rows of split '{}'", path.string(), split));
  return counts;
}

LabelStatistics statistics_of(const ConfusionCounts& counts, const taxonomy::Taxonomy* taxonomy) {
  LabelStatistics statistics;
  statistics.compared = counts.compared();
  statistics.wrong = counts.wrong();
  statistics.rate = clopper_pearson(statistics.wrong, statistics.compared);
  const auto classes = counts.classes();
  statistics.largest_entropy = classes.size() > 2 ? std::log2(static_cast<double>(classes.size() - 1)) : 0;

  std::map<std::int32_t, std::map<std::int32_t, std::int64_t>> wrong_labels;
  std::map<std::int32_t, std::int64_t> samples;
  for (const auto& [pair, count] : counts.pairs) {
    samples[pair.first] += count;
    if (pair.first != pair.second) wrong_labels[pair.first][pair.second] += count;
  }
  for (const auto label : classes) {
    ClassStatistics entry;
    entry.label = label;
    entry.samples = samples[label];
    entry.given = counts.given[static_cast<std::size_t>(label)];
    if (const auto found = wrong_labels.find(label); found != wrong_labels.end()) {
      for (const auto& each : found->second) entry.wrong += each.second;
      entry.entropy = entropy_bits(found->second);
      statistics.entropy += entry.entropy * static_cast<double>(entry.wrong) /
                            static_cast<double>(statistics.wrong - counts.none_of_these);
    }
    entry.rate = clopper_pearson(entry.wrong, entry.samples);
    statistics.classes.push_back(entry);
  }
  if (taxonomy != nullptr) statistics.tree = tree_statistics(counts, *taxonomy);
  return statistics;
}

std::int32_t leaf_distance(const taxonomy::ClassTree& tree, std::int32_t a, std::int32_t b) {
  const auto left = tree.leaf_of[static_cast<std::size_t>(a)];
  const auto right = tree.leaf_of[static_cast<std::size_t>(b)];
  return depth_of(tree, left) + depth_of(tree, right) -
         2 * depth_of(tree, common_ancestor(tree, left, right));
}

}  // namespace procsim::noise
