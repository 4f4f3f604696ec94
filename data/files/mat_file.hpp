#pragma once

#include <cstddef>
#include <filesystem>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace procsim {

// A struct array of a MATLAB file, copied out of it: a value per row and field.
class MatStructs {
 public:
  MatStructs(std::filesystem::path path, std::string name, std::vector<std::string> fields, std::size_t rows);

  std::size_t rows() const { return rows_; }
  bool has(std::string_view field) const;

  // The value of a field, rows counted from 0. Throw Error naming file, variable, row and field when there is
  // none or it is of the other kind. A logical counts as a number.
  const std::string& text(std::size_t row, std::string_view field) const;
  double number(std::size_t row, std::string_view field) const;
  // A whole number in [lowest, highest].
  long integer(std::size_t row, std::string_view field, long lowest, long highest) const;

  using Value = std::variant<std::monostate, double, std::string>;
  void set(std::size_t row, std::size_t field, Value value) {
    values_[row * fields_.size() + field] = std::move(value);
  }
  [[noreturn]] void fail(std::size_t row, std::string_view field, const std::string& what) const;

 private:
  const Value& at(std::size_t row, std::string_view field) const;

  std::filesystem::path path_;
  std::string name_;
  std::vector<std::string> fields_;
  std::size_t rows_ = 0;
  std::vector<Value> values_;
};

// A MATLAB file of version 5 to 7 (what `save` writes unless told -v7.3), read through matio. Its content is
// checked for sound structure before matio sees it, since matio trusts the sizes in a file. Safe to use from
// several threads.
class MatFile {
 public:
  // Throws Error when the file cannot be read, is of another version, or is damaged or cut short.
  explicit MatFile(std::filesystem::path path);

  bool has(std::string_view variable) const;

  // A struct array, and a cell array of text. Throw Error when the variable is not there or of another kind.
  MatStructs structs(const std::string& variable) const;
  std::vector<std::string> texts(const std::string& variable) const;

 private:
  std::filesystem::path path_;
  std::vector<std::string> variables_;
};

}  // namespace procsim
