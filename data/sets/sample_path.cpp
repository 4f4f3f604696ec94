#include "data/sets/sample_path.hpp"

#include "data/base/number.hpp"

namespace procsim {
namespace {

constexpr std::string_view kRow = "#row=";
constexpr std::string_view kColumn = "&column=";

}  // namespace

SamplePath parse_sample_path(std::string_view path) {
  const auto mark = path.find(".parquet#row=");
  if (mark == std::string_view::npos) return {std::string(path), std::nullopt, {}};
  const auto file = path.substr(0, mark + std::string_view(".parquet").size());
  auto rest = path.substr(file.size() + kRow.size());
  std::string column;
  if (const auto at = rest.find(kColumn); at != std::string_view::npos) {
    column = rest.substr(at + kColumn.size());
    rest = rest.substr(0, at);
  }
  const auto row = parse_number<std::int64_t>(rest);
  if (!row || *row < 0) return {std::string(path), std::nullopt, {}};
  return {std::string(file), row, column};
}

std::string embedded_sample_path(std::string_view file, std::int64_t row, std::string_view column) {
  std::string path(file);
  path.append(kRow).append(std::to_string(row));
  if (!column.empty()) path.append(kColumn).append(column);
  return path;
}

std::optional<std::string> path_below_root(std::string_view path) {
  if (path.empty() || path.find('\0') != std::string_view::npos) return std::nullopt;
  const auto normal = std::filesystem::path(path).lexically_normal();
  if (normal.is_absolute() || *normal.begin() == "..") return std::nullopt;
  auto text = normal.generic_string();
  if (text.ends_with('/')) text.pop_back();
  if (text.empty() || text == ".") return std::nullopt;
  return text;
}

std::optional<std::string> path_below_root(std::string_view path, const std::filesystem::path& root) {
  const std::filesystem::path given(path);
  if (!given.is_absolute()) return path_below_root(path);
  return path_below_root(given.lexically_normal().lexically_relative(root).string());
}

std::filesystem::path absolute_folder(const std::filesystem::path& folder) {
  const auto whole = std::filesystem::absolute(folder).lexically_normal();
  return whole.has_filename() ? whole : whole.parent_path();
}

}  // namespace procsim
