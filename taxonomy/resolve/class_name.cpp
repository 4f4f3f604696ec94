#include "taxonomy/resolve/class_name.hpp"

#include <algorithm>
#include <array>

#include "data/base/words.hpp"
#include "taxonomy/wordnet/ascii_fold.hpp"
#include "taxonomy/wordnet/wordnet.hpp"

namespace procsim::taxonomy {
namespace {

constexpr std::size_t kMostAtomsToRespell = 5;  // 3^4 ways to part them
constexpr std::array<std::string_view, 7> kPrepositions = {"of",  "with", "in",     "on",
                                                           "for", "from", "without"};

std::vector<std::string> parts_of(std::string_view text, std::string_view separator) {
  const auto parts = split_words(text, separator);
  return {parts.begin(), parts.end()};
}

std::string join(const std::vector<std::string>& words, std::string_view separator) {
  std::string text;
  for (const auto& word : words) {
    if (!text.empty()) text += separator;
    text += word;
  }
  return text;
}

void add_once(std::vector<std::string>& list, std::string text) {
  if (std::find(list.begin(), list.end(), text) == list.end()) list.push_back(std::move(text));
}

bool is_preposition(const std::string& word) {
  return std::find(kPrepositions.begin(), kPrepositions.end(), word) != kPrepositions.end();
}

// All ways to part the atoms by '_', '-' or nothing.
void add_partings(const std::vector<std::string>& atoms, std::vector<std::string>& list) {
  constexpr std::array<std::string_view, 3> kSeparators = {"_", "-", ""};
  std::size_t ways = 1;
  for (std::size_t i = 1; i < atoms.size(); ++i) ways *= kSeparators.size();
  for (std::size_t way = 0; way < ways; ++way) {
    std::string text = atoms[0];
    auto digits = way;
    for (std::size_t i = 1; i < atoms.size(); ++i) {
      text += kSeparators[digits % kSeparators.size()];
      text += atoms[i];
      digits /= kSeparators.size();
    }
    list.push_back(std::move(text));
  }
}

// Every word but the last may have lost its possessive: "brewer" → "brewer's", "forsters" → "forster's".
std::vector<std::vector<std::string>> with_possessives(const std::vector<std::string>& atoms) {
  std::vector<std::vector<std::string>> variants = {atoms};
  for (std::size_t i = 0; i + 1 < atoms.size(); ++i) {
    const auto& word = atoms[i];
    if (word.size() < 3 || word.find('\'') != std::string::npos) continue;
    auto variant = atoms;
    variant[i] = word + "'s";
    variants.push_back(variant);
    if (word.back() != 's') continue;
    variant[i] = word.substr(0, word.size() - 1) + "'s";
    variants.push_back(variant);
  }
  return variants;
}

std::vector<std::vector<std::string>> with_gray_and_grey(std::vector<std::vector<std::string>> variants) {
  const auto count = variants.size();
  for (std::size_t i = 0; i < count; ++i) {
    auto other = variants[i];
    for (auto& word : other) {
      if (word == "gray") {
        word = "grey";
      } else if (word == "grey") {
        word = "gray";
      }
    }
    if (other != variants[i]) variants.push_back(std::move(other));
  }
  return variants;
}

// A compound may be two words to WordNet: "frigatebird" → "frigate_bird".
void add_cut_compounds(const std::vector<std::string>& atoms, std::vector<std::string>& list) {
  constexpr std::size_t kShortestPart = 3;
  const auto& last = atoms.back();
  for (std::size_t cut = kShortestPart; cut + kShortestPart <= last.size(); ++cut) {
    auto words = atoms;
    words.back() = last.substr(0, cut) + '_' + last.substr(cut);
    list.push_back(join(words, "_"));
  }
}

}  // namespace

ClassWords split_class_name(std::string_view name) {
  std::string outside, inside;
  int depth = 0;
  for (const char c : fold_to_ascii(name)) {
    if (c == '(' || c == '[') {
      ++depth;
      outside += ' ';
      inside += ' ';
    } else if (c == ')' || c == ']') {
      depth = std::max(0, depth - 1);
    } else {
      (depth > 0 ? inside : outside) += c;
    }
  }
  ClassWords result{parts_of(lookup_form(outside), "_"), parts_of(lookup_form(inside), "_")};
  if (result.words.empty()) std::swap(result.words, result.aside);  // "(sparrow)" is a sparrow
  return result;
}

std::vector<NamePhrase> phrases(const ClassWords& name) {
  std::vector<NamePhrase> result;
  auto words = name.words;
  if (words.empty()) return result;
  // Parameters of look-ups are bounded; nobody names a class with more words than this.
  constexpr std::size_t kMostWords = 12;
  if (words.size() > kMostWords) words.erase(words.begin(), words.end() - kMostWords);
  result.push_back({words, words.size() == name.words.size(), false});
  const auto preposition = std::find_if(words.begin() + 1, words.end(), is_preposition);
  if (preposition != words.end() && words.size() > 2) {
    words.erase(preposition, words.end());
    result.push_back({words, false, words.size() == 1});
  }
  while (words.size() > 1) {
    words.erase(words.begin());
    result.push_back({words, false, words.size() == 1});
  }
  // A hyphen can hide the head: "rosy-finch".
  const auto hyphen = words.front().rfind('-');
  if (hyphen != std::string::npos && hyphen + 1 < words.front().size()) {
    result.push_back({{words.front().substr(hyphen + 1)}, false, true});
  }
  return result;
}

std::vector<std::string> spellings(const std::vector<std::string>& words) {
  const auto plain = join(words, "_");
  const auto atoms = parts_of(lookup_form(join(parts_of(plain, "-"), "_")), "_");
  std::vector<std::string> list = {plain};
  if (atoms.empty() || atoms.size() > kMostAtomsToRespell || plain.size() > kLongestLookup) return list;
  for (const auto& variant : with_gray_and_grey(with_possessives(atoms))) add_partings(variant, list);
  add_cut_compounds(atoms, list);
  std::vector<std::string> unique;
  for (auto& text : list) add_once(unique, std::move(text));
  return unique;
}

}  // namespace procsim::taxonomy
