#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "taxonomy/wordnet/wn_library.hpp"
#include "taxonomy/wordnet/wordnet_nouns.hpp"

namespace procsim::taxonomy {

// One meaning of a noun.
struct Sense {
  std::string lemma;  // "sparrow"
  SynsetIndex synset = 0;
  int number = 0;        // WordNet's sense number of the lemma, from 1
  bool counted = false;  // met in WordNet's tagged texts: only these numbers say which sense is the usual one

  bool operator==(const Sense&) const = default;
};

// WordNet's nouns: the database is read and proven sound first, then words are looked up through the wn C
// library. All const functions may be called from several threads.
class WordNet {
 public:
  // The folder of the database: WNSEARCHDIR, else WNHOME/dict, else the first of the usual places that has
  // one. Throws Error with the package to install when there is none.
  static std::filesystem::path find_folder();

  // Throws Error, one line, for a database that is missing, cut off or damaged.
  explicit WordNet(const std::filesystem::path& folder = find_folder());

  std::size_t size() const { return nouns_.size(); }
  const std::string& release() const { return nouns_.release(); }

  // The senses of a word or collocation, words parted by spaces or underscores, in any case; plurals find
  // their singular. Words that WordNet does not know, and words that are no words (empty, 10,000 letters),
  // have none.
  std::vector<Sense> senses(std::string_view name) const;
  // The senses of a lemma in exactly this spelling, without the library: "red-winged_blackbird".
  std::span<const SynsetIndex> exact_senses(std::string_view lemma) const { return nouns_.senses(lemma); }

  std::string id(SynsetIndex synset) const;                  // "sparrow.n.01", as NLTK writes it
  std::string name(SynsetIndex synset) const;                // "New World sparrow"
  std::string sense_key(SynsetIndex synset) const;           // of its first word: "sparrow%1:05:00::"
  std::string wnid(SynsetIndex synset) const;                // "n01539573"
  std::vector<std::string> words(SynsetIndex synset) const;  // for people: "New World sparrow"
  std::string_view gloss(SynsetIndex synset) const { return nouns_.gloss(synset); }
  // WordNet's broad kind of it, by the file that it was written in: 5 animals, 6 artifacts, 13 food, …
  int lexicographer_file(SynsetIndex synset) const { return nouns_.lexicographer_file(synset); }
  std::span<const SynsetIndex> hypernyms(SynsetIndex synset) const { return nouns_.hypernyms(synset); }

  std::optional<SynsetIndex> find_id(std::string_view id) const;
  std::optional<SynsetIndex> find_sense_key(std::string_view key) const;
  // "n01440764": n and an offset of eight digits in data.noun.
  std::optional<SynsetIndex> find_wnid(std::string_view wnid) const;
  // By sense key or id. Throws Error that names the nearest known one.
  SynsetIndex find(std::string_view id_or_sense_key) const;

 private:
  bool is_known_spelling(const std::string& word) const;
  bool may_be_inflected(std::string_view word) const;

  WordNetNouns nouns_;
  std::vector<std::string> irregular_;  // sorted
  WnLibrary library_;
};

// Text as the look-up wants it: lower case, accents taken off, words parted by single underscores; hyphens,
// apostrophes and periods stay; anything else parts words.
std::string lookup_form(std::string_view text);

}  // namespace procsim::taxonomy
