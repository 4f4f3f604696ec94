#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace procsim {

// ASCII's small letters; other letters and bytes stay as they are, in every locale.
char lower_case(char letter);
std::string lower_case(std::string_view text);

// Without blanks, tabs and line ends at both ends. Points into `text`.
std::string_view trimmed(std::string_view text);

// What stands between the separators, empty pieces left out. Points into `text`.
std::vector<std::string_view> split_words(std::string_view text, std::string_view separators = " \t");

// Lines without their ends (LF or CRLF); an end at the very end begins no line. Points into `text`.
std::vector<std::string_view> split_lines(std::string_view text);

// Of a message of several lines, what fits into ours.
std::string first_line(std::string_view text);

// "a, b, c and 4 more"
std::string first_few(std::span<const std::string> names, std::size_t most);

// "line 3, column 7" of the byte at `offset`, counted from 1. Columns are bytes.
std::string place_in_text(std::string_view text, std::size_t offset);

}  // namespace procsim
