#pragma once

#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "data/labels/label_set.hpp"
#include "taxonomy/tree/class_tree.hpp"
#include "taxonomy/tree/taxonomy.hpp"

namespace procsim::curate {

// How near two classes are in the taxonomy: confusing siblings (the same parent) is a fine error, confusing
// what has only the root in common is a gross one. A tree of one level says nothing, nor does a class that
// hangs from the root because WordNet does not know it: these are unknown.
enum class Kinship { kUnknown, kSame, kSiblings, kRelatives, kStrangers };
std::string_view to_string(Kinship kinship);  // "unknown", "same", "siblings", "relatives", "strangers"

struct Relation {
  Kinship kinship = Kinship::kUnknown;
  std::int32_t distance = -1;  // edges between the two leaves in the class tree, −1 when unknown
  std::int32_t common = taxonomy::ClassTree::kNone;  // lowest common ancestor in the class tree
  bool doubtful = false;  // the taxonomy doubts the place of one of them, so also what is said here
};

// The classes of a label set seen through a taxonomy. Without one, every relation is unknown and there are no
// families.
class ClassFamilies {
 public:
  ClassFamilies() = default;
  // Classes are matched by name or published name; those that the taxonomy does not know stay unknown.
  ClassFamilies(const taxonomy::Taxonomy& taxonomy, const std::vector<LabelClass>& classes);

  bool known() const { return !tree_.nodes.empty(); }
  const taxonomy::ClassTree& tree() const { return tree_; }
  Relation relation(std::int32_t a, std::int32_t b) const;
  std::int32_t leaf(std::int32_t label) const;  // in tree().nodes, kNone when unknown
  std::int32_t parent(std::int32_t node) const { return tree_.nodes[static_cast<std::size_t>(node)].parent; }

  const std::string& name(std::int32_t node) const { return names_[static_cast<std::size_t>(node)]; }
  const std::string& id(std::int32_t node) const {
    return ids_[static_cast<std::size_t>(node)];
  }  // taxonomy's; empty for leaves
  std::optional<std::int32_t> find(std::string_view node_id) const;
  // What else the class's name may mean, as the taxonomy says; empty when its place is clear.
  const std::string& doubt(std::int32_t label) const { return doubts_[static_cast<std::size_t>(label)].text; }
  // How probable it is that its place is wrong; 0 when it is clear, or nobody said.
  double doubt_level(std::int32_t label) const { return doubts_[static_cast<std::size_t>(label)].level; }

 private:
  taxonomy::ClassTree tree_;
  std::vector<std::int32_t> leaves_;      // our label → node
  bool flat_ = false;                     // no inner node but the root
  std::set<std::int32_t> unplaced_;       // labels that the taxonomy could not resolve
  std::vector<std::string> names_, ids_;  // of nodes
  struct Doubt {
    std::string text;
    double level = 0;
  };
  std::vector<Doubt> doubts_;  // of labels
};

}  // namespace procsim::curate
