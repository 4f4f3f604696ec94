#include "noise/tree_models.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>
#include <vector>

namespace procsim::noise {
namespace {

using NodeId = std::int32_t;

// Leaves in depth-first order; those below a node stand together.
struct LeafOrder {
  explicit LeafOrder(const taxonomy::ClassTree& tree) : begin(tree.nodes.size()), end(tree.nodes.size()) {
    // Children have larger indices than their parents, so an explicit stack visits them in the order they are
    // listed.
    std::vector<std::pair<NodeId, std::size_t>> stack{{0, 0}};
    while (!stack.empty()) {
      auto& [node, child] = stack.back();
      const auto& entry = tree.nodes[static_cast<std::size_t>(node)];
      const auto at = static_cast<std::size_t>(node);
      if (child == 0) begin[at] = labels.size();
      if (entry.children.empty()) labels.push_back(entry.label);
      if (child < entry.children.size()) {
        const auto next = entry.children[child++];
        stack.emplace_back(next, 0);
        continue;
      }
      end[at] = labels.size();
      stack.pop_back();
    }
  }

  std::size_t count(NodeId node) const {
    return end[static_cast<std::size_t>(node)] - begin[static_cast<std::size_t>(node)];
  }

  std::vector<std::int32_t> labels;
  std::vector<std::size_t> begin, end;  // by node
};

const taxonomy::ClassTree::Node& at(const taxonomy::ClassTree& tree, NodeId node) {
  return tree.nodes[static_cast<std::size_t>(node)];
}

NodeId leaf_of(const taxonomy::ClassTree& tree, std::int32_t label) {
  const auto index = static_cast<std::size_t>(label);
  return label < 0 || index >= tree.leaf_of.size() ? taxonomy::ClassTree::kNone : tree.leaf_of[index];
}

bool has_sibling(const taxonomy::ClassTree& tree, std::int32_t label) {
  const auto leaf = leaf_of(tree, label);
  return leaf != taxonomy::ClassTree::kNone && at(tree, leaf).parent != taxonomy::ClassTree::kNone;
}

class SemanticModel final : public TargetModel {
 public:
  SemanticModel(std::shared_ptr<const taxonomy::ClassTree> tree, InnerStep step)
      : tree_(std::move(tree)), leaves_(*tree_), step_(step), place_(tree_->nodes.size(), 0) {
    for (const auto& node : tree_->nodes) {
      for (std::size_t i = 0; i < node.children.size(); ++i)
        place_[static_cast<std::size_t>(node.children[i])] = i;
    }
  }

  std::int32_t draw(std::int64_t, std::int32_t label, Draws draws) const override {
    if (!has_sibling(*tree_, label)) return kUnlabelled;
    const auto leaf = leaf_of(*tree_, label);
    const auto& siblings = at(*tree_, at(*tree_, leaf).parent).children;
    auto index = static_cast<std::size_t>(draws.below(siblings.size() - 1));
    if (index >= place_[static_cast<std::size_t>(leaf)]) ++index;
    return step_ == InnerStep::kDescend ? descend(siblings[index], draws) : any_leaf(siblings[index], draws);
  }
  bool has_target(std::int32_t label) const override { return has_sibling(*tree_, label); }

 private:
  std::int32_t descend(NodeId node, Draws& draws) const {
    while (!at(*tree_, node).children.empty()) {
      const auto& children = at(*tree_, node).children;
      node = children[static_cast<std::size_t>(draws.below(children.size()))];
    }
    return at(*tree_, node).label;
  }
  std::int32_t any_leaf(NodeId node, Draws& draws) const {
    const auto count = leaves_.count(node);
    const auto offset = count == 1 ? 0 : static_cast<std::size_t>(draws.below(count));
    return leaves_.labels[leaves_.begin[static_cast<std::size_t>(node)] + offset];
  }

  std::shared_ptr<const taxonomy::ClassTree> tree_;
  LeafOrder leaves_;
  InnerStep step_;
  std::vector<std::size_t> place_;  // node → its place among its parent's children
};

class SuperclassModel final : public TargetModel {
 public:
  SuperclassModel(std::shared_ptr<const taxonomy::ClassTree> tree, std::int32_t level)
      : tree_(std::move(tree)), leaves_(*tree_), group_(tree_->nodes.size(), taxonomy::ClassTree::kNone) {
    std::vector<std::int32_t> depth(tree_->nodes.size(), 0);
    for (std::size_t node = 1; node < tree_->nodes.size(); ++node) {
      const auto parent = static_cast<std::size_t>(tree_->nodes[node].parent);
      depth[node] = depth[parent] + 1;
      if (depth[node] == level) group_[node] = static_cast<NodeId>(node);
      if (depth[node] > level) group_[node] = group_[parent];
    }
  }

  std::int32_t draw(std::int64_t, std::int32_t label, Draws draws) const override {
    if (!has_target(label)) return kUnlabelled;
    const auto leaf = static_cast<std::size_t>(leaf_of(*tree_, label));
    const auto group = group_[leaf];
    auto position = leaves_.begin[static_cast<std::size_t>(group)] +
                    static_cast<std::size_t>(draws.below(leaves_.count(group) - 1));
    if (position >= leaves_.begin[leaf]) ++position;
    return leaves_.labels[position];
  }
  bool has_target(std::int32_t label) const override {
    const auto leaf = leaf_of(*tree_, label);
    if (leaf == taxonomy::ClassTree::kNone) return false;
    const auto group = group_[static_cast<std::size_t>(leaf)];
    return group != taxonomy::ClassTree::kNone && leaves_.count(group) >= 2;
  }

 private:
  std::shared_ptr<const taxonomy::ClassTree> tree_;
  LeafOrder leaves_;
  std::vector<NodeId> group_;  // node → its ancestor at the level
};

// Sums of exp(−d/T) over the leaves below each node make a draw a walk: up to the turning point, then down.
class DistanceModel final : public TargetModel {
 public:
  DistanceModel(std::shared_ptr<const taxonomy::ClassTree> tree, double temperature)
      : tree_(std::move(tree)), temperature_(temperature), log_weight_(tree_->nodes.size(), 0.0) {
    for (std::size_t node = tree_->nodes.size(); node-- > 0;) {
      const auto& children = tree_->nodes[node].children;
      if (children.empty()) continue;
      std::vector<double> below;
      for (const auto child : children) below.push_back(log_step_down(child));
      log_weight_[node] = log_sum(below);
    }
  }

  std::int32_t draw(std::int64_t, std::int32_t label, Draws draws) const override {
    if (!has_sibling(*tree_, label)) return kUnlabelled;
    // Every child on the way up that is not on the way itself, with the weight of all leaves below it.
    std::vector<NodeId> turns;
    std::vector<double> logs;
    double up = 0;
    for (auto node = leaf_of(*tree_, label); at(*tree_, node).parent != taxonomy::ClassTree::kNone;) {
      const auto parent = at(*tree_, node).parent;
      up -= 1 / temperature_;
      for (const auto child : at(*tree_, parent).children) {
        if (child == node) continue;
        turns.push_back(child);
        logs.push_back(up + log_step_down(child));
      }
      node = parent;
    }
    auto node = turns[choose(logs, draws.uniform())];
    while (!at(*tree_, node).children.empty()) {
      const auto& children = at(*tree_, node).children;
      logs.clear();
      for (const auto child : children) logs.push_back(log_step_down(child));
      node = children[choose(logs, draws.uniform())];
    }
    return at(*tree_, node).label;
  }
  bool has_target(std::int32_t label) const override { return has_sibling(*tree_, label); }

 private:
  double log_step_down(NodeId child) const {
    return log_weight_[static_cast<std::size_t>(child)] - 1 / temperature_;
  }

  static double log_sum(const std::vector<double>& logs) {
    const double largest = *std::max_element(logs.begin(), logs.end());
    double sum = 0;
    for (const auto value : logs) sum += std::exp(value - largest);
    return largest + std::log(sum);
  }

  static std::size_t choose(const std::vector<double>& logs, double draw) {
    const double largest = *std::max_element(logs.begin(), logs.end());
    double sum = 0;
    for (const auto value : logs) sum += std::exp(value - largest);
    double left = draw * sum;
    std::size_t last = 0;
    for (std::size_t i = 0; i < logs.size(); ++i) {
      const double weight = std::exp(logs[i] - largest);
      if (weight > 0) last = i;
      if (left < weight) return i;
      left -= weight;
    }
    return last;
  }

  std::shared_ptr<const taxonomy::ClassTree> tree_;
  double temperature_;
  std::vector<double> log_weight_;  // by node: log Σ exp(−edges / T) over the leaves below
};

}  // namespace

std::unique_ptr<TargetModel> make_semantic_model(std::shared_ptr<const taxonomy::ClassTree> tree,
                                                 InnerStep step) {
  return std::make_unique<SemanticModel>(std::move(tree), step);
}

std::unique_ptr<TargetModel> make_superclass_model(std::shared_ptr<const taxonomy::ClassTree> tree,
                                                   std::int32_t level) {
  return std::make_unique<SuperclassModel>(std::move(tree), level);
}

std::unique_ptr<TargetModel> make_distance_model(std::shared_ptr<const taxonomy::ClassTree> tree,
                                                 double temperature) {
  return std::make_unique<DistanceModel>(std::move(tree), temperature);
}

}  // namespace procsim::noise
