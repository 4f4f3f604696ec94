#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace procsim::taxonomy {

// Look-ups through the wn C library, the only place that includes wn.h.
//
// The library keeps its files and results in global variables, changes its arguments, and trusts its database
// blindly. So every call runs under one mutex of the whole process, on private copies of bounded length; and
// whoever makes an object of this class must have proven the files first (WordNetNouns,
// check_wordnet_side_files). Objects on different folders may live side by side: the library is pointed at
// the right one before a call. Safe from several threads.
class WnLibrary {
 public:
  // Throws Error when the path is longer than the library's buffers or the library does not start.
  explicit WnLibrary(std::filesystem::path folder);

  struct Entry {
    std::string lemma;                   // as the index spells it
    std::vector<std::uint32_t> offsets;  // of its synsets in data.noun, by sense number
    int counted = 0;                     // how many of them, the first ones, occur in WordNet's tagged texts
  };
  enum class Morphology { kSkip, kApply };
  // All nouns that the library finds for a word: its spellings (hyphens, underscores and periods exchanged or
  // left out), then, if asked for, its base forms by morphology ("geese" → goose), each lemma once. Nothing
  // for words that are empty, longer than WordNet's buffers allow, or hold anything but lower-case ASCII
  // letters, digits and ' . / - _
  std::vector<Entry> look_up(std::string_view word, Morphology morphology) const;

 private:
  std::filesystem::path folder_;
};

// Longest word that is handed to the library, whose buffers end at 256. WordNet's longest noun has 71
// letters.
inline constexpr std::size_t kLongestLookup = 128;

}  // namespace procsim::taxonomy
