#include "taxonomy/tree/check.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>
#include <unordered_map>
#include <utility>

#include <boost/graph/adjacency_list.hpp>
#include <boost/graph/strong_components.hpp>
#include <fmt/format.h>

#include "data/base/words.hpp"
#include "taxonomy/tree/class_tree.hpp"

namespace procsim::taxonomy {
namespace {

using Severity = Finding::Severity;
using Graph = boost::adjacency_list<boost::vecS, boost::vecS, boost::directedS>;

std::string some(const std::vector<std::string>& names) { return first_few(names, 6); }

std::string count(std::size_t number, std::string_view one, std::string_view many) {
  return fmt::format("{} {}", number, number == 1 ? one : many);
}

void find_cycles(const TaxonomyParts& parts, std::vector<Finding>& found) {
  Graph graph(parts.nodes.size());
  for (const auto& edge : parts.edges) {
    if (edge.child == edge.parent) {
      found.push_back({Severity::kDefect,
                       "cycle",
                       fmt::format("'{}' is its own parent", parts.nodes[edge.child].id),
                       {parts.nodes[edge.child].id}});
    }
    add_edge(edge.child, edge.parent, graph);
  }
  std::vector<int> component(parts.nodes.size(), 0);
  const auto components = static_cast<std::size_t>(boost::strong_components(graph, component.data()));
  std::vector<std::vector<std::string>> members(components);
  for (std::size_t i = 0; i < component.size(); ++i) {
    members[static_cast<std::size_t>(component[i])].push_back(parts.nodes[i].id);
  }
  std::ranges::sort(members);
  for (auto& ids : members) {
    if (ids.size() < 2) continue;
    std::ranges::sort(ids);
    auto message = fmt::format("these nodes are above and below each other: {}", some(ids));
    found.push_back({Severity::kDefect, "cycle", std::move(message), std::move(ids)});
  }
}

// A node is an orphan when its way up does not end at the root. The root is the node without a parent that
// has the most nodes below it.
void find_orphans(const TaxonomyParts& parts, std::vector<Finding>& found) {
  const auto nodes = parts.nodes.size();
  constexpr auto kUnknown = static_cast<NodeIndex>(-1), kNowhere = static_cast<NodeIndex>(-2);
  std::vector<NodeIndex> top(nodes, kUnknown);
  std::vector<std::size_t> below(nodes, 0);
  for (NodeIndex start = 0; start < nodes; ++start) {
    std::vector<NodeIndex> way;
    auto node = start;
    while (top[node] == kUnknown) {
      top[node] = kNowhere;  // so that a cycle ends the climb
      way.push_back(node);
      if (!parts.tree_parent[node]) {
        top[node] = node;
        break;
      }
      node = *parts.tree_parent[node];
    }
    for (const auto passed : way) top[passed] = top[node];
    if (top[start] != kNowhere) ++below[top[start]];
  }
  const auto largest = std::ranges::max_element(below);
  if (largest == below.end() || *largest == 0) {
    found.push_back({Severity::kDefect, "no-root", "no node is without a parent: the tree has no root", {}});
    return;
  }
  const auto root = static_cast<NodeIndex>(largest - below.begin());
  std::vector<std::string> ids;
  for (NodeIndex i = 0; i < nodes; ++i) {
    if (top[i] != root && top[i] != kNowhere) ids.push_back(parts.nodes[i].id);
  }
  if (ids.empty()) return;
  std::ranges::sort(ids);
  auto message = fmt::format("{} outside the tree of '{}': {}", count(ids.size(), "node lies", "nodes lie"),
                             parts.nodes[root].id, some(ids));
  found.push_back({Severity::kDefect, "orphan", std::move(message), std::move(ids)});
}

bool indices_are_sound(const TaxonomyParts& parts, std::vector<Finding>& found) {
  const auto nodes = parts.nodes.size();
  std::size_t wrong = parts.tree_parent.size() == nodes ? 0 : 1;
  for (const auto& edge : parts.edges) wrong += edge.child >= nodes || edge.parent >= nodes ? 1 : 0;
  for (const auto& parent : parts.tree_parent) wrong += parent && *parent >= nodes ? 1 : 0;
  if (nodes == 0) found.push_back({Severity::kDefect, "empty", "the taxonomy has no nodes", {}});
  if (wrong > 0) {
    found.push_back({Severity::kDefect,
                     "dangling",
                     count(wrong, "edge names", "edges name") + " a node that does not exist",
                     {}});
  }
  return nodes > 0 && wrong == 0;
}

// Groups of indices that share a text; in order of the text.
template <typename Items, typename Text>
std::map<std::string, std::vector<std::size_t>> shared(const Items& items, Text text) {
  std::map<std::string, std::vector<std::size_t>> groups;
  for (std::size_t i = 0; i < items.size(); ++i) groups[text(items[i])].push_back(i);
  std::erase_if(groups, [](const auto& group) { return group.first.empty() || group.second.size() < 2; });
  return groups;
}

void find_missing_nodes(const TaxonomyParts& parts, std::vector<Finding>& found) {
  std::unordered_map<std::string_view, bool> known;
  for (const auto& node : parts.nodes) known[node.id] = true;
  for (const auto& c : parts.classes) {
    if (known.count(c.node) > 0) continue;
    found.push_back({Severity::kDefect,
                     "class-without-node",
                     fmt::format("class '{}' hangs from '{}', which is not a node", c.name, c.node),
                     {c.name}});
  }
}

// The most doubtful first; the best explained, the others named.
void warn_about_doubtful_places(const Taxonomy& taxonomy, std::vector<Finding>& found) {
  constexpr std::size_t kMostExplained = 5;
  std::vector<const TaxonomyClass*> places;
  for (const auto& c : taxonomy.classes())
    if (!c.doubt.empty()) places.push_back(&c);
  if (places.empty()) return;
  std::ranges::stable_sort(places, std::ranges::greater{}, &TaxonomyClass::doubt_level);
  const auto percent = [](const TaxonomyClass& c) {
    return c.doubt_level > 0 ? fmt::format(" ({:.0f} %)", c.doubt_level * 100) : std::string();
  };
  std::vector<std::string> names, explained, others;
  double wrong = 0;
  for (const auto* place : places) {
    wrong += place->doubt_level;
    if (explained.size() < kMostExplained) {
      explained.push_back(fmt::format("'{}'{} {}", place->name, percent(*place), place->doubt));
    } else {
      others.push_back(place->name + percent(*place));
    }
    names.push_back(place->name);
  }
  auto message = fmt::format("{} doubtful", count(names.size(), "place is", "places are"));
  if (wrong > 0) message += fmt::format(", about {:.0f} of them wrong", std::max(1.0, std::round(wrong)));
  message += fmt::format("; the most doubtful first: {}", fmt::join(explained, "; "));
  if (!others.empty()) message += fmt::format("; then {}", fmt::join(others, ", "));
  message += ". Decide with taxo review";
  found.push_back({Severity::kWarning, "doubtful-place", std::move(message), std::move(names)});
}

void warn_about_class_names(const Taxonomy& taxonomy, std::vector<Finding>& found) {
  for (const auto& [name, labels] : shared(taxonomy.classes(), [](const auto& c) { return c.name; })) {
    found.push_back({Severity::kWarning,
                     "duplicate-name",
                     fmt::format("{} classes are called '{}' (labels {}): use labels to tell them apart",
                                 labels.size(), name, fmt::join(labels, ", ")),
                     {name}});
  }
}

// "Audi" below sedan and below coupe are two nodes that anybody tells apart; two of them side by side are
// not.
void warn_about_group_names(const Taxonomy& taxonomy, const ClassTree& tree, std::vector<Finding>& found) {
  std::vector<std::string> ids;
  for (const auto& group : tree.nodes) {
    std::vector<NodeIndex> groups;
    for (const auto child : group.children) {
      const auto& node = tree.nodes[static_cast<std::size_t>(child)];
      if (node.label == ClassTree::kNone) groups.push_back(node.origin);
    }
    const auto name = [&](NodeIndex node) { return std::string(taxonomy.display_name(node)); };
    for (const auto& [same, which] : shared(groups, name)) {
      for (const auto i : which) ids.push_back(taxonomy.node(groups[i]).id);
    }
  }
  if (ids.empty()) return;
  auto message = fmt::format("{} side by side under the same name; use ids to tell them apart: {}",
                             count(ids.size(), "node stands", "nodes stand"), some(ids));
  found.push_back({Severity::kWarning, "duplicate-node-name", std::move(message), std::move(ids)});
}

// A class whose name led to a whole family that has smaller groups: it may belong into one of them.
void warn_about_inner_classes(const Taxonomy& taxonomy, const ClassTree& tree, std::vector<Finding>& found) {
  std::vector<std::string> names;
  for (std::int32_t label = 0; label < taxonomy.class_count(); ++label) {
    const auto leaf = tree.leaf_of[static_cast<std::size_t>(label)];
    const auto above = tree.nodes[static_cast<std::size_t>(leaf)].parent;
    if (above <= 0) continue;  // the root holds what belongs nowhere else
    const auto& group = tree.nodes[static_cast<std::size_t>(above)];
    const bool has_groups = std::ranges::any_of(group.children, [&](std::int32_t child) {
      return tree.nodes[static_cast<std::size_t>(child)].label == ClassTree::kNone;
    });
    if (has_groups && taxonomy.parent(taxonomy.leaf(label)) == group.origin) {
      names.push_back(taxonomy.class_at(label).name);
    }
  }
  if (names.empty()) return;
  auto message =
      fmt::format("{} at a node that has smaller groups below it, so noise swaps it with whole groups: {}",
                  count(names.size(), "class sits", "classes sit"), some(names));
  found.push_back({Severity::kNote, "class-at-inner-node", std::move(message), std::move(names)});
}

// Where the nearest other class is only below the root, a class has no family: semantic noise for it is
// anything.
void warn_about_lonely_classes(const Taxonomy& taxonomy, const ClassTree& tree, std::vector<Finding>& found) {
  if (taxonomy.class_count() == 1) {
    found.push_back({Severity::kWarning,
                     "single-class",
                     "there is one class only: noise has nothing to draw from",
                     {taxonomy.class_at(0).name}});
    return;
  }
  std::vector<std::string> names;
  for (const auto child : tree.nodes.front().children) {
    const auto label = tree.nodes[static_cast<std::size_t>(child)].label;
    if (label != ClassTree::kNone) names.push_back(taxonomy.class_at(label).name);
  }
  const bool is_flat = names.size() == static_cast<std::size_t>(taxonomy.class_count());
  if (names.empty()) return;
  auto message =
      is_flat ? std::string("all classes hang side by side: semantic noise is the same as uniform noise")
              : fmt::format("{} the only one of its family, so semantic noise climbs to the root for it: {}",
                            count(names.size(), "class is", "classes are each"), some(names));
  found.push_back(
      {Severity::kWarning, is_flat ? "flat" : "single-class-family", std::move(message), std::move(names)});
}

void warn_about_unresolved(const Taxonomy& taxonomy, std::vector<Finding>& found) {
  std::vector<std::string> names;
  for (const auto& c : taxonomy.classes()) {
    if (c.how == Resolution::kUnresolved) names.push_back(c.name);
  }
  if (names.empty()) return;
  auto message = fmt::format("{} unresolved; mend with taxo review or taxo resolve: {}",
                             count(names.size(), "class is", "classes are"), some(names));
  found.push_back({Severity::kWarning, "unresolved", std::move(message), std::move(names)});
}

// Nodes that are there only because the graph goes through them, beside the tree, are no empty branches.
void warn_about_empty_branches(const Taxonomy& taxonomy, std::vector<Finding>& found) {
  std::vector<bool> is_used(taxonomy.node_count(), false);
  for (const auto& edge : taxonomy.parts().edges) {
    if (taxonomy.parent(edge.child) == edge.parent) continue;
    for (std::optional<NodeIndex> node = edge.parent; node && !is_used[*node];
         node = taxonomy.parent(*node)) {
      is_used[*node] = true;
    }
  }
  const auto is_empty = [&](NodeIndex node) {
    return taxonomy.class_count_below(node) == 0 && !is_used[node];
  };
  std::vector<std::string> ids;
  for (NodeIndex i = 0; i < taxonomy.node_count(); ++i) {
    const auto parent = taxonomy.parent(i);
    if (is_empty(i) && (!parent || !is_empty(*parent))) ids.push_back(taxonomy.node(i).id);
  }
  if (ids.empty()) return;
  auto message =
      fmt::format("{} without classes: {}", count(ids.size(), "branch is", "branches are"), some(ids));
  found.push_back({Severity::kNote, "empty-branch", std::move(message), std::move(ids)});
}

}  // namespace

std::vector<Finding> find_defects(const TaxonomyParts& parts) {
  std::vector<Finding> found;
  for (const auto& [id, nodes] : shared(parts.nodes, [](const auto& node) { return node.id; })) {
    found.push_back({Severity::kDefect,
                     "duplicate-id",
                     fmt::format("{} nodes have the id '{}'", nodes.size(), id),
                     {id}});
  }
  for (std::size_t i = 0; i < parts.nodes.size(); ++i) {
    if (parts.nodes[i].id.empty())
      found.push_back({Severity::kDefect, "no-id", fmt::format("node {} has no id", i), {}});
  }
  find_missing_nodes(parts, found);
  if (!indices_are_sound(parts, found)) return found;
  find_cycles(parts, found);
  find_orphans(parts, found);
  return found;
}

std::vector<Finding> find_warnings(const Taxonomy& taxonomy) {
  std::vector<Finding> found;
  if (taxonomy.class_count() == 0) {
    found.push_back({Severity::kWarning, "no-classes", "the taxonomy has no classes", {}});
    return found;
  }
  warn_about_unresolved(taxonomy, found);
  warn_about_doubtful_places(taxonomy, found);
  warn_about_class_names(taxonomy, found);
  const auto tree = prune(taxonomy);
  warn_about_group_names(taxonomy, tree, found);
  warn_about_inner_classes(taxonomy, tree, found);
  warn_about_lonely_classes(taxonomy, tree, found);
  warn_about_empty_branches(taxonomy, found);
  return found;
}

}  // namespace procsim::taxonomy
