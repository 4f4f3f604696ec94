#pragma once

#include <cstdint>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

namespace procsim {

// Streams a CSV or TSV file, record by record. The separator is a tab or a semicolon (spreadsheets where a
// comma is a decimal mark) when the first line has more of them than commas. Quotes as in RFC 4180; a
// byte-order mark, any kind of line end and empty lines are accepted. Throws Error with file and line for a
// record of another width than the first, an open quote, text after a closing quote, bytes that are not
// UTF-8, and records longer than any real one.
class CsvReader {
 public:
  explicit CsvReader(std::filesystem::path path);

  // The first record: the column names.
  const std::vector<std::string>& header() const { return header_; }

  // The next record into `fields`, as many as the header has. False at the end.
  bool next(std::vector<std::string>& fields);

  // Where the record given last begins, 1 = the file's first line.
  std::int64_t line() const { return record_line_; }
  const std::filesystem::path& path() const { return path_; }

 private:
  int get();
  int get_unquoted();
  void read_quoted(std::string& field);
  bool read_record(std::vector<std::string>& fields);
  void choose_separator();
  [[noreturn]] void fail(std::int64_t line, const std::string& what) const;

  std::filesystem::path path_;
  std::ifstream in_;
  char separator_ = ',';
  std::int64_t line_ = 1;         // of the next byte
  std::int64_t record_line_ = 0;  // of the record given last
  std::size_t record_bytes_ = 0;
  std::vector<std::string> header_;
};

}  // namespace procsim
