#pragma once

#include <optional>
#include <string_view>

namespace procsim {

// The whole of `text` as a number, in every locale: nothing for an empty text, blanks, a leading +, anything
// behind the number, or one that does not fit into the type. Of floating point, "inf" and "nan" are numbers.
// For std::int32_t, std::uint32_t, std::int64_t, std::uint64_t, float and double.
template <typename Number>
std::optional<Number> parse_number(std::string_view text);

}  // namespace procsim
