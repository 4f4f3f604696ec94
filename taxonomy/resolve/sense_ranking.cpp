#include "taxonomy/resolve/sense_ranking.hpp"

#include <algorithm>
#include <cmath>
#include <set>

#include <fmt/format.h>

namespace procsim::taxonomy {
namespace {

// Weights of the evidence: a family that all siblings share counts 1, as much as two words of the name in the
// gloss.
constexpr double kGlossWord = 0.5;
constexpr double kMostGloss = 1.0;
constexpr double kNearby = 0.3;
constexpr double kOrder = 0.1;
constexpr double kLikeness = 1.0;
constexpr double kFamilyInformation = 0.3;  // bird: 0.41, person: 0.21, artifact: 0.18
constexpr double kGrandparent = 0.5;

// Of the doubt, set by the likelihood of 3,000 names of ImageNet, whose senses are known (docs/results.md).
constexpr double kScoreScale = 0.2;      // a sense with this much less evidence is e times less probable
constexpr double kKindShare = 0.5;       // exponent of the share of classes of a kind
constexpr double kUnseenKind = 0.3;      // classes that a kind has before any is seen
constexpr double kKinds = 26;            // lexicographer files of nouns
constexpr double kSenseNotThere = 0.01;  // weight of what WordNet does not have

bool contains(std::span<const SynsetIndex> list, SynsetIndex synset) {
  return std::find(list.begin(), list.end(), synset) != list.end();
}

std::set<std::string> words_of(std::string_view text) {
  std::set<std::string> words;
  std::string word;
  for (const char c : lookup_form(text) + "_") {
    if (c >= 'a' && c <= 'z') {
      word += c;
    } else if (c != '\'') {
      if (word.size() > 2) words.insert(word);
      word.clear();
    }
  }
  return words;
}

// The words of the name that describe: all but the head noun. Of "clay-colored" only clay: many a gloss says
// colored.
std::set<std::string> describing_words(const NameMatches& name) {
  std::set<std::string> words;
  for (const auto& part : {name.words.words, name.words.aside}) {
    for (const auto& word : part)
      words.merge(words_of(word.ends_with("ed") ? word.substr(0, word.rfind('-')) : word));
  }
  words.erase(name.head);
  for (const auto* small : {"and", "the", "for", "with", "from"}) words.erase(small);
  return words;
}

class Ranking {
 public:
  Ranking(const RankingContext& context, const NameMatches& name)
      : context_(context), describing_(describing_words(name)) {
    for (const auto& placed : context.placed) {
      if (placed.head == name.head) siblings_.push_back(placed.synset);
    }
  }

  // `usual`: its place among the senses that were counted in texts, from 1; 0 for one that was not.
  CandidateSense candidate(SynsetIndex synset, const std::string& matched, int usual) const {
    CandidateSense result{synset, matched, 0, {}};
    std::vector<std::string> said;
    if (!siblings_.empty()) {
      double weight = 0;
      int here = 0;
      for (const auto sibling : siblings_) {
        const double share = kinship(synset, sibling);
        weight += share;
        if (share > 0) ++here;
      }
      result.score += weight / static_cast<double>(siblings_.size());
      if (here > 0)
        said.push_back(
            fmt::format("{} of {} classes with the same head noun are here", here, siblings_.size()));
    }
    const auto shared = shared_words(synset);
    result.score += std::min(kMostGloss, kGlossWord * static_cast<double>(shared.size()));
    if (!shared.empty()) said.push_back(fmt::format("its gloss says {}", fmt::join(shared, ", ")));
    if (usual > 0) result.score += kOrder / usual;
    result.evidence = fmt::format("{}", fmt::join(said, "; "));
    return result;
  }

  // Classes whose place is below a parent of the synset.
  std::size_t nearby(SynsetIndex synset) const {
    std::size_t most = 0;
    for (const auto parent : context_.wordnet.hypernyms(synset)) {
      const auto found = context_.placed_below.find(parent);
      // A parent of half the dictionary (person, artifact) makes no family.
      if (parent != context_.root && found != context_.placed_below.end() &&
          context_.information(parent) >= kFamilyInformation)
        most = std::max(most, found->second);
    }
    return most;
  }

  // The mean of what the synset shares with each class whose place is known.
  double likeness(SynsetIndex synset) const {
    if (context_.placed.empty()) return 0;
    auto above = context_.graph.ancestors(synset);
    std::ranges::sort(above, std::ranges::greater{},
                      [&](SynsetIndex each) { return context_.information(each); });
    double sum = 0;
    std::size_t met = 0;
    for (const auto each : above) {
      const auto found = context_.placed_below.find(each);
      if (found == context_.placed_below.end() || found->second <= met) continue;
      sum += static_cast<double>(found->second - met) * context_.information(each);
      met = found->second;
    }
    return sum / static_cast<double>(context_.placed.size());
  }

  // Parents of siblings that carry the head noun in their name.
  std::vector<SynsetIndex> families(const std::string& head) const {
    std::vector<SynsetIndex> found;
    for (const auto sibling : siblings_) {
      for (const auto parent : context_.wordnet.hypernyms(sibling)) {
        if (!contains(found, parent) && carries(parent, head) &&
            context_.graph.is_below(parent, context_.root)) {
          found.push_back(parent);
        }
      }
    }
    return found;
  }

 private:
  bool carries(SynsetIndex synset, const std::string& head) const {
    const auto words = context_.wordnet.words(synset);
    return std::any_of(words.begin(), words.end(),
                       [&](const auto& word) { return word.ends_with(" " + head); });
  }

  double kinship(SynsetIndex synset, SynsetIndex sibling) const {
    const auto parents = context_.wordnet.hypernyms(sibling);
    if (synset == sibling || contains(parents, synset)) return 1;
    for (const auto parent : context_.wordnet.hypernyms(synset)) {
      if (contains(parents, parent)) return 1;
    }
    for (const auto parent : parents) {
      if (contains(context_.wordnet.hypernyms(parent), synset)) return kGrandparent;
    }
    return 0;
  }

  std::vector<std::string> shared_words(SynsetIndex synset) const {
    auto known = words_of(context_.wordnet.gloss(synset));
    for (const auto& word : context_.wordnet.words(synset)) known.merge(words_of(word));
    std::vector<std::string> shared;
    std::set_intersection(describing_.begin(), describing_.end(), known.begin(), known.end(),
                          std::back_inserter(shared));
    return shared;
  }

  const RankingContext& context_;
  std::set<std::string> describing_;
  std::vector<SynsetIndex> siblings_;
};

}  // namespace

RankingContext::RankingContext(const WordNet& words, const HypernymGraph& hypernyms, SynsetIndex common_root,
                               std::span<const PlacedClass> known)
    : wordnet(words), graph(hypernyms), root(common_root), placed(known) {
  for (const auto& one : placed) {
    if (one.decided) continue;
    ++undecided;
    ++placed_in[wordnet.lexicographer_file(one.synset)];
    for (const auto above : graph.ancestors(one.synset)) ++placed_below[above];
  }
  size_.assign(wordnet.size(), 0);
  for (SynsetIndex start = 0; start < wordnet.size(); ++start) {
    ++size_[start];
    for (auto above = wordnet.hypernyms(start); !above.empty(); above = wordnet.hypernyms(above.front()))
      ++size_[above.front()];
  }
}

double RankingContext::information(SynsetIndex synset) const {
  return 1 - std::log(size_[synset]) / std::log(std::max<std::size_t>(2, size_.size()));
}

std::vector<CandidateSense> rank_senses(const RankingContext& context, const NameMatches& name,
                                        const PhraseMatch& match) {
  const Ranking ranking(context, name);
  std::vector<CandidateSense> ranked;
  int order = 0;
  for (const auto& sense : match.senses)
    ranked.push_back(ranking.candidate(sense.synset, match.matched, sense.counted ? ++order : 0));
  if (match.how == Resolution::kHeadNoun) {
    for (const auto family : ranking.families(name.head)) {
      const bool known =
          std::any_of(ranked.begin(), ranked.end(), [&](const auto& c) { return c.synset == family; });
      if (!known) ranked.push_back(ranking.candidate(family, match.matched, 0));
    }
  }
  if (ranked.size() < 2) return ranked;
  std::vector<std::size_t> nearby;
  for (const auto& candidate : ranked) nearby.push_back(ranking.nearby(candidate.synset));
  const auto most = *std::max_element(nearby.begin(), nearby.end());
  for (std::size_t i = 0; most > 0 && i < ranked.size(); ++i) {
    ranked[i].score += kNearby * static_cast<double>(nearby[i]) / static_cast<double>(most);
  }
  for (auto& candidate : ranked) candidate.score += kLikeness * ranking.likeness(candidate.synset);
  std::stable_sort(ranked.begin(), ranked.end(),
                   [](const auto& a, const auto& b) { return a.score > b.score; });
  return ranked;
}

double doubt_of(const RankingContext& context, std::span<const CandidateSense> ranked, Evidence name) {
  if (ranked.empty()) return 0;
  const auto& best = ranked.front();
  const auto best_kind = context.wordnet.lexicographer_file(best.synset);
  const double self = name == Evidence::kIsPlaced ? 1 : 0;
  const auto weight = [&](const CandidateSense& candidate) {
    const auto kind = context.wordnet.lexicographer_file(candidate.synset);
    const auto found = context.placed_in.find(kind);
    const double seen = found == context.placed_in.end() ? 0 : static_cast<double>(found->second);
    const double share = (seen - (kind == best_kind ? self : 0) + kUnseenKind) /
                         (static_cast<double>(context.undecided) - self + kUnseenKind * kKinds);
    return std::exp((candidate.score - best.score) / kScoreScale) * std::pow(share, kKindShare);
  };
  double agreeing = 0, all = kSenseNotThere;
  for (const auto& candidate : ranked) {
    const double one = weight(candidate);
    all += one;
    if (context.graph.is_below(best.synset, candidate.synset) ||
        context.graph.is_below(candidate.synset, best.synset))
      agreeing += one;
  }
  return 1 - agreeing / all;
}

}  // namespace procsim::taxonomy
