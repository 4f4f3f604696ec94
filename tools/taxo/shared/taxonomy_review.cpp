#include "tools/taxo/shared/taxonomy_review.hpp"

#include <algorithm>
#include <istream>
#include <ostream>
#include <set>

#include <fmt/format.h>

#include "data/base/error.hpp"
#include "data/base/number.hpp"
#include "data/base/suggest.hpp"
#include "data/base/words.hpp"
#include "data/sets/alike_classes.hpp"
#include "taxonomy/resolve/name_match.hpp"
#include "tools/program/print_safely.hpp"

namespace procsim::tools {
namespace {

std::string subject_of(const ClassSource& source, std::size_t label) {
  const auto& entry = source.classes[label];
  if (!entry.super_class.empty()) return entry.super_class;
  const auto same = std::count_if(source.classes.begin(), source.classes.end(),
                                  [&](const auto& other) { return other.name == entry.name; });
  return same > 1 || entry.name.empty() ? entry.published : entry.name;
}

// One question and its answers.
class Question {
 public:
  Question(const BuildSession& session, const taxonomy::BuiltTaxonomy& built, std::size_t label,
           std::ostream& out)
      : session_(session), root_(built.resolutions.root), out_(out) {
    for (const auto& candidate : built.resolutions.classes[label].candidates)
      offered_.push_back(candidate.synset);
  }

  void ask(const taxonomy::ClassResolution& resolution, const std::string& subject, std::size_t number,
           std::size_t count) const {
    out_ << format_safely("\n[{}/{}] {}", number, count, subject);
    if (offered_.empty()) {
      out_ << format_safely(": {}\n", resolution.reason);
    } else {
      out_ << format_safely(": matched '{}', {} meanings below {}\n", resolution.matched, offered_.size(),
                            session_.wordnet.id(root_));
    }
    list();
  }

  // Senses of other words become the ones that are offered.
  void search(const std::string& word) {
    offered_.clear();
    const auto name = taxonomy::match_name(session_.wordnet, word);
    if (const auto match = taxonomy::first_below(session_.graph, name, root_)) {
      for (const auto& sense : match->senses) offered_.push_back(sense.synset);
    }
    if (offered_.empty())
      out_ << format_safely("  no meaning of '{}' below {}\n", word, session_.wordnet.id(root_));
    list();
  }

  // The sense key that an answer stands for: a number of the list, or a sense key itself.
  std::optional<std::string> place(const std::string& answer) const {
    if (taxonomy::is_sense_key(answer)) return answer;
    const auto number = parse_number<std::size_t>(answer);
    if (!number || *number == 0 || *number > offered_.size()) return std::nullopt;
    return session_.wordnet.sense_key(offered_[*number - 1]);
  }

 private:
  void list() const {
    const auto& wordnet = session_.wordnet;
    for (std::size_t i = 0; i < offered_.size(); ++i) {
      out_ << format_safely("  {}. {}  {}\n     {}\n", i + 1,
                            fmt::format("{}", fmt::join(wordnet.words(offered_[i]), ", ")),
                            wordnet.sense_key(offered_[i]), wordnet.gloss(offered_[i]));
      std::vector<std::string> path;
      const auto way_up = session_.graph.path_to(offered_[i], root_);
      if (!way_up) continue;
      for (const auto synset : *way_up) path.push_back(wordnet.name(synset));
      out_ << format_safely("     {}\n", fmt::format("{}", fmt::join(path, " › ")));
    }
  }

  const BuildSession& session_;
  taxonomy::SynsetIndex root_;
  std::ostream& out_;
  std::vector<taxonomy::SynsetIndex> offered_;
};

}  // namespace

std::string find_subject(const ClassSource& source, std::string_view text) {
  std::vector<std::string> known;
  for (std::size_t label = 0; label < source.classes.size(); ++label) {
    const auto& entry = source.classes[label];
    if (text == entry.super_class && !text.empty()) return entry.super_class;
    if (text == entry.name || text == entry.published || text == std::to_string(label)) {
      return entry.super_class.empty() ? subject_of(source, label) : entry.published;
    }
    known.push_back(entry.name);
  }
  throw Error(fmt::format("{} has no class '{}'{}", source.name, text, did_you_mean(text, known)));
}

void set_override(const BuildSession& session, const std::string& subject, const std::string& place,
                  const std::string& reason) {
  if (session.request.overrides) {
    for (const auto& entry : taxonomy::read_overrides(*session.request.overrides)) {
      if (entry.class_name != subject) continue;
      throw Error(fmt::format("'{}' is placed by {}, which wins: change it there", subject, entry.source));
    }
  }
  auto entries = taxonomy::parse_overrides(
      fmt::format("{}\t{}\t{}\n", subject, place, reason.empty() ? "-" : reason), "your choice");
  if (entries.size() != 1)
    throw Error(fmt::format("'{}' cannot be written to an overrides file: it begins with #", subject));
  auto options = resolve_options(session.request, session.source, session.home());
  options.overrides.push_back(entries);
  const auto trial = taxonomy::build_taxonomy(session.wordnet, session.graph, session.source.name,
                                              session.source.classes, options);
  const taxonomy::Taxonomy tried(trial.parts);  // throws when the path leads in a circle
  taxonomy::save_override(overrides_file(session.home(), session.source.name), entries.front());
}

std::vector<std::string> review_alike(const ClassSource& source, std::istream& in, std::ostream& out) {
  std::vector<std::string> merged;
  if (!source.dataset) return merged;
  const auto groups = find_alike_classes(*source.dataset);
  for (std::size_t i = 0; i < groups.size(); ++i) {
    const auto& kept = groups[i].spellings.front().name;
    out << format_safely("\n[{}/{}] these names look alike: {}\n", i + 1, groups.size(),
                         groups[i].in_words());
    for (bool answered = false; !answered;) {
      out << format_safely("  m makes them one class, {}; s leaves them, q ends\n> ", kept) << std::flush;
      std::string line;
      if (!std::getline(in, line)) return merged;
      const auto answer = trimmed(line);
      if (answer == "q") return merged;
      if (answer == "m") merged.push_back(kept);
      answered = answer == "m" || answer == "s";
    }
  }
  return merged;
}

// The most doubtful names first; those that have no place at all before them.
std::vector<ReviewItem> review_queue(const ClassSource& source, const taxonomy::BuiltTaxonomy& built) {
  std::vector<ReviewItem> queue;
  std::set<std::string> seen;
  for (std::size_t label = 0; label < source.classes.size(); ++label) {
    const auto& resolution = built.resolutions.classes[label];
    if (!resolution.ambiguous && resolution.how != taxonomy::Resolution::kUnresolved) continue;
    auto subject = subject_of(source, label);
    if (seen.insert(subject).second) queue.push_back({std::move(subject), label});
  }
  std::ranges::stable_sort(queue, std::ranges::greater{}, [&](const ReviewItem& item) {
    const auto& resolution = built.resolutions.classes[item.label];
    return resolution.how == taxonomy::Resolution::kUnresolved ? 1.0 : resolution.doubt;
  });
  return queue;
}

std::size_t review(const BuildSession& session, const taxonomy::BuiltTaxonomy& built, std::istream& in,
                   std::ostream& out) {
  const auto queue = review_queue(session.source, built);
  std::set<std::string> decided;
  if (!queue.empty()) {
    out << fmt::format(
        "{} names need a look. A number or a sense key decides; /word looks other words up; s skips, b goes "
        "back, q ends.\n",
        queue.size());
  }
  for (std::size_t i = 0; i < queue.size();) {
    const auto& item = queue[i];
    Question question(session, built, item.label, out);
    question.ask(built.resolutions.classes[item.label], item.subject, i + 1, queue.size());
    for (bool answered = false; !answered;) {
      out << "> " << std::flush;
      std::string line;
      if (!std::getline(in, line)) return decided.size();
      const std::string answer(trimmed(line));
      if (answer == "q") return decided.size();
      if (answer == "s" || answer == "b") {
        answered = true;
        if (answer == "s") ++i;
        if (answer == "b" && i > 0) --i;
      } else if (answer.starts_with('/')) {
        question.search(answer.substr(1));
      } else if (const auto place = question.place(answer)) {
        try {
          set_override(session, item.subject, *place, "chosen in taxo review");
          decided.insert(item.subject);
          answered = true;
          ++i;
        } catch (const Error& error) {
          out << format_safely("  {}\n", error.what());
        }
      } else {
        out << "  a number of the list, a sense key (duck%1:05:00::), /word, s, b or q\n";
      }
    }
  }
  return decided.size();
}

}  // namespace procsim::tools
