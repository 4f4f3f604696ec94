#include "data/table.hpp"

#include <algorithm>

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

}  // namespace procsim
