#include "data/base/number.hpp"

#include <charconv>
#include <cstdint>

namespace procsim {

template <typename Number>
std::optional<Number> parse_number(std::string_view text) {
  Number value{};
  const auto* end = text.data() + text.size();
  const auto [stop, code] = std::from_chars(text.data(), end, value);
  if (code != std::errc{} || stop != end) return std::nullopt;
  return value;
}

template std::optional<std::int32_t> parse_number(std::string_view text);
template std::optional<std::uint32_t> parse_number(std::string_view text);
template std::optional<std::int64_t> parse_number(std::string_view text);
template std::optional<std::uint64_t> parse_number(std::string_view text);
template std::optional<float> parse_number(std::string_view text);
template std::optional<double> parse_number(std::string_view text);

}  // namespace procsim
