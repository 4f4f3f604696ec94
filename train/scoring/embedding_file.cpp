#include "train/scoring/embedding_file.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <optional>
#include <vector>

#include <fmt/format.h>

#include "data/base/error.hpp"
#include "data/files/table.hpp"

namespace procsim::train {
namespace {

namespace fs = std::filesystem;

std::vector<std::int64_t> sample_ids(const Table& table, const fs::path& path) {
  const auto* column = table.find("sample_id");
  if (column == nullptr)
    throw Error(fmt::format("{} has no column 'sample_id': it says which row belongs to which sample",
                            path.string()));
  if (const auto* wide = std::get_if<std::vector<std::int64_t>>(&column->values)) return *wide;
  if (const auto* narrow = std::get_if<std::vector<std::int32_t>>(&column->values))
    return {narrow->begin(), narrow->end()};
  throw Error(fmt::format("{}: the column 'sample_id' must hold integers", path.string()));
}

TableColumn::FloatLists& embedding_column(Table& table, const fs::path& path) {
  std::vector<TableColumn*> lists;
  for (auto& column : table.columns)
    if (std::holds_alternative<TableColumn::FloatLists>(column.values)) lists.push_back(&column);
  if (lists.empty())
    throw Error(
        fmt::format("{} has no column of lists of numbers: write the embeddings as a list or fixed-size-list "
                    "column",
                    path.string()));
  const auto named = std::find_if(lists.begin(), lists.end(),
                                  [](const auto* column) { return column->name == "embedding"; });
  if (named == lists.end() && lists.size() > 1)
    throw Error(fmt::format("{} has {} columns of lists ('{}', '{}', …): call the one to use 'embedding'",
                            path.string(), lists.size(), lists[0]->name, lists[1]->name));
  return std::get<TableColumn::FloatLists>((named == lists.end() ? lists.front() : *named)->values);
}

}  // namespace

void check_embeddings(const torch::Tensor& embeddings, std::span<const std::int64_t> ids,
                      std::string_view source) {
  const auto rows = embeddings.contiguous();
  const auto width = rows.size(1);
  for (std::int64_t i = 0; i < rows.size(0); ++i) {
    const float* row = rows.data_ptr<float>() + i * width;
    const float* bad = std::find_if(row, row + width, [](float value) { return !std::isfinite(value); });
    if (bad != row + width)
      throw Error(fmt::format("{}: number {} of sample {} is {}: embeddings must be finite", source,
                              bad - row + 1, ids[static_cast<std::size_t>(i)], *bad));
    if (std::all_of(row, row + width, [](float value) { return value == 0; }))
      throw Error(fmt::format("{}: sample {} has nothing but zeros: it has no direction to compare", source,
                              ids[static_cast<std::size_t>(i)]));
  }
}

std::vector<std::int64_t> embedded_samples(const fs::path& path) {
  return sample_ids(read_parquet_table(path), path);
}

torch::Tensor read_embeddings(const fs::path& path, std::span<const std::int64_t> ids,
                              std::int64_t dimension) {
  auto table = read_parquet_table(path);
  const auto found = sample_ids(table, path);
  auto& lists = embedding_column(table, path);
  if (dimension > 0 && lists.width != dimension)
    throw Error(fmt::format("{}: the embeddings have {} numbers, the model's have {}", path.string(),
                            lists.width, dimension));
  std::vector<std::size_t> order(found.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::sort(order.begin(), order.end(),
            [&](std::size_t a, std::size_t b) { return std::pair(found[a], a) < std::pair(found[b], b); });
  for (std::size_t i = 1; i < order.size(); ++i)
    if (found[order[i]] == found[order[i - 1]])
      throw Error(fmt::format("{}: sample {} is there twice, in rows {} and {}", path.string(),
                              found[order[i]], order[i - 1] + 1, order[i] + 1));
  auto rows = torch::empty({static_cast<std::int64_t>(ids.size()), lists.width}, torch::kFloat32);
  std::size_t missing = 0;
  std::optional<std::int64_t> first_missing;
  for (std::size_t i = 0; i < ids.size(); ++i) {
    const auto place = std::lower_bound(order.begin(), order.end(), ids[i],
                                        [&](std::size_t row, std::int64_t id) { return found[row] < id; });
    if (place == order.end() || found[*place] != ids[i]) {
      ++missing;
      if (!first_missing) first_missing = ids[i];
      continue;
    }
    std::copy_n(lists.values.begin() + static_cast<std::ptrdiff_t>(*place) * lists.width, lists.width,
                rows.data_ptr<float>() + static_cast<std::int64_t>(i) * lists.width);
  }
  if (missing > 0)
    throw Error(fmt::format("{} lacks {} of the {} samples of the label set, the first is sample {}",
                            path.string(), missing, ids.size(), *first_missing));
  check_embeddings(rows, ids, path.string());
  return rows;
}

}  // namespace procsim::train
