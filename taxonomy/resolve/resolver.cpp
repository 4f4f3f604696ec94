#include "taxonomy/resolve/resolver.hpp"

#include <algorithm>
#include <unordered_map>

#include <fmt/format.h>

#include "data/base/error.hpp"
#include "taxonomy/resolve/car_name.hpp"
#include "taxonomy/resolve/name_match.hpp"
#include "taxonomy/resolve/sense_ranking.hpp"

namespace procsim::taxonomy {
namespace {

constexpr const char* kTopSynset = "entity.n.01";  // above every noun

// Resolves the classes of one data set, step by step. Classes that ask the same of WordNet (the same name,
// the same category) are one question.
class Resolver {
 public:
  Resolver(const WordNet& wordnet, const HypernymGraph& graph, std::span<const DatasetClass> classes,
           const ResolveOptions& options)
      : wordnet_(wordnet), graph_(graph), classes_(classes), options_(options) {}

  Resolutions run() {
    result_.classes.resize(classes_.size());
    place_fixed();
    ask_names();
    choose_root();
    check_fixed();
    place_clear_names();
    rank_others();
    for (std::size_t i = 0; i < classes_.size(); ++i) {
      if (!is_fixed_[i]) result_.classes[i] = answer(i);
    }
    report(2 * classes_.size());
    return std::move(result_);
  }

 private:
  struct Question {
    NameMatches name;
    std::optional<PhraseMatch> match;  // below the root
    std::vector<CandidateSense> ranked;
    bool placed = false;  // by its name alone: others are judged by it
    double doubt = 0;
  };

  const std::string& text_of(std::size_t i) const {
    return classes_[i].super_class.empty() ? classes_[i].name : classes_[i].super_class;
  }

  // Overrides, car names and synset ids need no search.
  void place_fixed() {
    is_fixed_.assign(classes_.size(), false);
    const auto overrides = match_overrides(classes_, options_.overrides);
    for (std::size_t i = 0; i < classes_.size(); ++i) {
      if (overrides[i]) {
        fix(i, by_override(*overrides[i], overrides[i]->class_name == classes_[i].super_class));
      } else if (is_wnid(classes_[i].published)) {
        fix(i, by_wnid(classes_[i].published));
      } else if (options_.car_names) {
        if (auto placed = by_car_name(classes_[i].name)) fix(i, std::move(*placed));
      }
    }
  }

  void fix(std::size_t i, ClassResolution resolution) {
    is_fixed_[i] = true;
    result_.classes[i] = std::move(resolution);
  }

  ClassResolution by_override(const Override& entry, bool category) const {
    ClassResolution placed;
    placed.how = category ? Resolution::kCategory : Resolution::kOverride;
    placed.reason = entry.reason;
    try {
      place(placed, entry.sense, entry.below);
    } catch (const Error& error) {
      throw Error(fmt::format("{}: {}", entry.source, error.what()));
    }
    placed.matched = category ? entry.class_name : wordnet_.name(placed.synset);
    return placed;
  }

  // Fills in anchor, path and synset, the last one on the path.
  void place(ClassResolution& placed, const std::string& sense, std::vector<std::string> below) const {
    placed.anchor = wordnet_.find(sense);
    placed.synset = placed.anchor;
    for (const auto& part : below) {
      if (is_sense_key(part)) placed.synset = wordnet_.find(part);
    }
    placed.below = std::move(below);
  }

  ClassResolution by_wnid(const std::string& wnid) const {
    if (wordnet_.release() != "3.0") {
      throw Error(fmt::format(
          "'{}' is a WordNet 3.0 offset, and the installed WordNet is {}. Set WNSEARCHDIR to a 3.0 "
          "database, or give names",
          wnid, wordnet_.release()));
    }
    const auto synset = wordnet_.find_wnid(wnid);
    if (!synset) throw Error(fmt::format("WordNet 3.0 has no noun synset {}. Check the file of names", wnid));
    ClassResolution placed;
    placed.how = Resolution::kFullName;
    placed.synset = placed.anchor = *synset;
    placed.matched = wnid;
    return placed;
  }

  std::optional<ClassResolution> by_car_name(const std::string& name) const {
    const auto car = parse_car_name(name);
    const auto type = car_type(car.type_word);
    if (!type) return std::nullopt;
    ClassResolution placed;
    placed.how = type->below.empty() ? Resolution::kHeadNoun : Resolution::kOverride;
    placed.matched = car.type_word;
    placed.reason = type->below.empty() ? fmt::format("the name says {}", car.type_word) : type->reason;
    std::vector<std::string> path;
    for (const auto& part : {type->below, car.make, car.model, car.year}) {
      if (!part.empty()) path.push_back(part);
    }
    place(placed, type->sense, std::move(path));
    return placed;
  }

  // Every name is looked up, then placed.
  void report(std::size_t done) const {
    if (options_.progress) options_.progress(done, 2 * classes_.size());
  }

  void ask_names() {
    for (std::size_t i = 0; i < classes_.size(); ++i) {
      report(i);
      if (is_fixed_[i] || !question_of_.emplace(text_of(i), questions_.size()).second) continue;
      questions_.push_back({});
      questions_.back().name = match_name(wordnet_, text_of(i));
    }
  }

  void choose_root() {
    if (options_.root) {
      result_.root = below_ = wordnet_.find(*options_.root);
      return;
    }
    std::vector<NameMatches> names;
    for (const auto& question : questions_) names.push_back(question.name);
    std::vector<SynsetIndex> fixed;
    for (std::size_t i = 0; i < classes_.size(); ++i) {
      if (is_fixed_[i]) fixed.push_back(result_.classes[i].anchor);
    }
    std::sort(fixed.begin(), fixed.end());
    fixed.erase(std::unique(fixed.begin(), fixed.end()), fixed.end());
    const auto root = lowest_common_hypernym(wordnet_, graph_, names, fixed);
    result_.root = root ? *root : wordnet_.find(kTopSynset);
    result_.root_was_found = root.has_value();
    below_ = result_.root;
    if (!root || fixed.empty()) return;
    // Where somebody placed a class outside the root that the names alone would have, the others stay below
    // that one: deciding one sense must not open others for the rest.
    for (std::size_t i = 0; i < classes_.size(); ++i)
      if (is_fixed_[i] && !is_wnid(classes_[i].published)) names.push_back(match_name(wordnet_, text_of(i)));
    const auto alone = lowest_common_hypernym(wordnet_, graph_, names, {});
    if (alone && graph_.is_below(*alone, *root)) below_ = *alone;
  }

  void check_fixed() const {
    for (std::size_t i = 0; i < classes_.size(); ++i) {
      if (!is_fixed_[i]) continue;
      const auto synset = result_.classes[i].anchor;
      if (graph_.path_to(synset, result_.root)) continue;
      throw Error(fmt::format(
          "'{}' is placed at {}, which is not below the root {}. Choose another sense (taxo senses), "
          "another --root-synset, or hang it below the root: {} / {}",
          classes_[i].name, wordnet_.id(synset), wordnet_.id(result_.root), wordnet_.sense_key(result_.root),
          wordnet_.sense_key(synset)));
    }
  }

  // Names with one sense below the root under their full name, and what was fixed, are what the others are
  // ranked by.
  void place_clear_names() {
    for (auto& question : questions_) {
      question.match = first_below(graph_, question.name, below_);
      if (!question.match) question.match = first_below(graph_, question.name, result_.root);
      question.placed = question.match && question.match->how == Resolution::kFullName &&
                        question.match->senses.size() == 1 && !lost_usual_sense(question);
      if (question.placed) placed_.push_back({question.name.head, question.match->senses.front().synset});
    }
    std::unordered_map<std::string, bool> seen;
    for (std::size_t i = 0; i < classes_.size(); ++i) {
      if (is_fixed_[i] && result_.classes[i].below.empty() && seen.emplace(text_of(i), true).second) {
        placed_.push_back({head_of(text_of(i)), result_.classes[i].synset,
                           result_.classes[i].how == Resolution::kOverride});
      }
    }
  }

  // The sense that texts use most is not below the root, and what is there may be another word altogether:
  // brain as a person. Nothing to judge others by, and for a person to look at.
  static bool lost_usual_sense(const Question& question) {
    for (const auto& all : question.name.matches) {
      if (all.matched != question.match->matched) continue;
      const auto& usual = all.senses.front();
      return usual.counted &&
             std::ranges::find(question.match->senses, usual) == question.match->senses.end();
    }
    return false;
  }

  static std::string head_of(const std::string& name) {
    const auto all = phrases(split_class_name(name));
    return all.empty() ? std::string{} : all.back().words.back();
  }

  void rank_others() {
    const RankingContext context(wordnet_, graph_, result_.root, placed_);
    for (auto& question : questions_) {
      report(classes_.size() + static_cast<std::size_t>(&question - questions_.data()));
      if (!question.match) continue;
      question.ranked = rank_senses(context, question.name, *question.match);
      question.doubt =
          doubt_of(context, question.ranked, question.placed ? Evidence::kIsPlaced : Evidence::kIsNone);
      // Of two meanings the usual one is not below the root that was found: as likely the one as the other.
      if (result_.root_was_found && lost_usual_sense(question))
        question.doubt = std::max(question.doubt, 0.5);
    }
  }

  ClassResolution answer(std::size_t i) const {
    const auto& question = questions_[question_of_.at(text_of(i))];
    const bool category = !classes_[i].super_class.empty();
    ClassResolution placed;
    placed.synset = result_.root;
    if (question.match) {
      placed.how = category ? Resolution::kCategory : question.match->how;
      placed.matched = question.match->matched;
      placed.candidates = question.ranked;
      placed.synset = question.ranked.front().synset;
      placed.doubt = question.doubt;
      placed.ambiguous = placed.doubt >= kDoubtful;
      if (question.ranked.size() > 1) placed.reason = question.ranked.front().evidence;
    } else if (category) {
      placed.how = Resolution::kCategory;
      placed.below = {classes_[i].super_class};
      placed.reason =
          fmt::format("WordNet has no '{}' below {}", classes_[i].super_class, wordnet_.id(result_.root));
    } else {
      placed.reason = why_unresolved(question);
    }
    placed.anchor = placed.synset;
    return placed;
  }

  std::string why_unresolved(const Question& question) const {
    if (question.name.words.words.empty()) return "the name has no word in it";
    if (question.name.matches.empty()) return "WordNet has no noun for it";
    const auto& match = question.name.matches.front();
    return fmt::format("WordNet has '{}', and no sense of it below {}", match.matched,
                       wordnet_.id(result_.root));
  }

  const WordNet& wordnet_;
  const HypernymGraph& graph_;
  std::span<const DatasetClass> classes_;
  const ResolveOptions& options_;
  Resolutions result_;
  std::vector<bool> is_fixed_;
  std::vector<Question> questions_;
  std::unordered_map<std::string, std::size_t> question_of_;
  std::vector<PlacedClass> placed_;
  SynsetIndex below_ = 0;  // names are looked for below it: the root, or what it would be without decisions
};

}  // namespace

bool is_wnid(std::string_view name) {
  return name.size() == 9 && name[0] == 'n' &&
         std::all_of(name.begin() + 1, name.end(), [](char c) { return c >= '0' && c <= '9'; });
}

Resolutions resolve_classes(const WordNet& wordnet, const HypernymGraph& graph,
                            std::span<const DatasetClass> classes, const ResolveOptions& options) {
  if (classes.empty()) throw Error("there are no classes to resolve");
  return Resolver(wordnet, graph, classes, options).run();
}

std::optional<std::string> known_root(std::string_view dataset_kind) {
  if (dataset_kind == "cub200" || dataset_kind == "fieldguide") return "bird.n.01";
  if (dataset_kind == "cars196") return "car.n.01";
  return std::nullopt;
}

}  // namespace procsim::taxonomy
