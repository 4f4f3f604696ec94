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
  bool decided = false;  // by a person: says where its namesakes are, and leaves the others where they were
};

// What is known when senses are ranked.
struct RankingContext {
  RankingContext(const WordNet& words, const HypernymGraph& hypernyms, SynsetIndex common_root,
                 std::span<const PlacedClass> known);

  const WordNet& wordnet;
  const HypernymGraph& graph;
  SynsetIndex root;
  std::span<const PlacedClass> placed;
  std::unordered_map<SynsetIndex, std::size_t> placed_below;  // how many of them, but those that were decided
  std::unordered_map<int, std::size_t> placed_in;             // by lexicographer file, likewise
  std::size_t undecided = 0;                                  // how many these are

  // How much it says of two synsets that this one is above both: 0 of the topmost, 1 of one with nothing
  // below it (intrinsic information content, Seco 2004).
  double information(SynsetIndex synset) const;

 private:
  std::vector<std::uint32_t> size_;  // synsets at or below each, along first hypernyms
};

// The senses of a match as candidates, best first. Evidence: classes with the same head noun whose place is
// known and which are there or share a parent; words of the name in the gloss or the synonyms; other classes
// nearby, or where no family stands out, how alike it is to all of them on average (Resnik's measure); at
// last WordNet's order, as far as it comes from counting texts. For a head noun, families of such classes are
// candidates too: most birds called sparrow are New World sparrows, which is no sense of "sparrow".
std::vector<CandidateSense> rank_senses(const RankingContext& context, const NameMatches& name,
                                        const PhraseMatch& match);

// Whether the name is one of those that others are judged by: it then speaks not for itself.
enum class Evidence { kIsNone, kIsPlaced };

// How probable it is that the best candidate is not what the name means, 0 to 1. Candidates share what is
// left by their evidence and by how many of the classes are of their broad kind: among animals and
// instruments a bass may be either, and no person. One above or below the best does not contradict it: a New
// World warbler is a warbler. Some is left for a sense that WordNet does not have; more where no other class
// is of the kind.
double doubt_of(const RankingContext& context, std::span<const CandidateSense> ranked, Evidence name);

// Of names with this doubt and more, half are placed wrongly: a person should look.
inline constexpr double kDoubtful = 0.2;

}  // namespace procsim::taxonomy
