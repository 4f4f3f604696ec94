#pragma once

#include <cstdint>
#include <filesystem>
#include <fstream>
#include <string>
#include <string_view>
#include <vector>

namespace procsim {

// The lines of a small text format, with errors that name file and line. Empty lines are skipped; a
// byte-order mark and CRLF are accepted. Throws Error for zero bytes, bytes that are not UTF-8, and lines
// longer than any real one.
class TextLines {
 public:
  explicit TextLines(std::filesystem::path path);

  // Moves to the next line; false at the end.
  bool next();

  const std::string& line() const { return line_; }
  std::int64_t number() const { return number_; }
  // The words of the line, cut at blanks and tabs. They point into line().
  std::vector<std::string_view> words() const;
  // The words, of which there must be as many as `names` has ("image_id class_id").
  std::vector<std::string_view> words_as(std::string_view names) const;
  // A word as a whole number in [lowest, highest]; `name` says what it is.
  std::int64_t integer(std::string_view word, std::string_view name, std::int64_t lowest,
                       std::int64_t highest) const;
  float real(std::string_view word, std::string_view name) const;

  [[noreturn]] void fail(const std::string& what) const;
  const std::filesystem::path& path() const { return path_; }

 private:
  std::filesystem::path path_;
  std::ifstream in_;
  std::string line_;
  std::int64_t number_ = 0;
};

}  // namespace procsim
