#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace procsim::taxonomy {

// The taxonomy format (docs/formats.md). These constants are on disk: they never change.
inline constexpr std::string_view kTaxonomyFormat = "taxonomy";
inline constexpr int kTaxonomyVersion = 1;

using NodeIndex = std::uint32_t;

struct TaxonomyNode {
  std::string id;    // unique: "sparrow.n.01" for a synset, "cars196:audi/a5" for one that was made
  std::string name;  // for people: "New World sparrow"
  std::string gloss;
  std::string sense_key;  // WordNet's, empty for nodes that were made
};

// How a class came to its node.
enum class Resolution { kFullName, kSuffix, kHeadNoun, kOverride, kCategory, kImported, kUnresolved };
std::string_view to_string(Resolution how);
Resolution resolution_from_string(std::string_view text);  // throws Error

struct TaxonomyClass {
  std::string name;       // cleaned
  std::string published;  // as the data set has it
  std::string node;       // id of the node that the class hangs from
  Resolution how = Resolution::kImported;
  std::string matched;  // the words that were looked up: "sparrow"
  std::string reason;   // override's comment, or why it stayed unresolved
  std::string
      doubt{};  // what else the name may mean, where nothing tells which; empty when its place is clear
  double doubt_level = 0;  // how probable it is that its place is wrong; 0 where the place is clear
};

// What a taxonomy is made of. Edges go from child to parent; `tree_parent` is the one that the tree follows.
struct TaxonomyParts {
  std::string dataset;
  std::vector<TaxonomyNode> nodes;
  struct Edge {
    NodeIndex child = 0;
    NodeIndex parent = 0;
  };
  std::vector<Edge> edges;                            // all, tree edges included
  std::vector<std::optional<NodeIndex>> tree_parent;  // a node each; none for the root only
  std::vector<TaxonomyClass> classes;                 // index = label
};

// A class hierarchy: a directed graph of nodes (Boost.Graph), a tree laid over it, and classes that hang from
// nodes.
//
// Every class is a leaf of its own, a child of the node it was resolved to: two gulls that WordNet knows only
// as "gull" are two leaves under gull.n.01. Node indices 0 … node_count()-1 are the nodes; leaf(c) =
// node_count() + c. Children come in canonical order (nodes by id, then leaves by label). Immutable, so
// threads may share it.
class Taxonomy {
 public:
  // Checks: one root, every node reaches it, no cycle, no duplicate id, every class on a known node. Throws
  // Error.
  explicit Taxonomy(TaxonomyParts parts);
  ~Taxonomy();
  Taxonomy(Taxonomy&&) noexcept;
  Taxonomy& operator=(Taxonomy&&) noexcept;

  // The file's content, the same bytes for the same taxonomy, and back. `source` names the file in errors.
  std::string to_json() const;
  static Taxonomy from_json(std::string_view text, std::string_view source);
  std::string digest() const;  // SHA-256 of to_json()

  const std::string& dataset() const;
  NodeIndex node_count() const;
  std::int32_t class_count() const;
  const TaxonomyNode& node(NodeIndex node) const;  // nodes only, not leaves
  const TaxonomyClass& class_at(std::int32_t label) const;
  std::span<const TaxonomyClass> classes() const;

  NodeIndex root() const;
  NodeIndex leaf(std::int32_t label) const { return node_count() + static_cast<NodeIndex>(label); }
  bool is_leaf(NodeIndex node) const { return node >= node_count(); }
  std::int32_t label_of_leaf(NodeIndex leaf) const { return static_cast<std::int32_t>(leaf - node_count()); }
  std::string_view display_name(NodeIndex node) const;  // node or leaf

  std::optional<NodeIndex> parent(NodeIndex node) const;          // in the tree; node or leaf
  std::span<const NodeIndex> children(NodeIndex node) const;      // in the tree, leaves included
  std::span<const NodeIndex> parents(NodeIndex node) const;       // all in the graph; nodes only
  std::uint32_t depth(NodeIndex node) const;                      // root = 0; edges in the full tree
  std::vector<std::int32_t> classes_below(NodeIndex node) const;  // labels in ascending order
  std::int32_t class_count_below(NodeIndex node) const;           // classes_below(node).size(), at once

  std::optional<NodeIndex> find_node(std::string_view id) const;
  // A class by name, published name or label; throws Error with the nearest known name.
  std::int32_t find_class(std::string_view name) const;

  const TaxonomyParts& parts() const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

// The parts that a file states, with every reference checked but not whether they make a tree: for finding
// out what is wrong with it (taxonomy/check.hpp). Throws Error for what is not such a file.
TaxonomyParts taxonomy_parts_from_json(std::string_view text, std::string_view source);

}  // namespace procsim::taxonomy
