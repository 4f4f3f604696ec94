#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace procsim::taxonomy {

// A class name taken apart for the look-up in WordNet.
struct ClassWords {
  std::vector<std::string> words;  // "red-winged", "blackbird": lower case, ASCII, hyphens kept inside
  std::vector<std::string> aside;  // words in parentheses: they describe, they are not part of the name
};

ClassWords split_class_name(std::string_view name);

// The look-ups for a name, longest first: the whole name, then shorter ends of it, at last the head noun. A
// phrase after a preposition is left out before words at the front are ("bird of paradise" → "bird"): the
// head stands before it.
struct NamePhrase {
  std::vector<std::string> words;
  bool full = false;  // the whole name
  bool head = false;  // one word only
};
std::vector<NamePhrase> phrases(const ClassWords& name);

// Ways to spell some words as one WordNet lemma: parted by underscores, hyphens or nothing, with a possessive
// at one word ("brewer blackbird" → "brewer's_blackbird"), gray as grey, a compound as two words
// ("frigatebird" → "frigate_bird"). The plain spelling comes first.
std::vector<std::string> spellings(const std::vector<std::string>& words);

}  // namespace procsim::taxonomy
