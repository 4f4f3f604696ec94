#pragma once

#include <string>
#include <string_view>
#include <vector>

#include <nlohmann/json_fwd.hpp>

namespace procsim::train {

// A setting as it stands on the command line: "--ms-alpha" of ms_alpha, adam of "adam", 0.5 of 0.5.
std::string option_name(std::string_view field);
std::string option_text(const nlohmann::ordered_json& value);

// The words that a field of the configuration is one of, in the order of messages; empty where anything goes,
// and for methods, losses and confidences, whose names the registry has. A word that ends in FILE stands for
// its like.
std::vector<std::string> choices_of(std::string_view field);

}  // namespace procsim::train
