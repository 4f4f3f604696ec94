#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace procsim::test {

// A synset of a database made for a test. `parents` are positions in the list.
struct MiniSynset {
  std::vector<std::string> words;
  std::string gloss;
  std::vector<std::size_t> parents;
  bool instance = false;
};

// Writes a small WordNet database that is sound in every respect, for tests that damage it.
void write_mini_wordnet(const std::filesystem::path& folder, const std::vector<MiniSynset>& synsets);

// A dozen birds and cars.
std::vector<MiniSynset> mini_synsets();

}  // namespace procsim::test
