#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "data/base/progress.hpp"
#include "data/labels/label_set.hpp"
#include "data/measures/intervals.hpp"
#include "taxonomy/tree/class_tree.hpp"
#include "taxonomy/tree/taxonomy.hpp"

namespace procsim::noise {

// How often each true class carries each label, over one split. Only pairs that occur.
struct ConfusionCounts {
  LabelSetInfo info;
  std::string split;
  std::int64_t rows = 0;  // of the split
  std::int64_t unlabelled = 0;
  std::int64_t truth_unknown = 0;  // labelled, but without a true label
  std::int64_t none_of_these = 0;  // labelled, but the truth is none of the classes: wrong, and in no pair
  std::map<std::pair<std::int32_t, std::int32_t>, std::int64_t> pairs;  // (true, given) → rows
  std::vector<std::int64_t> given;  // by label: rows that carry it, truth known or not

  std::int64_t compared() const;  // rows with a label and a known truth
  std::int64_t wrong() const;
  std::vector<std::int32_t> classes() const;  // that occur, as truth or as label, ascending
};
ConfusionCounts count_confusions(const std::filesystem::path& path, const std::string& split,
                                 unsigned threads, const Progress& progress);

struct ClassStatistics {
  std::int32_t label = 0;
  std::int64_t samples = 0;  // whose true class it is
  std::int64_t wrong = 0;    // of these, under another label
  std::int64_t given = 0;    // rows that carry the label
  Interval rate;             // of wrong ones, 95 %
  double entropy = 0;        // of the wrong labels, bits
};

// How far errors lie in the tree of the split's classes: edges between the two leaves.
struct TreeStatistics {
  std::map<std::int32_t, std::int64_t> errors_by_distance;
  double mean_distance = 0;          // of the errors
  double mean_distance_uniform = 0;  // of errors that hit every other class alike, same true classes
  std::int64_t sibling_errors = 0;   // whose first common ancestor is the true class's parent
};

struct LabelStatistics {
  std::int64_t compared = 0;
  std::int64_t wrong = 0;
  Interval rate;               // 95 %
  double entropy = 0;          // of the wrong labels given the true class, bits, averaged over the errors
  double largest_entropy = 0;  // log2(classes − 1): what uniform noise reaches
  std::vector<ClassStatistics> classes;  // that occur, by label
  std::optional<TreeStatistics> tree;
};
// `taxonomy` may be null.
LabelStatistics statistics_of(const ConfusionCounts& counts, const taxonomy::Taxonomy* taxonomy);

// Edges between two leaves of a class tree.
std::int32_t leaf_distance(const taxonomy::ClassTree& tree, std::int32_t a, std::int32_t b);

}  // namespace procsim::noise
