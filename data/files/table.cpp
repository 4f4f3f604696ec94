#include "data/files/table.hpp"

#include <algorithm>
#include <fstream>

namespace procsim {

std::int64_t TableColumn::rows() const {
  if (const auto* lists = std::get_if<FloatLists>(&values)) {
    return lists->width == 0 ? 0 : static_cast<std::int64_t>(lists->values.size()) / lists->width;
  }
  return std::visit(
      [](const auto& column) -> std::int64_t {
        if constexpr (requires { column.size(); }) return static_cast<std::int64_t>(column.size());
        return 0;
      },
      values);
}

const TableColumn* Table::find(std::string_view name) const {
  const auto found =
      std::find_if(columns.begin(), columns.end(), [&](const auto& column) { return column.name == name; });
  return found == columns.end() ? nullptr : &*found;
}

bool is_parquet(const std::filesystem::path& path) {
  std::ifstream stream(path, std::ios::binary);
  char magic[4] = {};
  stream.read(magic, sizeof(magic));
  return stream && std::string_view(magic, sizeof(magic)) == "PAR1";
}

Table read_table(const std::filesystem::path& path) {
  return is_parquet(path) ? read_parquet_table(path) : read_csv_table(path);
}

}  // namespace procsim
