#include "data/base/words.hpp"

#include <algorithm>

#include <fmt/format.h>

namespace procsim {

char lower_case(char letter) {
  return letter >= 'A' && letter <= 'Z' ? static_cast<char>(letter - 'A' + 'a') : letter;
}

std::string lower_case(std::string_view text) {
  std::string lowered(text);
  for (auto& letter : lowered) letter = lower_case(letter);
  return lowered;
}

std::string_view trimmed(std::string_view text) {
  constexpr std::string_view kBlank = " \t\r\n";
  const auto first = text.find_first_not_of(kBlank);
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(kBlank) - first + 1);
}

std::vector<std::string_view> split_words(std::string_view text, std::string_view separators) {
  std::vector<std::string_view> words;
  for (;;) {
    const auto begin = text.find_first_not_of(separators);
    if (begin == std::string_view::npos) return words;
    text.remove_prefix(begin);
    const auto end = std::min(text.find_first_of(separators), text.size());
    words.push_back(text.substr(0, end));
    text.remove_prefix(end);
  }
}

std::vector<std::string_view> split_lines(std::string_view text) {
  std::vector<std::string_view> lines;
  while (!text.empty()) {
    const auto end = std::min(text.find('\n'), text.size());
    auto line = text.substr(0, end);
    if (line.ends_with('\r')) line.remove_suffix(1);
    lines.push_back(line);
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return lines;
}

std::string first_line(std::string_view text) { return std::string(text.substr(0, text.find('\n'))); }

std::string first_few(std::span<const std::string> names, std::size_t most) {
  const auto named = names.first(std::min(most, names.size()));
  auto text = fmt::format("{}", fmt::join(named.begin(), named.end(), ", "));
  if (named.size() < names.size()) text += fmt::format(" and {} more", names.size() - named.size());
  return text;
}

std::string place_in_text(std::string_view text, std::size_t offset) {
  const auto before = text.substr(0, std::min(offset, text.size()));
  const auto start = before.rfind('\n');
  const auto column = start == std::string_view::npos ? before.size() + 1 : before.size() - start;
  return fmt::format("line {}, column {}", 1 + std::count(before.begin(), before.end(), '\n'), column);
}

}  // namespace procsim
