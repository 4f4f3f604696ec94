#pragma once

#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "data/sets/dataset.hpp"

namespace procsim::taxonomy {

// A line of an overrides file, which says where a class belongs whatever its name suggests:
//
//   class <TAB> sense key [ / node / node … ] <TAB> reason
//
// The class is its cleaned or published name, or the category of SOP. `#` begins a comment line. A path leads
// further down, through nodes that are made ("convertible%1:06:00:: / Audi / A5 / 2012") or through synsets
// that WordNet has elsewhere ("car%1:06:00:: / van%1:06:00::"): parts with a % are sense keys.
struct Override {
  std::string class_name;
  std::string sense;               // sense key or synset id
  std::vector<std::string> below;  // the rest of the path
  std::string reason;
  std::string source;     // "cub200.tsv:12", for messages
  bool built_in = false;  // does not mind when the data set has no such class
};

// Whether a part of a path is a sense key, not the name of a node.
bool is_sense_key(std::string_view part);

// `source` names the file in messages. Throws Error with the line for a wrong number of fields, an empty
// class or sense, or a class that comes twice.
std::vector<Override> parse_overrides(std::string_view text, std::string_view source);
std::vector<Override> read_overrides(const std::filesystem::path& file);

// Overrides that the project brings for a data set (taxonomy/resolve/overrides/<data set>.tsv); none for
// others.
std::vector<Override> built_in_overrides(std::string_view dataset);

// Puts `entry` into an overrides file, in place of the class's line if it has one, else at the end;
// everything else in the file stays as it is. Written atomically; the file is made when there is none.
void save_override(const std::filesystem::path& file, const Override& entry);

// Which override each class has; later lists win over earlier ones. Throws Error for a class that is not in
// `classes`, with the nearest one; built-in overrides may name more classes than a part of the data set has.
std::vector<std::optional<Override>> match_overrides(std::span<const DatasetClass> classes,
                                                     std::span<const std::vector<Override>> lists);

}  // namespace procsim::taxonomy
