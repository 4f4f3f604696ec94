#pragma once

#include <cstddef>
#include <string_view>

#include <nlohmann/json.hpp>

namespace procsim {

// What JSON from outside may have: to copy, compare or write a value takes stack for each level of it.
inline constexpr std::size_t kDeepestJson = 1000;

// How deep objects and lists are nested in JSON, brackets in strings aside; 0 where there are none. Asked
// before parsing: the parser's own callback looks at all earlier entries of a list again for each one.
std::size_t json_nesting(std::string_view text);

// The value; a discarded one where the text is no JSON or nested deeper than kDeepestJson.
template <typename Json>
Json parse_json(std::string_view text) {
  if (json_nesting(text) > kDeepestJson) return Json(Json::value_t::discarded);
  return Json::parse(text, nullptr, /*allow_exceptions=*/false);
}

}  // namespace procsim
