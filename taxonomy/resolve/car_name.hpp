#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace procsim::taxonomy {

// What a class name of Stanford Cars says: "Aston Martin V8 Vantage Convertible 2012".
struct CarName {
  std::string make;       // "Aston Martin"
  std::string model;      // "V8 Vantage": without body, cab and drive variants (Cargo, Crew Cab, Hybrid, …)
  std::string type_word;  // "Convertible", as written; empty when the name has none
  std::string year;       // "2012", empty when the name has none
};

// Never fails: what cannot be told apart becomes part of the model.
CarName parse_car_name(std::string_view name);

// Where a type word leads. A "Cab" is a pickup's, never a taxi; vans and pickups are trucks to WordNet
// (van.n.05 and pickup.n.01), outside car, so their synsets are hung below car.
struct CarType {
  std::string sense;   // sense key of the synset below or at car
  std::string below;   // sense key of the synset that is hung from it, empty when `sense` is the type itself
  std::string reason;  // why
};
std::optional<CarType> car_type(std::string_view type_word);

}  // namespace procsim::taxonomy
