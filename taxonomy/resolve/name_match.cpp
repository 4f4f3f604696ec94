#include "taxonomy/resolve/name_match.hpp"

#include <algorithm>
#include <set>
#include <unordered_map>

#include <fmt/format.h>

namespace procsim::taxonomy {
namespace {

void add_senses(std::vector<Sense>& senses, std::vector<Sense> more) {
  for (auto& sense : more) {
    const bool known =
        std::any_of(senses.begin(), senses.end(), [&](const auto& s) { return s.synset == sense.synset; });
    if (!known) senses.push_back(std::move(sense));
  }
}

std::vector<Sense> senses_of(const WordNet& wordnet, const std::vector<std::string>& words) {
  const auto ways = spellings(words);
  auto senses = wordnet.senses(ways.front());
  for (const auto& lemma : ways) {
    std::vector<Sense> exact;
    int number = 0;
    for (const auto synset : wordnet.exact_senses(lemma)) exact.push_back({lemma, synset, ++number});
    add_senses(senses, std::move(exact));
  }
  return senses;
}

Resolution how_matched(const NamePhrase& phrase) {
  if (phrase.full) return Resolution::kFullName;
  return phrase.head ? Resolution::kHeadNoun : Resolution::kSuffix;
}

}  // namespace

NameMatches match_name(const WordNet& wordnet, std::string_view name) {
  NameMatches result;
  result.words = split_class_name(name);
  for (const auto& phrase : phrases(result.words)) {
    result.head = phrase.words.back();
    auto senses = senses_of(wordnet, phrase.words);
    if (senses.empty()) continue;
    result.matches.push_back(
        {how_matched(phrase), fmt::format("{}", fmt::join(phrase.words, " ")), std::move(senses)});
  }
  return result;
}

std::optional<PhraseMatch> first_below(const HypernymGraph& graph, const NameMatches& name,
                                       SynsetIndex root) {
  for (const auto& match : name.matches) {
    PhraseMatch below{match.how, match.matched, {}};
    for (const auto& sense : match.senses) {
      if (graph.path_to(sense.synset, root)) below.senses.push_back(sense);
    }
    if (!below.senses.empty()) return below;
  }
  return std::nullopt;
}

std::optional<SynsetIndex> lowest_common_hypernym(const WordNet& wordnet, const HypernymGraph& graph,
                                                  const std::vector<NameMatches>& names,
                                                  const std::vector<SynsetIndex>& fixed) {
  std::unordered_map<SynsetIndex, std::size_t> covered;  // how many names have a sense below
  std::size_t counted = 0;
  for (const auto synset : fixed) {
    ++counted;
    for (const auto above : graph.ancestors(synset)) ++covered[above];
  }
  for (const auto& name : names) {
    if (name.matches.empty()) continue;
    ++counted;
    std::set<SynsetIndex> above;
    for (const auto& sense : name.matches.front().senses) {
      for (const auto ancestor : graph.ancestors(sense.synset)) above.insert(ancestor);
    }
    for (const auto ancestor : above) ++covered[ancestor];
  }
  std::optional<SynsetIndex> lowest;
  int deepest = -1;
  for (const auto& [synset, count] : covered) {
    if (count != counted) continue;
    const int depth = graph.depth(synset);
    // Of equally deep ones, the first in WordNet's file: the answer must not hang on the order of a hash
    // table.
    if (depth < deepest || (depth == deepest && wordnet.wnid(*lowest) < wordnet.wnid(synset))) continue;
    lowest = synset;
    deepest = depth;
  }
  return lowest;
}

}  // namespace procsim::taxonomy
