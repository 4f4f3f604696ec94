#include "taxonomy/resolve/car_name.hpp"

#include <algorithm>
#include <array>
#include <span>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "data/base/words.hpp"

namespace procsim::taxonomy {
namespace {

using Words = std::vector<std::string>;

// Makes of two words; every other make is the first word of the name.
constexpr std::array<std::string_view, 9> kTwoWordMakes = {"AM General",    "Alfa Romeo",  "Aston Martin",
                                                           "De Tomaso",     "Great Wall",  "Land Rover",
                                                           "Mercedes Benz", "Range Rover", "Rolls Royce"};

constexpr std::string_view kVanReason =
    "the name says van, which is a kind of truck to WordNet, outside car: hung below car";
constexpr std::string_view kPickupReason =
    "its cab is a pickup's, and a pickup is a kind of truck to WordNet, outside car: hung below car";

struct TypeEntry {
  std::string_view word;
  std::string_view sense;
  std::string_view below;
  std::string_view reason;
};
constexpr std::array<TypeEntry, 14> kTypes = {{
    {"SUV", "sport_utility%1:06:00::", "", ""},
    {"Sedan", "sedan%1:06:00::", "", ""},
    {"Coupe", "coupe%1:06:00::", "", ""},
    {"Convertible", "convertible%1:06:00::", "", ""},
    {"Cabriolet", "convertible%1:06:00::", "", ""},
    {"Hatchback", "hatchback%1:06:01::", "", ""},
    {"Wagon", "beach_wagon%1:06:00::", "", ""},
    {"Minivan", "minivan%1:06:00::", "", ""},
    {"Van", "car%1:06:00::", "van%1:06:00::", kVanReason},
    {"Pickup", "car%1:06:00::", "pickup%1:06:00::", kPickupReason},
    {"Cab", "car%1:06:00::", "pickup%1:06:00::", kPickupReason},
    {"SuperCab", "car%1:06:00::", "pickup%1:06:00::", kPickupReason},
    {"SuperCrew", "car%1:06:00::", "pickup%1:06:00::", kPickupReason},
    {"CrewMax", "car%1:06:00::", "pickup%1:06:00::", kPickupReason},
}};

// Words that say which body or drive of a model it is, not which model.
constexpr std::array<std::string_view, 12> kVariants = {"Cargo", "Classic",   "Club",     "Conv.",
                                                        "Crew",  "Double",    "Extended", "Hybrid",
                                                        "Mega",  "Passenger", "Quad",     "Regular"};

const TypeEntry* find_type(std::string_view word) {
  const auto found =
      std::find_if(kTypes.begin(), kTypes.end(), [&](const auto& entry) { return entry.word == word; });
  return found == kTypes.end() ? nullptr : &*found;
}

bool is_variant(std::string_view word) {
  return std::find(kVariants.begin(), kVariants.end(), word) != kVariants.end();
}

bool is_year(std::string_view word) {
  const bool digits = std::all_of(word.begin(), word.end(), [](char c) { return c >= '0' && c <= '9'; });
  return word.size() == 4 && digits && (word.starts_with("19") || word.starts_with("20"));
}

std::string take_make(Words& words) {
  if (words.empty()) return {};
  std::size_t count = 1;
  if (words.size() > 2) {
    const auto two = words[0] + ' ' + words[1];
    if (std::find(kTwoWordMakes.begin(), kTwoWordMakes.end(), two) != kTwoWordMakes.end()) count = 2;
  }
  const auto make =
      fmt::format("{}", fmt::join(words.begin(), words.begin() + static_cast<std::ptrdiff_t>(count), " "));
  words.erase(words.begin(), words.begin() + static_cast<std::ptrdiff_t>(count));
  return make;
}

// The last type word counts ("Cargo Van Minivan" is a minivan). Type words and variants next to it go with
// it, as long as something is left to be the model.
std::string take_type(Words& words) {
  const auto last =
      std::find_if(words.rbegin(), words.rend(), [](const auto& word) { return find_type(word) != nullptr; });
  if (last == words.rend()) return {};
  std::string type = std::move(*last);
  auto place = words.erase(last.base() - 1);
  while (place != words.begin() && words.size() > 1 &&
         (is_variant(*(place - 1)) || find_type(*(place - 1)) != nullptr)) {
    place = words.erase(place - 1);
  }
  return type;
}

}  // namespace

CarName parse_car_name(std::string_view name) {
  CarName car;
  const auto parts = split_words(name, " _");
  Words words(parts.begin(), parts.end());
  if (!words.empty() && is_year(words.back())) {
    car.year = words.back();
    words.pop_back();
  }
  car.make = take_make(words);
  car.type_word = take_type(words);
  car.model = fmt::format("{}", fmt::join(words, " "));
  return car;
}

std::optional<CarType> car_type(std::string_view type_word) {
  const auto* entry = find_type(type_word);
  if (entry == nullptr) return std::nullopt;
  return CarType{std::string(entry->sense), std::string(entry->below), std::string(entry->reason)};
}

}  // namespace procsim::taxonomy
