#include "taxonomy/import/category_paths.hpp"

#include <algorithm>
#include <array>
#include <unordered_map>

#include <fmt/format.h>

#include "data/base/error.hpp"
#include "data/base/normal_text.hpp"
#include "data/files/csv.hpp"

namespace procsim::taxonomy {
namespace {

constexpr std::array<std::string_view, 7> kPathColumns = {
    "path", "category_path", "category", "categories", "breadcrumb", "breadcrumbs", "taxonomy"};
constexpr std::array<std::string_view, 3> kClassColumns = {"class", "label", "name"};

std::optional<std::size_t> find_column(const std::vector<std::string>& header,
                                       std::span<const std::string_view> names) {
  for (const auto name : names)
    for (std::size_t i = 0; i < header.size(); ++i)
      if (look_of(header[i]) == look_of(name)) return i;
  return std::nullopt;
}

std::vector<std::string> split_at(std::string_view text, std::string_view separator) {
  std::vector<std::string> parts;
  for (;;) {
    const auto at = text.find(separator);
    parts.push_back(normal_text(text.substr(0, at)));
    if (at == std::string_view::npos) return parts;
    text.remove_prefix(at + separator.size());
  }
}

class PathTree {
 public:
  explicit PathTree(const std::filesystem::path& file) : file_(file) {}

  void add(const std::vector<std::string>& parts, std::int64_t line) {
    std::string id;
    std::optional<std::size_t> parent;
    for (const auto& part : parts) {
      if (part.empty())
        throw Error(fmt::format("{}, line {}: a part of the path '{}' is empty", file_.string(), line,
                                fmt::join(parts, " > ")));
      id += (id.empty() ? "" : " > ") + part;
      const auto [found, fresh] = index_.try_emplace(id, tree_.nodes.size());
      if (fresh) {
        tree_.nodes.push_back({id, part, "", {}});
        if (parent) tree_.nodes.back().parents.push_back(*parent);
      }
      parent = found->second;
    }
  }

  ImportedTree take() { return std::move(tree_); }

 private:
  const std::filesystem::path& file_;
  ImportedTree tree_;
  std::unordered_map<std::string, std::size_t> index_;
};

}  // namespace

std::vector<std::string> split_category_path(std::string_view path) {
  for (const std::string_view separator : {">", "›", "»", "→", "|", "/"})
    if (path.find(separator) != std::string_view::npos) return split_at(path, separator);
  return {normal_text(path)};
}

std::optional<std::size_t> path_column(const std::vector<std::string>& header) {
  if (const auto named = find_column(header, kPathColumns)) return named;
  if (header.size() == 1) return 0;
  return std::nullopt;
}

ImportedTree read_category_paths(const std::filesystem::path& file) {
  CsvReader reader(file);
  const auto& header = reader.header();
  const auto path = path_column(header);
  if (!path)
    throw Error(fmt::format("{}, line 1: no column of category paths, found: {}", file.string(),
                            fmt::join(header, ", ")));
  const auto named = find_column(header, kClassColumns);
  const bool has_names = named && *named != *path;
  PathTree tree(file);
  // Without column names the first line is a path like the others.
  if (header.size() == 1 && split_category_path(header.front()).size() > 1)
    tree.add(split_category_path(header.front()), 1);
  std::vector<std::string> fields;
  while (reader.next(fields)) {
    auto parts = split_category_path(fields[*path]);
    if (has_names && !normal_text(fields[*named]).empty()) parts.push_back(normal_text(fields[*named]));
    tree.add(parts, reader.line());
  }
  return tree.take();
}

}  // namespace procsim::taxonomy
