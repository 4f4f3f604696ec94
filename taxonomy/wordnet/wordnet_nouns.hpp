#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace procsim::taxonomy {

using SynsetIndex = std::uint32_t;

// WordNet's nouns, read from data.noun and index.noun by a parser that checks every byte it relies on.
// Reading is at the same time the proof that the wn C library, which checks nothing, can be let loose on the
// same files.
//
// What is checked: the license header; each line's offset against its position; the number and form of all
// fields; that every pointer to a noun lands on the beginning of a synset; that hypernyms and hyponyms agree;
// that there is no cycle; that index and data name the same words in the same synsets; that words are sorted;
// that the last line is complete.
class WordNetNouns {
 public:
  struct Word {
    std::string_view text;  // as in the file: "New_World_sparrow"
    std::uint8_t lex_id = 0;
  };

  // Throws Error with file and line, and the package to install.
  explicit WordNetNouns(const std::filesystem::path& folder);
  WordNetNouns(WordNetNouns&&) noexcept = default;

  std::size_t size() const { return synsets_.size(); }
  const std::string& release() const { return release_; }  // "3.0"

  std::uint32_t offset(SynsetIndex synset) const { return synsets_[synset].offset; }
  int lexicographer_file(SynsetIndex synset) const { return synsets_[synset].lexicographer_file; }
  std::span<const Word> words(SynsetIndex synset) const;
  std::string_view gloss(SynsetIndex synset) const { return synsets_[synset].gloss; }
  // Hypernyms in the file's order, instance hypernyms included.
  std::span<const SynsetIndex> hypernyms(SynsetIndex synset) const;

  std::optional<SynsetIndex> at_offset(std::uint32_t offset) const;
  // Synsets of a word exactly as the index spells it (lower case, underscores), in order of sense number.
  std::span<const SynsetIndex> senses(std::string_view lemma) const;

 private:
  struct Entry {
    std::uint32_t offset = 0;
    std::uint32_t first_word = 0;
    std::uint32_t first_hypernym = 0;
    std::uint16_t word_count = 0;
    std::uint16_t hypernym_count = 0;
    std::uint8_t lexicographer_file = 0;
    std::string_view gloss;
  };
  struct Lemma {
    std::string_view text;
    std::uint32_t first = 0;
    std::uint32_t count = 0;
  };
  class DataParser;
  class IndexParser;

  void build_offset_blocks();
  void build_lemma_slots();
  void check_relations(const std::filesystem::path& file, std::span<const std::uint64_t> hyponyms) const;

  std::unique_ptr<const std::string> data_;  // on the heap: views into them outlive a move
  std::unique_ptr<const std::string> index_;
  std::string release_;
  std::vector<Entry> synsets_;
  std::vector<Word> words_;
  std::vector<SynsetIndex> hypernyms_;
  std::vector<SynsetIndex> sense_list_;
  std::vector<Lemma> lemmas_;  // sorted by text
  std::vector<std::uint32_t>
      lemma_slots_;  // hash table with open addressing: index into lemmas_ plus 1, 0 = free
  std::vector<SynsetIndex> offset_blocks_;  // first synset at or after every 32nd byte of data.noun
};

// Checks that all files are there that the wn library opens. Throws Error like WordNetNouns.
void check_wordnet_files_exist(const std::filesystem::path& folder);

// The irregular plurals of noun.exc, sorted; the library reads that file, so it is checked like the others.
std::vector<std::string> read_irregular_nouns(const std::filesystem::path& folder);

// The message for a database that cannot be used: what is wrong, and what to install.
[[noreturn]] void fail_wordnet(const std::filesystem::path& file, std::string_view what);

}  // namespace procsim::taxonomy
