#include "tools/program/validators.hpp"

#include <algorithm>
#include <cstdint>
#include <limits>
#include <sstream>
#include <string_view>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "data/base/number.hpp"
#include "data/base/suggest.hpp"
#include "data/base/words.hpp"
#include "data/files/remote_copy.hpp"

namespace procsim::tools {
namespace {

// The name of a validator that knows the words begins so, and has one on each line: CLI11 keeps nothing else
// of it.
constexpr std::string_view kWords = "words\n";

// What is written for a count that has no limit.
constexpr std::string_view kAll = "all";

// The name of the validator of what is written.
constexpr std::string_view kWrittenHere = "written here";

std::string name_with(const std::vector<std::string>& words) {
  return fmt::format("{}{}", kWords, fmt::join(words, "\n"));
}

std::vector<std::string> validator_names(CLI::Option& option) {
  std::vector<std::string> names;
  try {
    for (int i = 0;; ++i) names.push_back(option.get_validator(i)->get_name());
  } catch (const CLI::OptionNotFound&) {
    return names;  // CLI11 does not say how many there are
  }
}

std::optional<std::uint64_t> whole_number(std::string_view text) { return parse_number<std::uint64_t>(text); }

}  // namespace

CLI::Validator one_of(std::vector<std::string> words) {
  const auto shown = fmt::format("{{{}}}", fmt::join(words, ","));
  const auto name = name_with(words);
  const auto check = [words = std::move(words)](std::string& text) -> std::string {
    if (std::find(words.begin(), words.end(), text) != words.end()) return {};
    return fmt::format("'{}' is none of {}{}", text, fmt::join(words, ", "), did_you_mean(text, words));
  };
  return {check, shown, name};
}

CLI::Validator offering(std::vector<std::string> words) {
  for (auto& word : words)
    if (word.ends_with("FILE")) word.resize(word.size() - std::string_view("FILE").size());
  return {[](std::string&) { return std::string(); }, "", name_with(words)};
}

std::vector<std::string> words_of(CLI::Option& option) {
  std::vector<std::string> words;
  for (const auto& name : validator_names(option)) {
    if (!name.starts_with(kWords)) continue;
    for (std::istringstream lines(name.substr(kWords.size())); lines;)
      if (std::string word; std::getline(lines, word)) words.push_back(word);
  }
  return words;
}

CLI::Validator written_here() {
  const auto check = [](std::string& word) -> std::string {
    if (!is_uri(word)) return {};
    return fmt::format("it writes on this machine; give it a path, and copy that to {} when it is done",
                       without_password(word));
  };
  return {check, "", std::string(kWrittenHere)};
}

bool is_written_here(CLI::Option& option) {
  const auto names = validator_names(option);
  return std::find(names.begin(), names.end(), kWrittenHere) != names.end();
}

CLI::Validator probability() {
  const auto check = [](std::string& text) -> std::string {
    std::string_view number(text);
    const bool has_sign = number.ends_with('%');
    if (has_sign) number = trimmed(number.substr(0, number.size() - 1));
    const auto value = parse_number<double>(number);
    if (value && !has_sign && *value >= 0 && *value <= 1) return {};
    if (value && *value >= 0 && *value <= 100)
      return fmt::format("{} is no probability; write {} for {} %", text, *value / 100, *value);
    return fmt::format("{} is no probability; write a number from 0 to 1, such as 0.2", text);
  };
  return {check, "PROBABILITY"};
}

CLI::Validator seed() {
  const auto check = [](std::string& text) -> std::string {
    if (whole_number(text)) return {};
    return fmt::format("{} is no seed; write a whole number from 0 on", text);
  };
  return {check, "SEED"};
}

CLI::Validator count() {
  const auto check = [](std::string& text) -> std::string {
    if (whole_number(text)) return {};
    return fmt::format("{} is no count; write a whole number from 0 on", text);
  };
  return {check, ""};
}

CLI::Validator count_or_all(std::size_t least) {
  const auto check = [least](std::string& text) -> std::string {
    if (text == kAll) {
      text = std::to_string(std::numeric_limits<std::size_t>::max());
      return {};
    }
    if (const auto number = whole_number(text); number && *number >= least) return {};
    return fmt::format("{} is no count; write a whole number from {} on, or {}", text, least, kAll);
  };
  return {check, "", name_with({std::string(kAll)})};
}

}  // namespace procsim::tools
