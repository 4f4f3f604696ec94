#include "taxonomy/tree/taxonomy.hpp"

#include <algorithm>
#include <array>
#include <limits>
#include <numeric>
#include <unordered_map>
#include <utility>

#include <boost/graph/adjacency_list.hpp>
#include <boost/graph/depth_first_search.hpp>
#include <fmt/format.h>

#include "data/base/digest.hpp"
#include "data/base/error.hpp"
#include "data/base/number.hpp"
#include "data/base/suggest.hpp"
#include "data/base/utf8.hpp"

namespace procsim::taxonomy {
namespace {

constexpr std::array<std::pair<Resolution, std::string_view>, 7> kResolutions{{
    {Resolution::kFullName, "full-name"},
    {Resolution::kSuffix, "suffix"},
    {Resolution::kHeadNoun, "head-noun"},
    {Resolution::kOverride, "override"},
    {Resolution::kCategory, "category"},
    {Resolution::kImported, "imported"},
    {Resolution::kUnresolved, "unresolved"},
}};

using Graph = boost::adjacency_list<boost::vecS, boost::vecS, boost::directedS>;

// Lists of indices, one after the other: list i is values[starts[i]] … values[starts[i + 1]].
struct IndexLists {
  std::vector<std::size_t> starts;
  std::vector<NodeIndex> values;

  std::span<const NodeIndex> at(NodeIndex i) const {
    return std::span(values).subspan(starts[i], starts[i + 1] - starts[i]);
  }
};

// `pairs` are (list, value); values keep the order of the pairs.
IndexLists make_lists(std::size_t lists, const std::vector<std::pair<NodeIndex, NodeIndex>>& pairs) {
  IndexLists made;
  made.starts.assign(lists + 1, 0);
  for (const auto& pair : pairs) ++made.starts[pair.first + 1];
  std::partial_sum(made.starts.begin(), made.starts.end(), made.starts.begin());
  made.values.resize(pairs.size());
  auto next = made.starts;
  for (const auto& pair : pairs) made.values[next[pair.first]++] = pair.second;
  return made;
}

std::string name_cycle(const TaxonomyParts& parts, const std::vector<NodeIndex>& cycle) {
  constexpr std::size_t kMostNamed = 12;
  std::string text;
  for (std::size_t i = 0; i < cycle.size(); ++i) {
    if (i == kMostNamed) {
      text += fmt::format("… ({} more) → ", cycle.size() - i);
      break;
    }
    text += parts.nodes[cycle[i]].id + " → ";
  }
  return text + parts.nodes[cycle.front()].id;
}

// Walks from children to parents. Nodes finish after everything above them, so `order` has parents first.
class ParentsFirst : public boost::default_dfs_visitor {
 public:
  ParentsFirst(const TaxonomyParts& parts, std::vector<NodeIndex>& order, std::vector<NodeIndex>& path)
      : parts_(parts), order_(order), path_(path) {}

  void discover_vertex(NodeIndex node, const Graph&) { path_.push_back(node); }
  void finish_vertex(NodeIndex node, const Graph&) {
    path_.pop_back();
    order_.push_back(node);
  }
  void back_edge(Graph::edge_descriptor edge, const Graph& graph) {
    const auto start = std::find(path_.begin(), path_.end(), static_cast<NodeIndex>(target(edge, graph)));
    throw Error(fmt::format("the taxonomy has a cycle: {}", name_cycle(parts_, {start, path_.end()})));
  }

 private:
  const TaxonomyParts& parts_;
  std::vector<NodeIndex>& order_;
  std::vector<NodeIndex>& path_;  // outside, since the search copies its visitor
};

// Nodes with parents before children. Throws Error that names the cycle where there is one.
std::vector<NodeIndex> parents_first(const TaxonomyParts& parts) {
  Graph graph(parts.nodes.size());
  for (const auto& edge : parts.edges) add_edge(edge.child, edge.parent, graph);
  std::vector<NodeIndex> order, path;
  order.reserve(parts.nodes.size());
  boost::depth_first_search(graph, boost::visitor(ParentsFirst(parts, order, path)));
  return order;
}

void check_text(const TaxonomyParts& parts) {
  const auto check = [](std::string_view text, const std::string& what) {
    if (!is_utf8(text)) throw Error(fmt::format("{} is not UTF-8 text. Convert it to UTF-8.", what));
  };
  check(parts.dataset, "the data set's name");
  for (std::size_t i = 0; i < parts.nodes.size(); ++i) {
    const auto& node = parts.nodes[i];
    if (node.id.empty()) throw Error(fmt::format("node {} has no id", i));
    check(node.id, fmt::format("the id of node {}", i));
    for (const auto* text : {&node.name, &node.gloss, &node.sense_key})
      check(*text, fmt::format("node '{}'", node.id));
  }
  for (std::size_t i = 0; i < parts.classes.size(); ++i) {
    const auto& c = parts.classes[i];
    for (const auto* text : {&c.name, &c.published, &c.node, &c.matched, &c.reason, &c.doubt}) {
      check(*text, fmt::format("class {}", i));
    }
  }
}

void check_shape(const TaxonomyParts& parts) {
  constexpr auto kMost = static_cast<std::size_t>(std::numeric_limits<std::int32_t>::max()) / 2;
  if (parts.nodes.empty()) throw Error("the taxonomy has no nodes");
  if (parts.nodes.size() > kMost || parts.classes.size() > kMost)
    throw Error("the taxonomy has too many nodes");
  if (parts.tree_parent.size() != parts.nodes.size()) {
    throw Error(fmt::format("{} nodes but {} tree parents", parts.nodes.size(), parts.tree_parent.size()));
  }
  for (const auto& edge : parts.edges) {
    if (edge.child >= parts.nodes.size() || edge.parent >= parts.nodes.size()) {
      throw Error(fmt::format("edge {} → {} names a node that does not exist ({} nodes)", edge.child,
                              edge.parent, parts.nodes.size()));
    }
  }
  for (const auto& parent : parts.tree_parent) {
    if (parent && *parent >= parts.nodes.size()) {
      throw Error(fmt::format("tree parent {} does not exist ({} nodes)", *parent, parts.nodes.size()));
    }
  }
}

// The same taxonomy with its nodes in order of their ids and its edges in order, each once.
TaxonomyParts canonical(TaxonomyParts parts) {
  std::vector<NodeIndex> by_id(parts.nodes.size());
  std::iota(by_id.begin(), by_id.end(), NodeIndex{0});
  std::stable_sort(by_id.begin(), by_id.end(),
                   [&](NodeIndex a, NodeIndex b) { return parts.nodes[a].id < parts.nodes[b].id; });
  std::vector<NodeIndex> moved(by_id.size());
  std::vector<TaxonomyNode> nodes(by_id.size());
  std::vector<std::optional<NodeIndex>> tree_parent(by_id.size());
  for (NodeIndex to = 0; to < by_id.size(); ++to) moved[by_id[to]] = to;
  for (NodeIndex to = 0; to < by_id.size(); ++to) {
    nodes[to] = std::move(parts.nodes[by_id[to]]);
    const auto parent = parts.tree_parent[by_id[to]];
    if (parent) tree_parent[to] = moved[*parent];
    if (to > 0 && nodes[to].id == nodes[to - 1].id) {
      throw Error(fmt::format("two nodes have the id '{}'. Ids must be unique.", nodes[to].id));
    }
  }
  parts.nodes = std::move(nodes);
  parts.tree_parent = std::move(tree_parent);
  for (auto& edge : parts.edges) edge = {moved[edge.child], moved[edge.parent]};
  const auto key = [](const TaxonomyParts::Edge& edge) { return std::pair(edge.child, edge.parent); };
  std::ranges::sort(parts.edges, {}, key);
  const auto repeated = std::ranges::unique(parts.edges, {}, key);
  parts.edges.erase(repeated.begin(), repeated.end());
  return parts;
}

NodeIndex find_root(const TaxonomyParts& parts) {
  std::optional<NodeIndex> root;
  for (NodeIndex i = 0; i < parts.nodes.size(); ++i) {
    if (parts.tree_parent[i]) continue;
    if (root) {
      throw Error(fmt::format("the taxonomy has two roots, '{}' and '{}'. Give one of them a parent.",
                              parts.nodes[*root].id, parts.nodes[i].id));
    }
    root = i;
  }
  if (!root) throw Error("the taxonomy has no root: every node has a parent");
  return *root;
}

}  // namespace

std::string_view to_string(Resolution how) {
  for (const auto& [value, text] : kResolutions) {
    if (value == how) return text;
  }
  return "unresolved";
}

Resolution resolution_from_string(std::string_view text) {
  std::vector<std::string> known;
  for (const auto& [value, name] : kResolutions) {
    if (name == text) return value;
    known.emplace_back(name);
  }
  throw Error(fmt::format("unknown resolution '{}'{}", text, did_you_mean(text, known)));
}

struct Taxonomy::State {
  TaxonomyParts parts;
  NodeIndex root = 0;
  IndexLists parents;                // graph
  IndexLists children;               // tree, leaves included
  std::vector<NodeIndex> leaf_node;  // label → node that the class hangs from
  std::vector<std::uint32_t> depth;  // nodes
  // Classes in the order in which the tree meets them: those below a node are one stretch.
  std::vector<std::int32_t> met;
  std::vector<std::pair<std::uint32_t, std::uint32_t>> stretch;  // a node each
  struct Named {
    std::int32_t label = 0;
    std::int32_t again = -1;  // another class of the same name
  };
  std::unordered_map<std::string_view, Named> by_name, by_published;

  void index_classes();
  void lay_tree(const std::vector<NodeIndex>& order);
};

void Taxonomy::State::index_classes() {
  const auto remember = [](auto& names, std::string_view name, std::int32_t label) {
    const auto [found, added] = names.try_emplace(name, Named{label, -1});
    if (!added) found->second.again = label;
  };
  leaf_node.reserve(parts.classes.size());
  for (std::size_t i = 0; i < parts.classes.size(); ++i) {
    const auto& c = parts.classes[i];
    const auto found = std::ranges::lower_bound(parts.nodes, c.node, {}, &TaxonomyNode::id);
    if (found == parts.nodes.end() || found->id != c.node) {
      throw Error(fmt::format("class {} ('{}') hangs from '{}', which is not a node", i, c.name, c.node));
    }
    leaf_node.push_back(static_cast<NodeIndex>(found - parts.nodes.begin()));
    const auto label = static_cast<std::int32_t>(i);
    remember(by_name, c.name, label);
    if (!c.published.empty()) remember(by_published, c.published, label);
  }
}

void Taxonomy::State::lay_tree(const std::vector<NodeIndex>& order) {
  const auto nodes = static_cast<NodeIndex>(parts.nodes.size());
  std::vector<std::pair<NodeIndex, NodeIndex>> pairs;
  pairs.reserve(nodes + leaf_node.size());
  for (NodeIndex i = 0; i < nodes; ++i) {
    if (parts.tree_parent[i]) pairs.emplace_back(*parts.tree_parent[i], i);
  }
  for (NodeIndex label = 0; label < leaf_node.size(); ++label)
    pairs.emplace_back(leaf_node[label], nodes + label);
  children = make_lists(nodes, pairs);

  // How many classes lie below each node, from the bottom; then where each node's stretch begins, from the
  // top.
  depth.assign(nodes, 0);
  std::vector<std::uint32_t> below(nodes, 0);
  for (const auto node : leaf_node) ++below[node];
  for (auto node = order.rbegin(); node != order.rend(); ++node) {
    if (parts.tree_parent[*node]) below[*parts.tree_parent[*node]] += below[*node];
  }
  stretch.assign(nodes, {0, 0});
  met.resize(leaf_node.size());
  stretch[root] = {0, below[root]};
  for (const auto node : order) {
    if (parts.tree_parent[node]) depth[node] = depth[*parts.tree_parent[node]] + 1;
    auto next = stretch[node].first;
    for (const auto child : children.at(node)) {
      if (child >= nodes) {
        met[next++] = static_cast<std::int32_t>(child - nodes);
      } else {
        stretch[child] = {next, next + below[child]};
        next += below[child];
      }
    }
  }
}

Taxonomy::Taxonomy(TaxonomyParts parts) : state_(std::make_unique<State>()) {
  check_shape(parts);
  check_text(parts);
  state_->parts = canonical(std::move(parts));
  const auto& kept = state_->parts;

  std::vector<std::pair<NodeIndex, NodeIndex>> pairs;
  pairs.reserve(kept.edges.size());
  for (const auto& edge : kept.edges) pairs.emplace_back(edge.child, edge.parent);
  state_->parents = make_lists(kept.nodes.size(), pairs);
  const auto order =
      parents_first(kept);  // before the root: a cycle that is named helps more than a missing root
  state_->root = find_root(kept);
  for (NodeIndex i = 0; i < kept.nodes.size(); ++i) {
    if (kept.tree_parent[i] && !std::ranges::binary_search(state_->parents.at(i), *kept.tree_parent[i])) {
      throw Error(fmt::format("the tree puts '{}' below '{}', but the graph has no such edge",
                              kept.nodes[i].id, kept.nodes[*kept.tree_parent[i]].id));
    }
  }
  state_->index_classes();
  state_->lay_tree(order);
}

Taxonomy::~Taxonomy() = default;
Taxonomy::Taxonomy(Taxonomy&&) noexcept = default;
Taxonomy& Taxonomy::operator=(Taxonomy&&) noexcept = default;

std::string Taxonomy::digest() const { return sha256_hex(to_json()); }
const std::string& Taxonomy::dataset() const { return state_->parts.dataset; }
NodeIndex Taxonomy::node_count() const { return static_cast<NodeIndex>(state_->parts.nodes.size()); }
std::int32_t Taxonomy::class_count() const { return static_cast<std::int32_t>(state_->parts.classes.size()); }
const TaxonomyNode& Taxonomy::node(NodeIndex node) const { return state_->parts.nodes[node]; }
std::span<const TaxonomyClass> Taxonomy::classes() const { return state_->parts.classes; }
NodeIndex Taxonomy::root() const { return state_->root; }
const TaxonomyParts& Taxonomy::parts() const { return state_->parts; }

const TaxonomyClass& Taxonomy::class_at(std::int32_t label) const {
  return state_->parts.classes[static_cast<std::size_t>(label)];
}

std::string_view Taxonomy::display_name(NodeIndex node) const {
  if (is_leaf(node)) return class_at(label_of_leaf(node)).name;
  const auto& found = state_->parts.nodes[node];
  return found.name.empty() ? found.id : found.name;
}

std::optional<NodeIndex> Taxonomy::parent(NodeIndex node) const {
  if (is_leaf(node)) return state_->leaf_node[node - node_count()];
  return state_->parts.tree_parent[node];
}

std::span<const NodeIndex> Taxonomy::children(NodeIndex node) const {
  if (is_leaf(node)) return {};
  return state_->children.at(node);
}

std::span<const NodeIndex> Taxonomy::parents(NodeIndex node) const { return state_->parents.at(node); }

std::uint32_t Taxonomy::depth(NodeIndex node) const {
  if (is_leaf(node)) return state_->depth[state_->leaf_node[node - node_count()]] + 1;
  return state_->depth[node];
}

std::vector<std::int32_t> Taxonomy::classes_below(NodeIndex node) const {
  if (is_leaf(node)) return {label_of_leaf(node)};
  const auto [first, last] = state_->stretch[node];
  std::vector<std::int32_t> labels(state_->met.begin() + first, state_->met.begin() + last);
  std::ranges::sort(labels);
  return labels;
}

std::int32_t Taxonomy::class_count_below(NodeIndex node) const {
  if (is_leaf(node)) return 1;
  return static_cast<std::int32_t>(state_->stretch[node].second - state_->stretch[node].first);
}

std::optional<NodeIndex> Taxonomy::find_node(std::string_view id) const {
  const auto& nodes = state_->parts.nodes;
  const auto found = std::ranges::lower_bound(
      nodes, id, {}, [](const TaxonomyNode& node) -> std::string_view { return node.id; });
  if (found == nodes.end() || found->id != id) return std::nullopt;
  return static_cast<NodeIndex>(found - nodes.begin());
}

std::int32_t Taxonomy::find_class(std::string_view name) const {
  const auto named = state_->by_name.find(name);
  if (named != state_->by_name.end() && named->second.again < 0) return named->second.label;
  const auto published = state_->by_published.find(name);
  if (published != state_->by_published.end() && published->second.again < 0) return published->second.label;
  if (named != state_->by_name.end() || published != state_->by_published.end()) {
    const auto& both = named != state_->by_name.end() ? named->second : published->second;
    throw Error(fmt::format(
        "'{}' is the name of several classes, labels {} and {} among them. Use the label instead.", name,
        both.label, both.again));
  }
  if (const auto label = parse_number<std::int32_t>(name)) {
    if (*label >= 0 && *label < class_count()) return *label;
    throw Error(fmt::format("there is no class {}: labels go from 0 to {}", name, class_count() - 1));
  }
  std::vector<std::string> known;
  for (const auto& c : classes()) {
    known.push_back(c.name);
    if (c.published != c.name) known.push_back(c.published);
  }
  throw Error(fmt::format("unknown class '{}'{}", name, did_you_mean(name, known)));
}

}  // namespace procsim::taxonomy
