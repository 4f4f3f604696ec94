#include "train/language/class_order.hpp"

#include <algorithm>
#include <numeric>

#include "data/base/error.hpp"
#include "taxonomy/tree/class_tree.hpp"
#include "taxonomy/wordnet/wordnet.hpp"

namespace procsim::train {
namespace {

constexpr int kDeepest = 64;  // no noun of WordNet lies deeper

// From WordNet's root down to the node: sorting by it keeps relatives together.
std::string path_from_root(const taxonomy::WordNet& wordnet, const std::string& node) {
  auto synset = wordnet.find_id(node);
  if (!synset) return node;
  std::string path;
  for (int depth = 0; depth < kDeepest; ++depth) {
    path = wordnet.id(*synset) + "/" + path;
    const auto above = wordnet.hypernyms(*synset);
    if (above.empty()) break;
    synset = above.front();
  }
  return path;
}

std::vector<std::size_t> leaf_order(const TrainData& data) {
  const auto tree = taxonomy::prune(*data.taxonomy, data.classes);
  std::vector<std::size_t> order;
  std::vector<std::int32_t> waiting{0};
  while (!waiting.empty()) {
    const auto& node = tree.nodes[static_cast<std::size_t>(waiting.back())];
    waiting.pop_back();
    waiting.insert(waiting.end(), node.children.rbegin(), node.children.rend());
    if (node.label == taxonomy::ClassTree::kNone) continue;
    const auto dense = std::lower_bound(data.classes.begin(), data.classes.end(), node.label);
    order.push_back(static_cast<std::size_t>(dense - data.classes.begin()));
  }
  return order;
}

}  // namespace

std::vector<std::size_t> taxonomy_order(const TrainData& data) {
  if (data.taxonomy) return leaf_order(data);
  std::vector<std::size_t> order(data.classes.size());
  std::iota(order.begin(), order.end(), 0U);
  std::vector<std::string> nodes;
  for (const auto label : data.classes)
    nodes.push_back(data.info.classes.at(static_cast<std::size_t>(label)).node);
  if (std::find(nodes.begin(), nodes.end(), "") != nodes.end()) return order;
  try {
    const taxonomy::WordNet wordnet;
    std::vector<std::string> paths;
    for (const auto& node : nodes) paths.push_back(path_from_root(wordnet, node));
    std::stable_sort(order.begin(), order.end(),
                     [&](std::size_t a, std::size_t b) { return paths[a] < paths[b]; });
  } catch (const Error&) {
    std::iota(order.begin(), order.end(), 0U);
  }
  return order;
}

}  // namespace procsim::train
