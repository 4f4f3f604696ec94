#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "taxonomy/resolve/class_name.hpp"
#include "taxonomy/tree/taxonomy.hpp"
#include "taxonomy/wordnet/hypernym_graph.hpp"
#include "taxonomy/wordnet/wordnet.hpp"

namespace procsim::taxonomy {

// The senses that WordNet has for a phrase of a name.
struct PhraseMatch {
  Resolution how = Resolution::kFullName;
  std::string matched;        // "red-winged blackbird"
  std::vector<Sense> senses;  // at least one
};

// A class name with everything that WordNet knows of it: one match per phrase that it knows, longest first.
struct NameMatches {
  ClassWords words;
  std::string head;  // the head noun
  std::vector<PhraseMatch> matches;
};

NameMatches match_name(const WordNet& wordnet, std::string_view name);

// The first match with senses below the root, with those senses only.
std::optional<PhraseMatch> first_below(const HypernymGraph& graph, const NameMatches& name, SynsetIndex root);

// The lowest synset that has a sense of every name below or at it: each name counts with its longest match;
// names without any do not count. `fixed` are synsets that must be below it too. Nothing when there is
// nothing to go by.
std::optional<SynsetIndex> lowest_common_hypernym(const WordNet& wordnet, const HypernymGraph& graph,
                                                  const std::vector<NameMatches>& names,
                                                  const std::vector<SynsetIndex>& fixed);

}  // namespace procsim::taxonomy
