#include "taxonomy/tree/queries.hpp"

#include <algorithm>
#include <array>
#include <cassert>
#include <cmath>
#include <string>
#include <utility>

#include <fmt/format.h>

#include "data/base/error.hpp"
#include "data/base/suggest.hpp"

namespace procsim::taxonomy {
namespace {

constexpr std::array<std::pair<Measure, std::string_view>, 4> kMeasures{{
    {Measure::kDistance, "distance"},
    {Measure::kPath, "path"},
    {Measure::kWuPalmer, "wu-palmer"},
    {Measure::kLeacockChodorow, "leacock-chodorow"},
}};

// All depths in edges from the root.
double measure_of(Measure which, double depth_a, double depth_b, double depth_lca, double deepest) {
  const double edges = depth_a + depth_b - 2 * depth_lca;
  switch (which) {
    case Measure::kDistance:
      return edges;
    case Measure::kPath:
      return 1 / (1 + edges);
    case Measure::kWuPalmer:
      return 2 * (depth_lca + 1) / (depth_a + 1 + depth_b + 1);
    case Measure::kLeacockChodorow:
      return std::log(2 * deepest / (edges + 1));  // never −0
  }
  return edges;
}

double depth_scale(const Taxonomy& taxonomy) {
  return std::max(1.0, static_cast<double>(greatest_depth(taxonomy)));
}

}  // namespace

std::vector<NodeIndex> ancestors(const Taxonomy& taxonomy, NodeIndex place) {
  std::vector<NodeIndex> above;
  for (auto parent = taxonomy.parent(place); parent; parent = taxonomy.parent(*parent))
    above.push_back(*parent);
  return above;
}

NodeIndex lowest_common_ancestor(const Taxonomy& taxonomy, NodeIndex a, NodeIndex b) {
  while (a != b) {
    auto& lower = taxonomy.depth(a) >= taxonomy.depth(b) ? a : b;
    lower = *taxonomy.parent(lower);
  }
  return a;
}

std::uint32_t distance(const Taxonomy& taxonomy, NodeIndex a, NodeIndex b) {
  return taxonomy.depth(a) + taxonomy.depth(b) - 2 * taxonomy.depth(lowest_common_ancestor(taxonomy, a, b));
}

std::uint32_t greatest_depth(const Taxonomy& taxonomy) {
  std::uint32_t deepest = 0;
  const auto places = taxonomy.node_count() + static_cast<NodeIndex>(taxonomy.class_count());
  for (NodeIndex place = 0; place < places; ++place) deepest = std::max(deepest, taxonomy.depth(place));
  return deepest;
}

std::int32_t lowest_common_ancestor(const ClassTree& tree, std::int32_t a, std::int32_t b) {
  while (a != b) {
    auto& later = a > b ? a : b;  // parents come before children: it is above neither
    later = tree.nodes[static_cast<std::size_t>(later)].parent;
  }
  return a;
}

std::int32_t distance(const ClassTree& tree, std::int32_t a, std::int32_t b) {
  const auto common = lowest_common_ancestor(tree, a, b);
  std::int32_t edges = 0;
  for (auto node : {a, b})
    for (; node != common; node = tree.nodes[static_cast<std::size_t>(node)].parent) ++edges;
  return edges;
}

std::vector<std::int32_t> siblings(const ClassTree& tree, std::int32_t label) {
  const auto index = tree.leaf_of.at(static_cast<std::size_t>(label));
  if (index == ClassTree::kNone) throw Error(fmt::format("class {} is not in this tree", label));
  const auto parent = tree.nodes[static_cast<std::size_t>(index)].parent;
  if (parent == ClassTree::kNone) return {};
  auto others = tree.nodes[static_cast<std::size_t>(parent)].children;
  std::erase(others, index);
  return others;
}

std::vector<std::int32_t> labels_below(const ClassTree& tree, std::int32_t index) {
  std::vector<std::int32_t> labels, waiting{index};
  while (!waiting.empty()) {
    const auto& node = tree.nodes[static_cast<std::size_t>(waiting.back())];
    waiting.pop_back();
    if (node.label != ClassTree::kNone) labels.push_back(node.label);
    waiting.insert(waiting.end(), node.children.begin(), node.children.end());
  }
  std::ranges::sort(labels);
  return labels;
}

std::string_view to_string(Measure measure) {
  for (const auto& [value, text] : kMeasures) {
    if (value == measure) return text;
  }
  return "distance";
}

std::vector<std::string> measure_names() {
  std::vector<std::string> names;
  for (const auto& [value, name] : kMeasures) names.emplace_back(name);
  return names;
}

Measure measure_from_string(std::string_view text) {
  for (const auto& [value, name] : kMeasures)
    if (name == text) return value;
  const auto known = measure_names();
  throw Error(fmt::format("unknown measure '{}'{} Known: {}.", text, did_you_mean(text, known),
                          fmt::join(known, ", ")));
}

double measure(const Taxonomy& taxonomy, Measure which, NodeIndex a, NodeIndex b) {
  const auto lca = lowest_common_ancestor(taxonomy, a, b);
  return measure_of(which, taxonomy.depth(a), taxonomy.depth(b), taxonomy.depth(lca), depth_scale(taxonomy));
}

ClassMatrix::ClassMatrix(const Taxonomy& taxonomy)
    : taxonomy_(taxonomy), stretch_(taxonomy.node_count()), greatest_depth_(depth_scale(taxonomy)) {
  // Depth first, without recursion: a node's stretch begins when it is met and ends when it is met again on
  // the way up.
  std::vector<std::pair<NodeIndex, bool>> waiting{{taxonomy.root(), false}};
  while (!waiting.empty()) {
    const auto [place, on_the_way_up] = waiting.back();
    waiting.pop_back();
    const auto met = static_cast<std::uint32_t>(order_.size());
    if (taxonomy.is_leaf(place)) {
      order_.push_back(taxonomy.label_of_leaf(place));
    } else if (on_the_way_up) {
      stretch_[place].second = met;
    } else {
      stretch_[place].first = met;
      waiting.emplace_back(place, true);
      for (const auto child : taxonomy.children(place)) waiting.emplace_back(child, false);
    }
  }
  for (std::int32_t label = 0; label < taxonomy.class_count(); ++label) {
    depth_.push_back(static_cast<std::int32_t>(taxonomy.depth(taxonomy.leaf(label))));
  }
}

// Climbing from the class, what each ancestor adds to the stretch known so far meets the class there.
void ClassMatrix::lca_depths(std::int32_t label, std::span<std::int32_t> out) const {
  assert(out.size() == order_.size());
  const auto fill = [&](std::uint32_t from, std::uint32_t to, std::int32_t depth) {
    for (auto i = from; i < to; ++i) out[static_cast<std::size_t>(order_[i])] = depth;
  };
  const auto node = *taxonomy_.parent(taxonomy_.leaf(label));
  auto [first, last] = stretch_[node];
  auto depth = depth_[static_cast<std::size_t>(label)] - 1;
  fill(first, last, depth);
  for (auto parent = taxonomy_.parent(node); parent; parent = taxonomy_.parent(*parent)) {
    --depth;
    const auto [wider_first, wider_last] = stretch_[*parent];
    fill(wider_first, first, depth);
    fill(last, wider_last, depth);
    first = wider_first;
    last = wider_last;
  }
  out[static_cast<std::size_t>(label)] = depth_[static_cast<std::size_t>(label)];
}

void ClassMatrix::distances(std::int32_t label, std::span<std::int32_t> out) const {
  lca_depths(label, out);
  const auto own = depth_[static_cast<std::size_t>(label)];
  for (std::size_t other = 0; other < out.size(); ++other) out[other] = own + depth_[other] - 2 * out[other];
}

void ClassMatrix::measures(std::int32_t label, Measure which, std::span<double> out) const {
  std::vector<std::int32_t> meets(out.size());
  lca_depths(label, meets);
  const auto own = depth_[static_cast<std::size_t>(label)];
  for (std::size_t other = 0; other < out.size(); ++other) {
    out[other] = measure_of(which, own, depth_[other], meets[other], greatest_depth_);
  }
}

}  // namespace procsim::taxonomy
