#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "taxonomy/wordnet/wordnet.hpp"

namespace procsim::taxonomy {

// WordNet's noun synsets and their hypernyms, instance hypernyms included, as a Boost.Graph graph with edges
// from a synset to its hypernyms in WordNet's order. Immutable, so threads may share it.
class HypernymGraph {
 public:
  explicit HypernymGraph(const WordNet& wordnet);
  ~HypernymGraph();
  HypernymGraph(HypernymGraph&&) noexcept;

  // The search of the paper: depth first from a synset, stopping at the first path that reaches the root. The
  // path begins with `from` and ends with `root`; nothing when the root is not above it.
  //
  // Since hypernyms are tried in a fixed order, paths that meet go on together: taken together they are a
  // tree.
  std::optional<std::vector<SynsetIndex>> path_to(SynsetIndex from, SynsetIndex root) const;

  // Everything above a synset, itself included, in ascending order.
  std::vector<SynsetIndex> ancestors(SynsetIndex synset) const;
  bool is_below(SynsetIndex synset, SynsetIndex root) const { return path_to(synset, root).has_value(); }

  // Edges of the longest way up to a synset without hypernyms.
  int depth(SynsetIndex synset) const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace procsim::taxonomy
