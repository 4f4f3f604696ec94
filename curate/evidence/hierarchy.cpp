#include "curate/evidence/hierarchy.hpp"

#include <algorithm>
#include <map>

#include "taxonomy/tree/queries.hpp"

namespace procsim::curate {

namespace {

// A rate at which a fifth of all labels in the two classes is wrong makes them hardly worth telling apart.
constexpr double kMerge = 0.2, kDefine = 0.05, kBothWays = 0.25;

// The child of `ancestor` that `node` is at or below.
std::int32_t child_towards(const ClassFamilies& families, std::int32_t ancestor, std::int32_t node) {
  while (families.parent(node) != ancestor) node = families.parent(node);
  return node;
}

}  // namespace

double ConfusedSiblings::rate() const {
  return samples == 0 ? 0 : (first_as_second + second_as_first) / static_cast<double>(samples);
}

double ConfusedSiblings::balance() const {
  const double both = first_as_second + second_as_first;
  return both <= 0 ? 0 : std::min(first_as_second, second_as_first) / both;
}

HierarchyErrors roll_up(const ScoreTable& table, const ClassFamilies& families,
                        std::span<const double> wrong) {
  HierarchyErrors result;
  const auto& nodes = families.tree().nodes;
  std::vector<NodeErrors> errors(nodes.size());
  struct Mass {
    double first_as_second = 0, second_as_first = 0;
  };
  std::map<std::pair<std::int32_t, std::int32_t>, Mass> pairs;
  for (std::size_t i = 0; i < table.size(); ++i) {
    const double p = wrong.empty() ? table.p_mislabelled()[i] : wrong[i];
    const auto leaf = families.leaf(table.labels()[i]);
    if (leaf == taxonomy::ClassTree::kNone) {
      result.unplaced += p;
      continue;
    }
    auto& own = errors[static_cast<std::size_t>(leaf)];
    ++own.samples;
    own.wrong += p;
    const auto other = families.leaf(table.suggested()[i]);
    if (other == taxonomy::ClassTree::kNone || other == leaf) {
      result.unplaced += other == leaf ? 0 : p;
      continue;
    }
    const auto common = taxonomy::lowest_common_ancestor(families.tree(), leaf, other);
    errors[static_cast<std::size_t>(common)].here += p;
    const auto from = child_towards(families, common, leaf), to = child_towards(families, common, other);
    auto& mass = pairs[std::minmax(from, to)];
    (from < to ? mass.first_as_second : mass.second_as_first) += p;
  }
  for (auto i = nodes.size(); i-- > 0;) {  // children come after their parents
    auto& node = errors[i];
    node.node = static_cast<std::int32_t>(i);
    if (nodes[i].children.empty()) node.classes = 1;
    if (nodes[i].parent == taxonomy::ClassTree::kNone) continue;
    auto& parent = errors[static_cast<std::size_t>(nodes[i].parent)];
    parent.samples += node.samples;
    parent.classes += node.classes;
    parent.wrong += node.wrong;
  }
  for (const auto& [pair, mass] : pairs) {
    const auto samples = errors[static_cast<std::size_t>(pair.first)].samples +
                         errors[static_cast<std::size_t>(pair.second)].samples;
    result.siblings.push_back({families.parent(pair.first), pair.first, pair.second, samples,
                               mass.first_as_second, mass.second_as_first});
  }
  for (const auto& node : errors)
    if (!nodes[static_cast<std::size_t>(node.node)].children.empty()) result.nodes.push_back(node);
  std::ranges::stable_sort(result.nodes, [](const auto& a, const auto& b) { return a.here > b.here; });
  std::ranges::stable_sort(result.siblings, [](const auto& a, const auto& b) { return a.rate() > b.rate(); });
  return result;
}

std::string advice(const ConfusedSiblings& pair) {
  if (pair.rate() < kDefine) return {};
  if (pair.rate() >= kMerge && pair.balance() >= kBothWays) return "merge, or define the border anew";
  return pair.balance() >= kBothWays ? "define the border better" : "check how one of the names is used";
}

}  // namespace procsim::curate
