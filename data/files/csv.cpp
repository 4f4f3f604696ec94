#include "data/files/csv.hpp"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <string_view>
#include <unordered_set>
#include <utility>

#include <fmt/format.h>

#include "data/base/error.hpp"
#include "data/base/normal_text.hpp"
#include "data/base/utf8.hpp"
#include "data/files/table.hpp"

namespace procsim {
namespace {

// An open quote swallows the rest of the file: this stops it long before the memory is full.
constexpr std::size_t kLongestRecord = 16u << 20;
constexpr int kEnd = std::char_traits<char>::eof();

}  // namespace

CsvReader::CsvReader(std::filesystem::path path) : path_(std::move(path)) {
  std::error_code code;
  if (std::filesystem::is_directory(path_, code)) throw Error(path_.string() + " is a folder, not a table");
  in_.open(path_, std::ios::binary);
  if (!in_) throw Error(fmt::format("cannot read {}: {}", path_.string(), std::strerror(errno)));
  choose_separator();
  if (!read_record(header_)) fail(1, "the table is empty; its first line must hold the column names");
  std::unordered_set<std::string_view> seen;
  for (auto& name : header_) {
    name = normal_text(name);
    if (!name.empty() && !seen.insert(name).second) {
      fail(record_line_, fmt::format("two columns are called '{}'", name));
    }
  }
}

// Looks at the first line without consuming more than a byte-order mark.
void CsvReader::choose_separator() {
  std::string start(4096, '\0');
  in_.read(start.data(), static_cast<std::streamsize>(start.size()));
  start.resize(static_cast<std::size_t>(in_.gcount()));
  in_.clear();
  const bool marked = start.starts_with("\xEF\xBB\xBF");
  in_.seekg(marked ? 3 : 0);
  if (start.starts_with("\xFF\xFE") || start.starts_with("\xFE\xFF")) {
    fail(1, "the text is UTF-16; save it as UTF-8");
  }
  bool quoted = false;
  int tabs = 0, commas = 0, semicolons = 0;
  for (const char c : start) {
    if (c == '"') quoted = !quoted;
    if (quoted) continue;
    if (c == '\n' || c == '\r') break;
    tabs += c == '\t';
    commas += c == ',';
    semicolons += c == ';';
  }
  if (tabs > commas) separator_ = '\t';
  if (semicolons > std::max(tabs, commas)) separator_ = ';';
}

void CsvReader::fail(std::int64_t line, const std::string& what) const {
  throw Error(fmt::format("{}, line {}: {}", path_.string(), line, what));
}

int CsvReader::get() {
  const int c = in_.rdbuf()->sbumpc();
  if (c == kEnd) return c;
  if (c == '\0') fail(line_, "there is a zero byte; is this a text file?");
  if (++record_bytes_ > kLongestRecord) {
    fail(record_line_,
         fmt::format("the row is longer than {} MiB; is a quote left open?", kLongestRecord >> 20));
  }
  line_ += c == '\n';
  return c;
}

// The next byte outside quotes: CRLF, LF and a lone CR all come as one line feed.
int CsvReader::get_unquoted() {
  const int c = get();
  if (c != '\r') return c;
  if (in_.rdbuf()->sgetc() == '\n') return get();
  ++line_;
  return '\n';
}

// After the opening quote; stops behind the closing one.
void CsvReader::read_quoted(std::string& field) {
  const auto opened = line_;
  for (;;) {
    const int c = get();
    if (c == kEnd) fail(opened, "a quote is opened and never closed");
    if (c != '"') {
      field.push_back(static_cast<char>(c));
    } else if (in_.rdbuf()->sgetc() == '"') {
      field.push_back(static_cast<char>(get()));
    } else {
      return;
    }
  }
}

bool CsvReader::read_record(std::vector<std::string>& fields) {
  fields.clear();
  record_bytes_ = 0;
  record_line_ = line_;
  std::string field;
  bool was_quoted = false;
  for (;;) {
    const int c = get_unquoted();
    const bool row_ends = c == '\n' || c == kEnd;
    if (row_ends && fields.empty() && field.empty() && !was_quoted) {  // an empty line
      if (c == kEnd) return false;
      record_line_ = line_;
      record_bytes_ = 0;
      continue;
    }
    if (row_ends || c == separator_) {
      if (!is_utf8(field)) fail(record_line_, fmt::format("column {} is not UTF-8", fields.size() + 1));
      fields.push_back(std::move(field));
      field.clear();
      was_quoted = false;
      if (row_ends) return true;
    } else if (was_quoted) {
      fail(line_, "there is text after a closing quote; a quote inside a quoted field is written twice");
    } else if (c == '"' && field.empty()) {
      read_quoted(field);
      was_quoted = true;
    } else {
      field.push_back(static_cast<char>(c));
    }
  }
}

bool CsvReader::next(std::vector<std::string>& fields) {
  if (!read_record(fields)) {
    if (in_.bad()) throw Error(fmt::format("reading {} failed before its end", path_.string()));
    return false;
  }
  if (fields.size() != header_.size()) {
    fail(record_line_, fmt::format("{} {} where the first line has {}", fields.size(),
                                   fields.size() == 1 ? "column" : "columns", header_.size()));
  }
  return true;
}

Table read_csv_table(const std::filesystem::path& path) {
  CsvReader reader(path);
  std::vector<std::vector<std::string>> columns(reader.header().size());
  std::vector<std::string> fields;
  while (reader.next(fields)) {
    for (std::size_t i = 0; i < fields.size(); ++i) columns[i].push_back(std::move(fields[i]));
  }
  Table table;
  for (std::size_t i = 0; i < columns.size(); ++i) {
    table.columns.push_back({reader.header()[i], std::move(columns[i])});
  }
  return table;
}

std::string csv_field(std::string_view text) {
  const bool outer_space = !text.empty() && (text.front() == ' ' || text.back() == ' ');
  if (!outer_space && text.find_first_of(",\"\r\n\t") == std::string_view::npos) return std::string(text);
  std::string quoted = "\"";
  for (const char c : text) {
    if (c == '"') quoted.push_back('"');
    quoted.push_back(c);
  }
  quoted.push_back('"');
  return quoted;
}

std::string without_formulas(std::string_view csv) {
  const auto is_number = [](std::string_view field) {
    return !field.empty() && field.find_first_not_of("0123456789.eE+-") == std::string_view::npos &&
           field.find_first_of("0123456789") != std::string_view::npos;
  };
  std::string safe;
  bool in_quotes = false, starts = true;
  for (std::size_t at = 0; at < csv.size(); ++at) {
    const char c = csv[at];
    if (starts && c != '"') {
      const auto field = csv.substr(at, csv.find_first_of(",\"\n", at) - at);
      const bool is_end = !in_quotes && (c == '\n' || c == '\r');
      if (!is_end && std::string_view("=+-@\t\r\n").find(c) != std::string_view::npos && !is_number(field))
        safe.push_back('\'');
      starts = false;
    } else if (starts) {
      starts = !in_quotes;  // an empty field in quotes
    }
    safe.push_back(c);
    if (c == '"') in_quotes = !in_quotes;
    if (!in_quotes && (c == ',' || c == '\n')) starts = true;
  }
  return safe;
}

}  // namespace procsim
