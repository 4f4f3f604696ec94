#include "data/sets/class_names.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <utility>
#include <vector>

#include "data/base/normal_text.hpp"
#include "data/base/words.hpp"

namespace procsim {
namespace {

// CUB writes a blank and a hyphen alike. These words never stand alone: with the word before them they
// describe a part of the body or a habit (Black-footed, Worm-eating). Only words for which that is certain:
// "crested", "spotted", "collared", "horned" and "ringed" also stand alone (Great Crested Flycatcher).
constexpr std::array<std::string_view, 34> kJoined = {
    "backed",     "banded",   "bellied", "billed",   "bodied",  "breasted", "browed", "capped", "cheeked",
    "chinned",    "cockaded", "colored", "coloured", "crowned", "eared",    "eating", "eyed",   "faced",
    "footed",     "fronted",  "haired",  "headed",   "legged",  "lored",    "naped",  "necked", "rumped",
    "shouldered", "sided",    "tailed",  "throated", "toed",    "vented",   "winged"};

// Names for which no rule finds the established form: an apostrophe was dropped, a compound noun was cut, or
// CUB has the word misspelt. Left: as CUB has it, without the number.
constexpr std::array<std::pair<std::string_view, std::string_view>, 23> kEstablished = {{
    {"Anna_Hummingbird", "Anna's Hummingbird"},
    {"Artic_Tern", "Arctic Tern"},  // misspelt in classes.txt
    {"Baird_Sparrow", "Baird's Sparrow"},
    {"Bewick_Wren", "Bewick's Wren"},
    {"Black_and_white_Warbler", "Black-and-white Warbler"},
    {"Brandt_Cormorant", "Brandt's Cormorant"},
    {"Brewer_Blackbird", "Brewer's Blackbird"},
    {"Brewer_Sparrow", "Brewer's Sparrow"},
    {"Chuck_will_Widow", "Chuck-will's-widow"},
    {"Clark_Nutcracker", "Clark's Nutcracker"},
    {"Forsters_Tern", "Forster's Tern"},
    {"Gray_crowned_Rosy_Finch", "Gray-crowned Rosy-Finch"},
    {"Harris_Sparrow", "Harris's Sparrow"},
    {"Heermann_Gull", "Heermann's Gull"},
    {"Henslow_Sparrow", "Henslow's Sparrow"},
    {"Le_Conte_Sparrow", "Le Conte's Sparrow"},
    {"Lincoln_Sparrow", "Lincoln's Sparrow"},
    {"Nelson_Sharp_tailed_Sparrow", "Nelson's Sharp-tailed Sparrow"},
    {"Scott_Oriole", "Scott's Oriole"},
    {"Swainson_Warbler", "Swainson's Warbler"},
    {"Western_Wood_Pewee", "Western Wood-Pewee"},
    {"Whip_poor_Will", "Whip-poor-will"},
    {"Wilson_Warbler", "Wilson's Warbler"},
}};

bool is_digit(char c) { return std::isdigit(static_cast<unsigned char>(c)) != 0; }

// "001.Name" and "n02085620-Name" without what stands in front; the whole when nothing would be left.
std::string_view without_number(std::string_view name) {
  std::size_t digits = 0;
  while (digits < name.size() && is_digit(name[digits])) ++digits;
  if (digits > 0 && digits + 1 < name.size() && name[digits] == '.' && !is_digit(name[digits + 1])) {
    return name.substr(digits + 1);
  }
  constexpr std::size_t kWordNetId = 9;  // n and eight digits
  const bool has_id = name.size() > kWordNetId + 1 && name[0] == 'n' &&
                      std::all_of(name.begin() + 1, name.begin() + kWordNetId, is_digit) &&
                      (name[kWordNetId] == '-' || name[kWordNetId] == '_');
  return has_id ? name.substr(kWordNetId + 1) : name;
}

}  // namespace

std::string clean_class_name(std::string_view published) {
  const auto bare = without_number(published);
  for (const auto& [name, established] : kEstablished) {
    if (name == bare) return std::string(established);
  }
  std::string cleaned;
  for (const auto word : split_words(bare, "_ \t")) {
    const bool joined = std::find(kJoined.begin(), kJoined.end(), word) != kJoined.end();
    if (!cleaned.empty()) cleaned.push_back(joined ? '-' : ' ');
    cleaned.append(word);
  }
  return cleaned.empty() ? std::string(published) : normal_text(cleaned);
}

}  // namespace procsim
