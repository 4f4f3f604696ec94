#pragma once

#include <span>
#include <string>
#include <unordered_map>
#include <vector>

#include "taxonomy/resolve/name_match.hpp"
#include "taxonomy/resolve/resolver.hpp"

namespace procsim::taxonomy {

// A class whose place is known: the evidence that other classes are ranked by.
struct PlacedClass {
  std::string head;  // head noun of its name
  SynsetIndex synset = 0;
};

// What is known when senses are ranked.
struct RankingContext {
  RankingContext(const WordNet& words, const HypernymGraph& hypernyms, SynsetIndex common_root,
                 std::span<const PlacedClass> known);

  const WordNet& wordnet;
  const HypernymGraph& graph;
  SynsetIndex root;
  std::span<const PlacedClass> placed;
  std::unordered_map<SynsetIndex, std::size_t> placed_below;  // how many of them
};

// The senses of a match as candidates, best first. Evidence: classes with the same head noun whose place is
// known and which are there or share a parent; words of the name in the gloss or the synonyms; other classes
// nearby; at last WordNet's order. For a head noun, families of such classes are candidates too: most birds
// called sparrow are New World sparrows, which is no sense of "sparrow".
std::vector<CandidateSense> rank_senses(const RankingContext& context, const NameMatches& name,
                                        const PhraseMatch& match);

// Whether the best candidate stands out from all that contradict it. One above or below it does not: a New
// World warbler is a warbler.
bool has_clear_winner(const HypernymGraph& graph, std::span<const CandidateSense> ranked);

}  // namespace procsim::taxonomy
