#pragma once

#include <algorithm>
#include <numeric>
#include <span>
#include <vector>

#include "data/base/keyed_random.hpp"
#include "data/noise_model/class_distances.hpp"
#include "data/noise_model/class_scores.hpp"
#include "taxonomy/tree/class_tree.hpp"
#include "taxonomy/tree/tree_distances.hpp"

namespace procsim {

// ((0 1) (2 3 4)) 5
inline taxonomy::ClassTree small_tree() {
  taxonomy::ClassTree tree;
  tree.nodes.resize(9);
  const auto hang = [&](std::int32_t node, std::int32_t parent) {
    tree.nodes[static_cast<std::size_t>(node)].parent = parent;
    tree.nodes[static_cast<std::size_t>(parent)].children.push_back(node);
  };
  hang(1, 0);  // all but class 5
  hang(2, 1);  // 0 and 1
  hang(3, 1);  // 2, 3 and 4
  tree.leaf_of = {4, 5, 6, 7, 8, 9};
  tree.nodes.resize(10);
  for (std::int32_t label = 0; label < 6; ++label) {
    const auto leaf = tree.leaf_of[static_cast<std::size_t>(label)];
    tree.nodes[static_cast<std::size_t>(leaf)].label = label;
    hang(leaf, label == 5 ? 0 : label < 2 ? 2 : 3);
  }
  return tree;
}

inline ClassDistances small_distances() {
  return taxonomy::tree_distances(small_tree(), std::vector<std::int32_t>{0, 1, 2, 3, 4, 5});
}

// Scores with every class kept, best first.
inline ClassScores scores_of(const std::vector<std::vector<double>>& table,
                             std::span<const std::int64_t> given, std::int64_t kept) {
  const auto classes = static_cast<std::int64_t>(table.front().size());
  ClassScores scores(static_cast<std::int64_t>(table.size()), classes, kept);
  for (std::size_t i = 0; i < table.size(); ++i) {
    std::vector<std::int32_t> order(table[i].size());
    std::iota(order.begin(), order.end(), 0);
    std::sort(order.begin(), order.end(), [&](auto a, auto b) {
      return table[i][static_cast<std::size_t>(a)] > table[i][static_cast<std::size_t>(b)];
    });
    scores.given[i] = static_cast<float>(table[i][static_cast<std::size_t>(given[i])]);
    scores.given_at[i] = -1;
    double sum = 0;
    double squares = 0;
    for (std::size_t k = 0; k < order.size(); ++k) {
      const double value = table[i][static_cast<std::size_t>(order[k])];
      if (static_cast<std::int64_t>(k) < scores.width) {
        const auto place = i * static_cast<std::size_t>(scores.width) + k;
        scores.candidate[place] = order[k];
        scores.score[place] = static_cast<float>(value);
        if (order[k] == given[i]) scores.given_at[i] = static_cast<std::int32_t>(k);
      } else if (order[k] != given[i]) {
        sum += value;
        squares += value * value;
        ++scores.rest_count[i];
      }
    }
    if (scores.rest_count[i] > 0) {
      const double mean = sum / scores.rest_count[i];
      scores.rest_mean[i] = static_cast<float>(mean);
      scores.rest_variance[i] = static_cast<float>(squares / scores.rest_count[i] - mean * mean);
    }
  }
  return scores;
}

// Classes whose scores are normal around 0, around 0.5 for the true one: the softmax of scale 0.5/deviation²
// is then the exact probability of each class.
struct Simulated {
  static constexpr double kDeviation = 0.15;
  std::vector<std::int64_t> truth, given;
  std::vector<std::vector<double>> table;

  enum class Kind { kUniform, kSibling };
  Simulated(std::int64_t classes, std::int64_t count, double rate, Kind kind, std::uint64_t seed) {
    const KeyedRandom random(seed, "test/simulated-scores");
    for (std::int64_t i = 0; i < count; ++i) {
      auto draws = random.for_id(i);
      const auto c = static_cast<std::int64_t>(draws.below(static_cast<std::uint64_t>(classes)));
      auto y = c;
      if (draws.uniform() < rate)
        y = kind == Kind::kSibling
                ? c / 4 * 4 + (c % 4 + 1 + static_cast<std::int64_t>(draws.below(3))) % 4
                : (c + 1 + static_cast<std::int64_t>(draws.below(static_cast<std::uint64_t>(classes - 1)))) %
                      classes;
      truth.push_back(c);
      given.push_back(y);
      auto& row = table.emplace_back();
      for (std::int64_t k = 0; k < classes; ++k)
        row.push_back((k == c ? 0.5 : 0) + kDeviation * draws.normal());
    }
  }
  double wrong_share() const {
    double wrong = 0;
    for (std::size_t i = 0; i < truth.size(); ++i) wrong += truth[i] != given[i];
    return wrong / static_cast<double>(truth.size());
  }
};

// Families of four.
inline ClassDistances families(std::int64_t classes) {
  taxonomy::ClassTree tree;
  tree.nodes.resize(static_cast<std::size_t>(1 + classes / 4 + classes));
  std::vector<std::int32_t> labels;
  for (std::int32_t c = 0; c < classes; ++c) {
    const auto family = 1 + c / 4;
    const auto leaf = static_cast<std::int32_t>(1 + classes / 4 + c);
    tree.nodes[static_cast<std::size_t>(family)].parent = 0;
    tree.nodes[static_cast<std::size_t>(leaf)].parent = family;
    tree.leaf_of.push_back(leaf);
    labels.push_back(c);
  }
  return taxonomy::tree_distances(tree, labels);
}

}  // namespace procsim
