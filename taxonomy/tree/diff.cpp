#include "taxonomy/tree/diff.hpp"

#include <map>
#include <utility>

namespace procsim::taxonomy {
namespace {

using ClassKey = std::pair<std::string, std::size_t>;

std::map<ClassKey, std::int32_t> classes_by_key(const Taxonomy& taxonomy) {
  std::map<std::string, std::size_t> seen;
  std::map<ClassKey, std::int32_t> keys;
  for (std::int32_t label = 0; label < taxonomy.class_count(); ++label) {
    const auto& c = taxonomy.class_at(label);
    const auto& name = c.published.empty() ? c.name : c.published;
    keys.emplace(ClassKey{name, seen[name]++}, label);
  }
  return keys;
}

std::string tree_parent_id(const Taxonomy& taxonomy, NodeIndex node) {
  const auto parent = taxonomy.parent(node);
  return parent ? taxonomy.node(*parent).id : std::string{};
}

void compare_classes(const Taxonomy& before, const Taxonomy& after, TaxonomyDiff& diff) {
  const auto old_keys = classes_by_key(before), new_keys = classes_by_key(after);
  for (const auto& [key, old_label] : old_keys) {
    const auto& old_class = before.class_at(old_label);
    const auto found = new_keys.find(key);
    if (found == new_keys.end()) {
      diff.classes_removed.push_back(old_class.name);
      continue;
    }
    const auto& new_class = after.class_at(found->second);
    if (old_class.node != new_class.node)
      diff.moved.push_back({new_class.name, old_class.node, new_class.node});
    if (old_label != found->second) {
      diff.relabelled.push_back({new_class.name, std::to_string(old_label), std::to_string(found->second)});
    }
    if (old_class.how != new_class.how) {
      diff.resolved.push_back(
          {new_class.name, std::string(to_string(old_class.how)), std::string(to_string(new_class.how))});
    }
  }
  for (const auto& [key, label] : new_keys) {
    if (old_keys.count(key) == 0) diff.classes_added.push_back(after.class_at(label).name);
  }
}

void compare_nodes(const Taxonomy& before, const Taxonomy& after, TaxonomyDiff& diff) {
  for (NodeIndex i = 0; i < before.node_count(); ++i) {
    const auto& id = before.node(i).id;
    const auto found = after.find_node(id);
    if (!found) {
      diff.nodes_removed.push_back(id);
      continue;
    }
    auto from = tree_parent_id(before, i), to = tree_parent_id(after, *found);
    if (from != to) diff.reparented.push_back({id, std::move(from), std::move(to)});
  }
  for (NodeIndex i = 0; i < after.node_count(); ++i) {
    if (!before.find_node(after.node(i).id)) diff.nodes_added.push_back(after.node(i).id);
  }
}

}  // namespace

bool TaxonomyDiff::same() const {
  return classes_added.empty() && classes_removed.empty() && nodes_added.empty() && nodes_removed.empty() &&
         moved.empty() && relabelled.empty() && resolved.empty() && reparented.empty();
}

TaxonomyDiff compare(const Taxonomy& before, const Taxonomy& after) {
  TaxonomyDiff diff;
  compare_classes(before, after, diff);
  compare_nodes(before, after, diff);
  return diff;
}

}  // namespace procsim::taxonomy
