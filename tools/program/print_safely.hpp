#pragma once

#include <string>
#include <string_view>
#include <type_traits>
#include <utility>

#include <fmt/format.h>

#include "data/base/letters.hpp"

namespace procsim::tools {

// Text as it may stand on a terminal, everything else as it is.
template <typename Value>
auto safe_argument(const Value& value) {
  if constexpr (std::is_convertible_v<const Value&, std::string_view>)
    return printable(std::string_view(value));
  else
    return value;
}
template <typename Value>
using SafeArgument = decltype(safe_argument(std::declval<const Value&>()));

// What people read: names and paths among the values come from files, so control characters in them are shown
// and not obeyed. JSON, CSV and what is made of several lines already go through fmt.
template <typename... Values>
std::string format_safely(fmt::format_string<SafeArgument<Values>...> format, const Values&... values) {
  return fmt::format(format, safe_argument(values)...);
}

// The same on stdout.
template <typename... Values>
void print_safely(fmt::format_string<SafeArgument<Values>...> format, const Values&... values) {
  fmt::print(format, safe_argument(values)...);
}

}  // namespace procsim::tools
