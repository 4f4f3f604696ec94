#include "data/files/mat_file.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <limits>
#include <memory>
#include <mutex>
#include <optional>
#include <utility>

#include <fmt/format.h>
#include <matio.h>

#include "data/base/error.hpp"
#include "data/base/utf8.hpp"
#include "data/files/mat_check.hpp"

namespace procsim {
namespace {

// matio keeps its log function in a global and is not thread-safe: every use of it happens under this lock.
std::mutex& matio_lock() {
  static std::mutex lock;
  return lock;
}

// What matio said since the lock was taken; guarded by the lock.
std::string& matio_message() {
  static std::string message;
  return message;
}

void keep_message(int level, char* message) {
  if (level == MATIO_LOG_LEVEL_MESSAGE || level == MATIO_LOG_LEVEL_DEBUG || !matio_message().empty()) return;
  matio_message() = message;
}

struct CloseMat {
  void operator()(mat_t* mat) const { Mat_Close(mat); }
};
struct FreeVariable {
  void operator()(matvar_t* variable) const { Mat_VarFree(variable); }
};
using Variable = std::unique_ptr<matvar_t, FreeVariable>;

// An open file under the lock. matio's complaints become Error instead of text on stderr.
class Session {
 public:
  explicit Session(const std::filesystem::path& path) : lock_(matio_lock()), path_(path) {
    matio_message().clear();
    Mat_LogInitFunc("procsim", keep_message);
    mat_.reset(Mat_Open(path.c_str(), MAT_ACC_RDONLY));
    if (!mat_) fail();
  }

  std::vector<std::string> variables() {
    std::size_t count = 0;
    char* const* names = Mat_GetDir(mat_.get(), &count);
    if (names == nullptr || !matio_message().empty()) fail();
    return {names, names + count};
  }

  Variable read(const std::string& name) {
    Variable variable(Mat_VarRead(mat_.get(), name.c_str()));
    if (!variable || !matio_message().empty()) fail();
    return variable;
  }

 private:
  [[noreturn]] void fail() const {
    auto message = matio_message();
    std::replace(message.begin(), message.end(), '\n', ' ');
    while (message.ends_with(' ')) message.pop_back();
    throw Error(fmt::format("{} is damaged{}{}", path_.string(), message.empty() ? "" : ": ", message));
  }

  std::lock_guard<std::mutex> lock_;
  const std::filesystem::path& path_;
  std::unique_ptr<mat_t, CloseMat> mat_;
};

std::size_t element_count(const matvar_t& variable) {
  std::size_t count = 1;
  for (int i = 0; i < variable.rank; ++i) count *= variable.dims[i];
  return count;
}

// That the variable's data really has this many elements of its own.
void require_cells(const matvar_t& variable, std::size_t count, const std::filesystem::path& path) {
  if (count <= variable.nbytes / sizeof(matvar_t*)) return;
  throw Error(fmt::format("{} is damaged: {} has fewer elements than it says", path.string(), variable.name));
}

// Code units of 1, 2 or 4 bytes as UTF-8; pairs of UTF-16 surrogates are joined.
template <typename Unit>
std::string utf8_from(const matvar_t& variable) {
  const auto count = std::min(element_count(variable), variable.nbytes / sizeof(Unit));
  std::vector<Unit> units(count);
  if (count > 0) std::memcpy(units.data(), variable.data, count * sizeof(Unit));
  std::string text;
  for (std::size_t i = 0; i < count; ++i) {
    std::uint32_t code = units[i];
    if (sizeof(Unit) == 2 && code >= 0xD800 && code < 0xDC00 && i + 1 < count) {
      code = 0x10000 + ((code - 0xD800) << 10) + (static_cast<std::uint32_t>(units[++i]) - 0xDC00);
    }
    append_utf8(text, code);
  }
  return text;
}

std::optional<std::string> text_of(const matvar_t& variable) {
  if (variable.class_type != MAT_C_CHAR) return std::nullopt;
  if (variable.data == nullptr) return std::string();
  if (variable.rank != 2 || (variable.dims[0] != 1 && element_count(variable) != 0)) return std::nullopt;
  std::string text;
  switch (variable.data_type) {
    case MAT_T_UTF8:
      text.assign(static_cast<const char*>(variable.data), variable.nbytes);
      break;
    case MAT_T_INT8:
    case MAT_T_UINT8:
      text = utf8_from<std::uint8_t>(variable);
      break;
    case MAT_T_UINT16:
    case MAT_T_UTF16:
      text = utf8_from<std::uint16_t>(variable);
      break;
    case MAT_T_UINT32:
    case MAT_T_UTF32:
      text = utf8_from<std::uint32_t>(variable);
      break;
    default:
      return std::nullopt;
  }
  if (!is_utf8(text) || text.find('\0') != std::string::npos) return std::nullopt;
  return text;
}

template <typename Number>
std::optional<double> number_as(const matvar_t& variable) {
  if (variable.nbytes < sizeof(Number)) return std::nullopt;
  Number value;
  std::memcpy(&value, variable.data, sizeof value);
  return static_cast<double>(value);
}

std::optional<double> number_of(const matvar_t& variable) {
  if (variable.data == nullptr || variable.isComplex != 0 || element_count(variable) != 1)
    return std::nullopt;
  if (variable.class_type < MAT_C_DOUBLE || variable.class_type > MAT_C_UINT64) return std::nullopt;
  switch (variable.data_type) {
    case MAT_T_DOUBLE:
      return number_as<double>(variable);
    case MAT_T_SINGLE:
      return number_as<float>(variable);
    case MAT_T_INT8:
      return number_as<std::int8_t>(variable);
    case MAT_T_UINT8:
      return number_as<std::uint8_t>(variable);
    case MAT_T_INT16:
      return number_as<std::int16_t>(variable);
    case MAT_T_UINT16:
      return number_as<std::uint16_t>(variable);
    case MAT_T_INT32:
      return number_as<std::int32_t>(variable);
    case MAT_T_UINT32:
      return number_as<std::uint32_t>(variable);
    case MAT_T_INT64:
      return number_as<std::int64_t>(variable);
    case MAT_T_UINT64:
      return number_as<std::uint64_t>(variable);
    default:
      return std::nullopt;
  }
}

MatStructs::Value value_of(const matvar_t* variable) {
  if (variable == nullptr) return {};
  if (auto text = text_of(*variable)) return std::move(*text);
  if (const auto number = number_of(*variable)) return *number;
  return {};
}

}  // namespace

MatStructs::MatStructs(std::filesystem::path path, std::string name, std::vector<std::string> fields,
                       std::size_t rows)
    : path_(std::move(path)), name_(std::move(name)), fields_(std::move(fields)), rows_(rows) {
  values_.resize(rows_ * fields_.size());
}

bool MatStructs::has(std::string_view field) const {
  return std::find(fields_.begin(), fields_.end(), field) != fields_.end();
}

void MatStructs::fail(std::size_t row, std::string_view field, const std::string& what) const {
  throw Error(fmt::format("{}, {}({}).{}: {}", path_.string(), name_, row + 1, field, what));
}

const MatStructs::Value& MatStructs::at(std::size_t row, std::string_view field) const {
  const auto found = std::find(fields_.begin(), fields_.end(), field);
  if (found == fields_.end()) {
    throw Error(fmt::format("{}: {} has no field '{}'; it has: {}", path_.string(), name_, field,
                            fmt::join(fields_, ", ")));
  }
  return values_[row * fields_.size() + static_cast<std::size_t>(found - fields_.begin())];
}

const std::string& MatStructs::text(std::size_t row, std::string_view field) const {
  const auto* text = std::get_if<std::string>(&at(row, field));
  if (text == nullptr) fail(row, field, "expected text");
  return *text;
}

double MatStructs::number(std::size_t row, std::string_view field) const {
  const auto* number = std::get_if<double>(&at(row, field));
  if (number == nullptr) fail(row, field, "expected a number");
  return *number;
}

long MatStructs::integer(std::size_t row, std::string_view field, long lowest, long highest) const {
  const double value = number(row, field);
  if (!(value >= static_cast<double>(lowest) && value <= static_cast<double>(highest)) ||
      value != std::floor(value)) {
    fail(row, field, fmt::format("it is {}, expected a whole number from {} to {}", value, lowest, highest));
  }
  return static_cast<long>(value);
}

MatFile::MatFile(std::filesystem::path path) : path_(std::move(path)) {
  check_mat_file(path_);
  variables_ = Session(path_).variables();
}

bool MatFile::has(std::string_view variable) const {
  return std::find(variables_.begin(), variables_.end(), variable) != variables_.end();
}

MatStructs MatFile::structs(const std::string& variable) const {
  if (!has(variable)) {
    throw Error(fmt::format("{} has no variable '{}'; it has: {}", path_.string(), variable,
                            fmt::join(variables_, ", ")));
  }
  Session session(path_);
  const auto content = session.read(variable);
  if (content->class_type != MAT_C_STRUCT) {
    throw Error(fmt::format("{}: variable '{}' is not a struct array", path_.string(), variable));
  }
  const auto field_count = Mat_VarGetNumberOfFields(content.get());
  char* const* names = Mat_VarGetStructFieldnames(content.get());
  const auto rows = field_count == 0 || content->data == nullptr ? 0 : element_count(*content);
  MatStructs structs(path_, variable, {names, names + field_count}, rows);
  require_cells(*content, rows * field_count, path_);
  auto* const* values = static_cast<matvar_t* const*>(content->data);
  for (std::size_t row = 0; row < rows; ++row) {
    for (std::size_t field = 0; field < field_count; ++field) {
      structs.set(row, field, value_of(values[row * field_count + field]));
    }
  }
  return structs;
}

std::vector<std::string> MatFile::texts(const std::string& variable) const {
  if (!has(variable)) {
    throw Error(fmt::format("{} has no variable '{}'; it has: {}", path_.string(), variable,
                            fmt::join(variables_, ", ")));
  }
  Session session(path_);
  const auto content = session.read(variable);
  if (content->class_type != MAT_C_CELL) {
    throw Error(fmt::format("{}: variable '{}' is not a cell array", path_.string(), variable));
  }
  auto* const* cells = static_cast<matvar_t* const*>(content->data);
  const auto count = cells == nullptr ? 0 : element_count(*content);
  require_cells(*content, count, path_);
  std::vector<std::string> texts;
  for (std::size_t i = 0; i < count; ++i) {
    auto text = cells[i] == nullptr ? std::nullopt : text_of(*cells[i]);
    if (!text) throw Error(fmt::format("{}, {}{{{}}}: expected text", path_.string(), variable, i + 1));
    texts.push_back(std::move(*text));
  }
  return texts;
}

}  // namespace procsim
