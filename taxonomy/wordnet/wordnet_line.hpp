#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <filesystem>
#include <string_view>

#include "taxonomy/wordnet/wordnet_nouns.hpp"

namespace procsim::taxonomy {

// Takes one line of a WordNet file apart, field by field; every field ends with a space. Throws Error with
// the line's number where a field is not what the format says.
class WordNetLine {
 public:
  WordNetLine(const std::filesystem::path& file, std::size_t number, std::string_view text)
      : file_(file), number_(number), rest_(text) {}

  std::string_view field() {
    const auto end = rest_.find(' ');
    if (end == std::string_view::npos || end == 0) fail("a field is missing");
    const auto text = rest_.substr(0, end);
    rest_.remove_prefix(end + 1);
    return text;
  }

  // A number of exactly `width` digits, or of 1 to 3 digits when the width is 0.
  std::uint32_t number(std::size_t width, unsigned base = 10) {
    const auto text = field();
    if (width != 0 ? text.size() != width : text.size() > 3) fail("a number has the wrong length");
    std::uint32_t value = 0;
    for (const char c : text) value = value * base + digit(c, base);
    return value;
  }

  // The wn library copies words into buffers of 256 bytes.
  std::string_view word() {
    constexpr std::size_t kLongestWord = 200;
    const auto text = field();
    if (text.size() > kLongestWord) fail("a word is too long");
    return text;
  }

  void expect(std::string_view wanted) {
    if (field() != wanted) fail("a field has an unknown value");
  }

  void expect_one_of(std::span<const std::string_view> known) {
    const auto text = field();
    if (std::find(known.begin(), known.end(), text) == known.end()) fail("a field has an unknown value");
  }

  std::string_view rest() const { return rest_; }

  [[noreturn]] void fail(std::string_view what) const {
    fail_wordnet(file_, "line " + std::to_string(number_) + ": " + std::string(what));
  }

 private:
  std::uint32_t digit(char c, unsigned base) const {
    if (c >= '0' && c <= '9') return static_cast<std::uint32_t>(c - '0');
    if (base == 16 && c >= 'a' && c <= 'f') return static_cast<std::uint32_t>(c - 'a' + 10);
    fail("a number has a letter in it");
  }

  const std::filesystem::path& file_;
  std::size_t number_;
  std::string_view rest_;
};

// The lines of a file, which must end with a line end and hold printable ASCII only.
class WordNetLines {
 public:
  WordNetLines(const std::filesystem::path& file, std::string_view text);

  bool next();
  std::size_t number() const { return number_; }      // of the current line, from 1
  std::size_t position() const { return position_; }  // of the current line in the file
  std::string_view text() const { return line_; }
  WordNetLine fields() const { return {file_, number_, line_}; }

 private:
  const std::filesystem::path& file_;
  std::string_view text_;
  std::size_t end_ = 0;
  std::size_t position_ = 0;
  std::size_t number_ = 0;
  std::string_view line_;
};

// Reads the license lines (they begin with two spaces and their number) and returns the release they name;
// the lines stand on the first entry afterwards.
std::string skip_license(WordNetLines& lines, const std::filesystem::path& file);

}  // namespace procsim::taxonomy
