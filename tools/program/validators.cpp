#include "tools/program/validators.hpp"

#include <algorithm>
#include <charconv>
#include <cstdint>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "data/base/suggest.hpp"

namespace procsim::tools {
namespace {

bool is_whole_number(std::string_view text) {
  std::uint64_t value = 0;
  const auto [end, code] = std::from_chars(text.data(), text.data() + text.size(), value);
  return code == std::errc{} && end == text.data() + text.size();
}

}  // namespace

CLI::Validator one_of(std::vector<std::string> words) {
  const auto shown = fmt::format("{{{}}}", fmt::join(words, ","));
  const auto check = [words = std::move(words)](std::string& text) -> std::string {
    if (std::find(words.begin(), words.end(), text) != words.end()) return {};
    return fmt::format("'{}' is none of {}{}", text, fmt::join(words, ", "), did_you_mean(text, words));
  };
  return {check, shown};
}

CLI::Validator probability() {
  const auto check = [](std::string& text) -> std::string {
    double value = 0;
    const auto [end, code] = std::from_chars(text.data(), text.data() + text.size(), value);
    const bool is_number = code == std::errc{} && end == text.data() + text.size();
    if (is_number && value >= 0 && value <= 1) return {};
    const bool is_percent =
        code == std::errc{} && value >= 0 && value <= 100 && (is_number || text.ends_with('%'));
    if (is_percent) return fmt::format("{} is no probability; write {} for {} %", text, value / 100, value);
    return fmt::format("{} is no probability; write a number from 0 to 1, such as 0.2", text);
  };
  return {check, "PROBABILITY"};
}

CLI::Validator seed() {
  const auto check = [](std::string& text) -> std::string {
    if (is_whole_number(text)) return {};
    return fmt::format("{} is no seed; write a whole number from 0 on", text);
  };
  return {check, "SEED"};
}

CLI::Validator count() {
  const auto check = [](std::string& text) -> std::string {
    if (is_whole_number(text)) return {};
    return fmt::format("{} is no count; write a whole number from 0 on", text);
  };
  return {check, ""};
}

}  // namespace procsim::tools
