#include "taxonomy/import/imported_tree.hpp"

#include <algorithm>
#include <cctype>
#include <optional>
#include <unordered_map>
#include <unordered_set>
#include <utility>

#include <fmt/format.h>

#include "data/base/error.hpp"
#include "data/base/suggest.hpp"
#include "data/base/words.hpp"

namespace procsim::taxonomy {
namespace {

using Node = ImportedTree::Node;

std::string shown_name(const Node& node) { return node.name.empty() ? node.id : node.name; }

// Gives every node an id: its own, or one made of the data set and its name, with the parent's where that is
// taken.
void name_nodes(ImportedTree& tree, const std::string& dataset) {
  std::unordered_set<std::string> taken;
  for (const auto& node : tree.nodes) {
    if (!node.id.empty() && !taken.insert(node.id).second) {
      throw Error(fmt::format("two nodes have the id '{}'. Ids must be unique.", node.id));
    }
  }
  std::unordered_map<std::string, std::size_t> next_copy;  // by name: thousands may share one
  for (std::size_t i = 0; i < tree.nodes.size(); ++i) {
    auto& node = tree.nodes[i];
    if (!node.id.empty()) continue;
    auto id =
        node.name.empty() ? fmt::format("{}:#{}", dataset, i) : fmt::format("{}:{}", dataset, node.name);
    if (taken.count(id) > 0 && !node.parents.empty()) {
      id = fmt::format("{}:{}/{}", dataset, shown_name(tree.nodes[node.parents.front()]), node.name);
    }
    for (auto& copy = next_copy.try_emplace(node.name, 2).first->second; taken.count(id) > 0; ++copy)
      id = fmt::format("{}:{}~{}", dataset, node.name, copy);
    taken.insert(id);
    node.id = std::move(id);
  }
}

// One root for all.
std::size_t find_or_make_root(ImportedTree& tree, const std::string& dataset,
                              std::vector<std::string>& notes) {
  std::vector<std::size_t> roots;
  for (std::size_t i = 0; i < tree.nodes.size(); ++i) {
    if (tree.nodes[i].parents.empty()) roots.push_back(i);
  }
  if (roots.size() == 1) return roots.front();
  if (roots.empty()) return 0;  // a cycle: Taxonomy says which
  notes.push_back(
      fmt::format("{} nodes have no parent; they are below a root called '{}'", roots.size(), dataset));
  const auto root = tree.nodes.size();
  tree.nodes.push_back({"", dataset, "", {}});
  for (const auto top : roots) tree.nodes[top].parents.push_back(root);
  return root;
}

std::vector<bool> find_leaves(const ImportedTree& tree, std::size_t root) {
  std::vector<bool> is_leaf(tree.nodes.size(), true);
  for (const auto& node : tree.nodes) {
    for (const auto parent : node.parents) is_leaf[parent] = false;
  }
  is_leaf[root] = is_leaf[root] && tree.nodes.size() > 1;
  return is_leaf;
}

// Finds the node of a wanted class. Leaves win over inner nodes, exact names over comparable ones.
class NodeFinder {
 public:
  NodeFinder(const ImportedTree& tree, const std::vector<bool>& is_leaf) : tree_(tree), is_leaf_(is_leaf) {
    for (std::size_t i = 0; i < tree.nodes.size(); ++i) {
      exact_[tree.nodes[i].id].push_back(i);
      if (tree.nodes[i].name != tree.nodes[i].id) exact_[tree.nodes[i].name].push_back(i);
      comparable_[comparable_name(shown_name(tree.nodes[i]))].push_back(i);
      names_.push_back(shown_name(tree.nodes[i]));
    }
  }

  std::optional<std::size_t> find(const WantedClass& wanted) const {
    for (const auto& name : {wanted.published, wanted.name}) {
      if (name.empty()) continue;
      if (const auto node = best(exact_, name, wanted)) return node;
    }
    for (const auto& name : {wanted.name, wanted.published}) {
      if (const auto node = best(comparable_, comparable_name(name), wanted)) return node;
    }
    return std::nullopt;
  }

  std::string suggestion(const WantedClass& wanted) const { return did_you_mean(wanted.name, names_); }

 private:
  using Index = std::unordered_map<std::string, std::vector<std::size_t>>;

  std::optional<std::size_t> best(const Index& index, const std::string& name,
                                  const WantedClass& wanted) const {
    const auto found = index.find(name);
    if (found == index.end() || name.empty()) return std::nullopt;
    std::vector<std::size_t> candidates;
    std::ranges::copy_if(found->second, std::back_inserter(candidates),
                         [&](std::size_t i) { return is_leaf_[i]; });
    if (candidates.empty()) candidates = found->second;
    if (candidates.size() == 1) return candidates.front();
    throw Error(fmt::format(
        "class '{}' fits several nodes of the tree, '{}' and '{}' among them. Give the nodes ids that "
        "are the published class names.",
        wanted.name, tree_.nodes[candidates[0]].id, tree_.nodes[candidates[1]].id));
  }

  const ImportedTree& tree_;
  const std::vector<bool>& is_leaf_;
  Index exact_, comparable_;
  std::vector<std::string> names_;
};

struct PlacedClass {
  WantedClass wanted;
  std::optional<std::size_t> node;  // none: missing from the tree
};

std::vector<PlacedClass> place_wanted(const ImportedTree& tree, const std::vector<bool>& is_leaf,
                                      std::span<const WantedClass> wanted, Missing missing,
                                      std::vector<std::string>& notes) {
  const NodeFinder finder(tree, is_leaf);
  constexpr std::size_t kNamed = 5;
  std::vector<PlacedClass> placed;
  std::vector<std::string> absent;
  for (const auto& one : wanted) {
    placed.push_back({one, finder.find(one)});
    if (placed.back().node) continue;
    // A suggestion looks at every name of the tree: only for those that are named.
    absent.push_back(fmt::format("'{}'{}", one.name, absent.size() < kNamed ? finder.suggestion(one) : ""));
  }
  if (absent.empty()) return placed;
  const auto list = first_few(absent, kNamed);
  if (missing == Missing::kRefuse) {
    throw Error(fmt::format("{} of {} classes are not in the tree: {}. Add them, or give --allow-missing.",
                            absent.size(), wanted.size(), list));
  }
  notes.push_back(fmt::format("{} of {} classes are not in the tree and hang from its root: {}",
                              absent.size(), wanted.size(), list));
  return placed;
}

std::vector<PlacedClass> place_leaves(const ImportedTree& tree, const std::vector<bool>& is_leaf) {
  std::vector<PlacedClass> placed;
  for (std::size_t i = 0; i < tree.nodes.size(); ++i) {
    if (!is_leaf[i] && tree.nodes.size() > 1) continue;
    placed.push_back({{shown_name(tree.nodes[i]), tree.nodes[i].id}, i});
  }
  return placed;
}

}  // namespace

std::string comparable_name(std::string_view name) {
  const auto digits = name.find_first_not_of("0123456789");
  if (digits != std::string_view::npos && digits > 0 && name[digits] == '.') name.remove_prefix(digits + 1);
  std::string result;
  for (const char c : name) {
    const bool is_gap = c == '_' || c == '-' || std::isspace(static_cast<unsigned char>(c)) != 0;
    if (!is_gap) {
      result += lower_case(c);
    } else if (!result.empty() && result.back() != ' ') {
      result += ' ';
    }
  }
  if (!result.empty() && result.back() == ' ') result.pop_back();
  return result;
}

Taxonomy adopt_tree(ImportedTree tree, const std::string& dataset, std::span<const WantedClass> wanted,
                    Missing missing, std::vector<std::string>& notes) {
  if (tree.nodes.empty()) throw Error("the tree has no nodes");
  const auto root = find_or_make_root(tree, dataset, notes);
  const auto is_leaf = find_leaves(tree, root);
  std::vector<bool> has_own_id(tree.nodes.size());
  for (std::size_t i = 0; i < tree.nodes.size(); ++i) has_own_id[i] = !tree.nodes[i].id.empty();
  name_nodes(tree, dataset);
  const auto placed =
      wanted.empty() ? place_leaves(tree, is_leaf) : place_wanted(tree, is_leaf, wanted, missing, notes);

  // A leaf of the file that became a class is the class, not a node above it; but a class has one parent
  // only.
  std::vector<bool> is_absorbed(tree.nodes.size(), false);
  for (const auto& one : placed) {
    if (one.node && is_leaf[*one.node] && tree.nodes[*one.node].parents.size() == 1)
      is_absorbed[*one.node] = true;
  }
  TaxonomyParts parts;
  parts.dataset = dataset;
  std::vector<NodeIndex> moved(tree.nodes.size(), 0);
  for (std::size_t i = 0; i < tree.nodes.size(); ++i) {
    if (is_absorbed[i]) continue;
    moved[i] = static_cast<NodeIndex>(parts.nodes.size());
    parts.nodes.push_back({tree.nodes[i].id, shown_name(tree.nodes[i]), tree.nodes[i].gloss, ""});
  }
  for (std::size_t i = 0; i < tree.nodes.size(); ++i) {
    if (is_absorbed[i]) continue;
    const auto& parents = tree.nodes[i].parents;
    parts.tree_parent.push_back(parents.empty() ? std::nullopt : std::optional(moved[parents.front()]));
    for (const auto parent : parents) parts.edges.push_back({moved[i], moved[parent]});
  }
  for (const auto& one : placed) {
    const auto node = one.node.value_or(root);
    const auto hangs_from = is_absorbed[node] ? tree.nodes[node].parents.front() : node;
    TaxonomyClass c{one.wanted.name,       one.wanted.published,         tree.nodes[hangs_from].id,
                    Resolution::kImported, shown_name(tree.nodes[node]), ""};
    if (!one.node) {
      c.how = Resolution::kUnresolved;
      c.matched.clear();
      c.reason = "not in the imported tree";
    } else if (wanted.empty() && !has_own_id[node]) {
      c.published = c.name;
    }
    parts.classes.push_back(std::move(c));
  }
  return Taxonomy(std::move(parts));
}

bool is_taxonomy_file(std::string_view json) {
  // Our files begin with their format; anything else is read as a nested tree.
  constexpr std::size_t kBeginning = 200;
  const auto beginning = json.substr(0, kBeginning);
  const auto key = beginning.find("\"format\"");
  return key != std::string_view::npos && beginning.find("\"taxonomy\"", key) != std::string_view::npos;
}

Taxonomy adopt_taxonomy(TaxonomyParts parts, std::span<const WantedClass> wanted, Missing missing,
                        std::vector<std::string>& notes) {
  const Taxonomy whole(parts);
  if (wanted.empty()) return Taxonomy(std::move(parts));
  ImportedTree tree;  // nodes as they are, classes as leaves below them
  for (NodeIndex i = 0; i < whole.node_count(); ++i)
    tree.nodes.push_back({whole.node(i).id, whole.node(i).name, "", {}});
  for (const auto& c : whole.classes()) {
    tree.nodes.push_back({c.published, c.name, "", {*whole.find_node(c.node)}});
  }
  std::vector<bool> is_leaf(tree.nodes.size(), false);
  std::fill(is_leaf.begin() + whole.node_count(), is_leaf.end(), true);
  const auto placed = place_wanted(tree, is_leaf, wanted, missing, notes);
  parts.classes.clear();
  for (const auto& one : placed) {
    if (one.node && *one.node >= whole.node_count()) {
      auto c = whole.class_at(whole.label_of_leaf(static_cast<NodeIndex>(*one.node)));
      c.name = one.wanted.name;
      c.published = one.wanted.published;
      parts.classes.push_back(std::move(c));
    } else {
      const auto node = one.node ? static_cast<NodeIndex>(*one.node) : whole.root();
      parts.classes.push_back({one.wanted.name, one.wanted.published, whole.node(node).id,
                               one.node ? Resolution::kImported : Resolution::kUnresolved,
                               one.node ? whole.node(node).name : std::string{},
                               one.node ? std::string{} : std::string("not in the imported tree")});
    }
  }
  return Taxonomy(std::move(parts));
}

}  // namespace procsim::taxonomy
