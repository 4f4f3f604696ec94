#include "data/files/text_lines.hpp"

#include <cerrno>
#include <cmath>
#include <cstring>
#include <utility>

#include <fmt/format.h>

#include "data/base/error.hpp"
#include "data/base/letters.hpp"
#include "data/base/number.hpp"
#include "data/base/utf8.hpp"
#include "data/base/words.hpp"

namespace procsim {
namespace {

constexpr std::size_t kLongestLine = 64u << 10;
constexpr std::size_t kLongestShown = 60;

}  // namespace

TextLines::TextLines(std::filesystem::path path) : path_(std::move(path)) {
  std::error_code code;
  if (std::filesystem::is_directory(path_, code))
    throw Error(path_.string() + " is a folder, not a text file");
  in_.open(path_, std::ios::binary);
  if (!in_) throw Error(fmt::format("cannot read {}: {}", path_.string(), std::strerror(errno)));
}

bool TextLines::next() {
  for (;;) {
    line_.clear();
    ++number_;
    auto& bytes = *in_.rdbuf();
    constexpr int kEnd = std::char_traits<char>::eof();
    int c = bytes.sbumpc();
    if (c == kEnd) return false;
    for (; c != '\n' && c != kEnd; c = bytes.sbumpc()) {
      if (line_.size() == kLongestLine)
        fail(fmt::format("the line is longer than {} KiB", kLongestLine >> 10));
      line_.push_back(static_cast<char>(c));
    }
    if (number_ == 1 && line_.starts_with("\xEF\xBB\xBF")) line_.erase(0, 3);
    if (line_.ends_with('\r')) line_.pop_back();
    if (trimmed(line_).empty()) continue;
    if (line_.find('\0') != std::string::npos) fail("there is a zero byte; is this a text file?");
    if (!is_utf8(line_)) fail("the text is not UTF-8");
    return true;
  }
}

std::vector<std::string_view> TextLines::words() const { return split_words(line_); }

std::vector<std::string_view> TextLines::words_as(std::string_view names) const {
  auto found = words();
  const auto wanted = split_words(names).size();
  if (found.size() != wanted) {
    fail(fmt::format("{} {}, expected {}: {}", found.size(), found.size() == 1 ? "field" : "fields", wanted,
                     names));
  }
  return found;
}

std::int64_t TextLines::integer(std::string_view word, std::string_view name, std::int64_t lowest,
                                std::int64_t highest) const {
  const auto value = parse_number<std::int64_t>(word);
  if (!value) fail(fmt::format("{} is '{}', expected a whole number", name, shortened(word, kLongestShown)));
  if (*value < lowest || *value > highest) {
    fail(highest == INT64_MAX ? fmt::format("{} is {}, expected {} or more", name, *value, lowest)
                              : fmt::format("{} is {}, expected {} to {}", name, *value, lowest, highest));
  }
  return *value;
}

float TextLines::real(std::string_view word, std::string_view name) const {
  const auto value = parse_number<float>(word);
  if (!value || !std::isfinite(*value))
    fail(fmt::format("{} is '{}', expected a number", name, shortened(word, kLongestShown)));
  return *value;
}

void TextLines::fail(const std::string& what) const {
  throw Error(fmt::format("{}, line {}: {}", path_.string(), number_, what));
}

}  // namespace procsim
