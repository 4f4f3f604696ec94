#include "taxonomy/wordnet/wordnet.hpp"

#include <algorithm>
#include <array>
#include <cstdlib>

#include <fmt/format.h>

#include "data/base/error.hpp"
#include "data/base/number.hpp"
#include "data/base/suggest.hpp"
#include "data/base/words.hpp"
#include "taxonomy/wordnet/ascii_fold.hpp"

namespace procsim::taxonomy {
namespace {

WordNetNouns read_database(const std::filesystem::path& folder) {
  std::error_code ignored;
  if (!std::filesystem::is_directory(folder, ignored)) {
    throw Error(
        fmt::format("WordNet's database is not in {}: there is no such folder. Install it: apt-get install "
                    "wordnet-base",
                    folder.string()));
  }
  check_wordnet_files_exist(folder);
  return WordNetNouns(folder);
}

}  // namespace

std::filesystem::path WordNet::find_folder() {
  if (const char* folder = std::getenv("WNSEARCHDIR")) return folder;
  if (const char* home = std::getenv("WNHOME")) return std::filesystem::path(home) / "dict";
  constexpr const char* kUsualPlaces[] = {"/usr/share/wordnet", "/usr/local/share/wordnet",
                                          "/usr/local/WordNet-3.0/dict", "/opt/homebrew/opt/wordnet/dict",
                                          "/usr/share/WordNet/dict"};
  for (const char* place : kUsualPlaces) {
    std::error_code ignored;
    if (std::filesystem::exists(std::filesystem::path(place) / "data.noun", ignored)) return place;
  }
  throw Error(
      "WordNet's database was not found (/usr/share/wordnet). Install it: apt-get install wordnet-base, or "
      "set "
      "WNSEARCHDIR to its folder");
}

WordNet::WordNet(const std::filesystem::path& folder)
    : nouns_(read_database(folder)), irregular_(read_irregular_nouns(folder)), library_(folder) {}

// The spellings that the library tries: hyphens and underscores exchanged or left out, periods left out.
bool WordNet::is_known_spelling(const std::string& word) const {
  auto hyphens = word, underscores = word, joined = word, without_periods = word;
  std::replace(hyphens.begin(), hyphens.end(), '_', '-');
  std::replace(underscores.begin(), underscores.end(), '-', '_');
  std::erase_if(joined, [](char c) { return c == '_' || c == '-'; });
  std::erase(without_periods, '.');
  const std::array<std::string_view, 5> spellings = {word, hyphens, underscores, joined, without_periods};
  return std::any_of(spellings.begin(), spellings.end(),
                     [&](std::string_view spelling) { return !nouns_.senses(spelling).empty(); });
}

// Whether the library's morphology can do anything: it takes off plural endings and "ful", turns men into
// man, and knows a list of irregular nouns.
bool WordNet::may_be_inflected(std::string_view word) const {
  while (!word.empty()) {
    const auto end = std::min(word.find_first_of("_-"), word.size());
    const auto part = word.substr(0, end);
    if (part.ends_with('s') || part.ends_with("men") || part.ends_with("ful")) return true;
    if (std::binary_search(irregular_.begin(), irregular_.end(), part)) return true;
    word.remove_prefix(std::min(end + 1, word.size()));
  }
  return false;
}

std::vector<Sense> WordNet::senses(std::string_view name) const {
  const auto word = lookup_form(name);
  const bool inflected = may_be_inflected(word);
  // The library searches its files anew for every question: it is not asked where it can find nothing.
  if (!inflected && !is_known_spelling(word)) return {};
  std::vector<Sense> senses;
  const auto morphology = inflected ? WnLibrary::Morphology::kApply : WnLibrary::Morphology::kSkip;
  for (const auto& entry : library_.look_up(word, morphology)) {
    int number = 0;
    for (const auto offset : entry.offsets) {
      ++number;
      const auto synset = nouns_.at_offset(offset);
      if (!synset) continue;
      const bool known =
          std::any_of(senses.begin(), senses.end(), [&](const auto& s) { return s.synset == *synset; });
      if (!known) senses.push_back({entry.lemma, *synset, number, number <= entry.counted});
    }
  }
  return senses;
}

std::string WordNet::id(SynsetIndex synset) const {
  const auto lemma = lower_case(nouns_.words(synset).front().text);
  const auto senses = nouns_.senses(lemma);
  const auto number = std::find(senses.begin(), senses.end(), synset) - senses.begin() + 1;
  return fmt::format("{}.n.{:02}", lemma, number);
}

std::string WordNet::name(SynsetIndex synset) const { return words(synset).front(); }

std::string WordNet::sense_key(SynsetIndex synset) const {
  const auto& word = nouns_.words(synset).front();
  return fmt::format("{}%1:{:02}:{:02}::", lower_case(word.text), nouns_.lexicographer_file(synset),
                     word.lex_id);
}

std::string WordNet::wnid(SynsetIndex synset) const { return fmt::format("n{:08}", nouns_.offset(synset)); }

std::vector<std::string> WordNet::words(SynsetIndex synset) const {
  std::vector<std::string> words;
  for (const auto& word : nouns_.words(synset)) {
    words.emplace_back(word.text);
    std::replace(words.back().begin(), words.back().end(), '_', ' ');
  }
  return words;
}

std::optional<SynsetIndex> WordNet::find_id(std::string_view id) const {
  const auto dot = id.rfind(".n.");
  if (dot == std::string_view::npos) return std::nullopt;
  const auto number = parse_number<std::uint32_t>(id.substr(dot + 3));
  const auto senses = nouns_.senses(lower_case(id.substr(0, dot)));
  if (!number || *number == 0 || *number > senses.size()) return std::nullopt;
  return senses[*number - 1];
}

std::optional<SynsetIndex> WordNet::find_sense_key(std::string_view key) const {
  const auto percent = key.rfind('%');
  if (percent == std::string_view::npos) return std::nullopt;
  const auto lemma = lower_case(key.substr(0, percent));
  const auto rest = key.substr(percent + 1);  // "1:05:00::"
  if (rest.size() != 9 || !rest.starts_with("1:") || rest[4] != ':' || !rest.ends_with("::"))
    return std::nullopt;
  const auto file = parse_number<std::uint32_t>(rest.substr(2, 2));
  const auto lex_id = parse_number<std::uint32_t>(rest.substr(5, 2));
  if (!file || !lex_id) return std::nullopt;
  for (const auto synset : nouns_.senses(lemma)) {
    if (nouns_.lexicographer_file(synset) != static_cast<int>(*file)) continue;
    for (const auto& word : nouns_.words(synset)) {
      if (word.lex_id == *lex_id && lower_case(word.text) == lemma) return synset;
    }
  }
  return std::nullopt;
}

std::optional<SynsetIndex> WordNet::find_wnid(std::string_view wnid) const {
  if (wnid.size() != 9 || wnid[0] != 'n') return std::nullopt;
  const auto offset = parse_number<std::uint32_t>(wnid.substr(1));
  return offset ? nouns_.at_offset(*offset) : std::nullopt;
}

SynsetIndex WordNet::find(std::string_view id_or_sense_key) const {
  const bool is_key = id_or_sense_key.find('%') != std::string_view::npos;
  const auto found = is_key ? find_sense_key(id_or_sense_key) : find_id(id_or_sense_key);
  if (found) return *found;
  const auto word = is_key ? id_or_sense_key.substr(0, id_or_sense_key.rfind('%'))
                           : id_or_sense_key.substr(0, id_or_sense_key.rfind(".n."));
  std::vector<std::string> candidates;
  for (const auto& sense : senses(word))
    candidates.push_back(is_key ? sense_key(sense.synset) : id(sense.synset));
  auto hint = did_you_mean(id_or_sense_key, candidates);
  if (hint.empty() && !candidates.empty())
    hint = fmt::format("; its senses are {}", fmt::join(candidates, ", "));
  if (hint.empty()) hint = "; look it up with: taxo senses WORD";
  throw Error(
      fmt::format("WordNet has no noun '{}' (a sense key like bird%1:05:00:: or an id like bird.n.01){}",
                  id_or_sense_key, hint));
}

std::string lookup_form(std::string_view text) {
  std::string form;
  for (const char c : lower_case(fold_to_ascii(text))) {
    const bool keeps =
        (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '\'' || c == '.' || c == '/' || c == '-';
    if (keeps) {
      form += c;
    } else if (!form.empty() && form.back() != '_') {
      form += '_';
    }
  }
  while (!form.empty() && (form.back() == '_' || form.back() == '-')) form.pop_back();
  const auto first = form.find_first_not_of("_-");
  return first == std::string::npos ? std::string{} : form.substr(first);
}

}  // namespace procsim::taxonomy
