#include "tests/taxonomy/mini_wordnet.hpp"

#include <algorithm>
#include <fstream>
#include <map>

#include <fmt/format.h>

namespace procsim::test {
namespace {

const std::string kLicense =
    "  1 This database is made for a test.  \n"
    "  2 WordNet 3.0 Copyright 2006 by Princeton University.  All rights reserved.  \n";

std::string lower(std::string text) {
  std::transform(text.begin(), text.end(), text.begin(), [](unsigned char c) { return std::tolower(c); });
  return text;
}

std::string data_line(const std::vector<MiniSynset>& synsets, const std::vector<std::size_t>& offsets,
                      std::size_t i) {
  const auto& synset = synsets[i];
  std::string line = fmt::format("{:08} 05 n {:02x} ", offsets[i], synset.words.size());
  for (const auto& word : synset.words) line += word + " 0 ";
  std::string pointers;
  int count = 0;
  const auto point = [&](std::string_view symbol, std::size_t target) {
    pointers += fmt::format("{} {:08} n 0000 ", symbol, offsets[target]);
    ++count;
  };
  for (const auto parent : synset.parents) point(synset.instance ? "@i" : "@", parent);
  for (std::size_t child = 0; child < synsets.size(); ++child) {
    for (const auto parent : synsets[child].parents) {
      if (parent == i) point(synsets[child].instance ? "~i" : "~", child);
    }
  }
  return line + fmt::format("{:03} {}| {}  \n", count, pointers, synset.gloss);
}

}  // namespace

void write_mini_wordnet(const std::filesystem::path& folder, const std::vector<MiniSynset>& synsets) {
  std::filesystem::create_directories(folder);
  // Offsets have eight digits whatever they are, so the lengths of the first round hold.
  std::vector<std::size_t> offsets(synsets.size(), 0);
  std::string data;
  for (int round = 0; round < 2; ++round) {
    data = kLicense;
    for (std::size_t i = 0; i < synsets.size(); ++i) {
      const auto start = data.size();
      data += data_line(synsets, offsets, i);
      offsets[i] = start;
    }
  }
  std::map<std::string, std::vector<std::size_t>> senses;
  for (std::size_t i = 0; i < synsets.size(); ++i) {
    for (const auto& word : synsets[i].words) senses[lower(word)].push_back(offsets[i]);
  }
  std::string index = kLicense;
  for (const auto& [lemma, places] : senses) {
    index += fmt::format("{} n {} 2 @ ~ {} 0 ", lemma, places.size(), places.size());
    for (const auto place : places) index += fmt::format("{:08} ", place);
    index += " \n";
  }
  const auto write = [&](const std::string& name, const std::string& text) {
    std::ofstream(folder / name, std::ios::binary) << text;
  };
  write("data.noun", data);
  write("index.noun", index);
  write("noun.exc", "birdies bird\ngeese goose\nwolves wolf\n");
  for (const std::string part : {"verb", "adj", "adv"}) {
    write("data." + part, kLicense);
    write("index." + part, kLicense);
    write(part + ".exc", "went go\n");
  }
}

std::vector<MiniSynset> mini_synsets() {
  return {
      {{"entity"}, "all that is", {}},
      {{"animal", "beast"}, "a living thing that moves", {0}},
      {{"bird"}, "warm-blooded animal with feathers", {1}},
      {{"sparrow", "true_sparrow"}, "small brown bird of the Old World", {2}},
      {{"sparrow", "New_World_sparrow"}, "small brown bird of America", {2}},
      {{"house_sparrow", "Passer_domesticus"}, "sparrow of the towns", {3}},
      {{"gull", "sea_gull"}, "white bird of the coast", {2}},
      {{"herring_gull"}, "the gull of the harbours", {6}},
      {{"vehicle"}, "thing that carries", {0}},
      {{"car", "auto"}, "vehicle with four wheels", {8}},
      {{"sedan"}, "car with four doors", {9}},
      {{"Jonathan_Livingston"}, "a gull in a book", {6}, true},
  };
}

}  // namespace procsim::test
