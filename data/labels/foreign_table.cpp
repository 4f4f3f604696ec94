#include "data/labels/foreign_table.hpp"

#include <fmt/format.h>

#include "data/base/error.hpp"
#include "data/base/number.hpp"

namespace procsim {

ForeignTable::ForeignTable(const std::filesystem::path& file) : file_(file), table_(read_table(file)) {}

const TableColumn* ForeignTable::find(std::initializer_list<std::string_view> names) const {
  for (const auto name : names)
    if (const auto* column = table_.find(name)) return column;
  return nullptr;
}

const TableColumn& ForeignTable::require(std::initializer_list<std::string_view> names) const {
  if (const auto* column = find(names)) return *column;
  std::string have;
  for (const auto& column : table_.columns) {
    if (!have.empty()) have += ", ";
    have += column.name;
  }
  throw Error(fmt::format("{}: no column {}; it has {}", file_.string(), fmt::join(names, " or "), have));
}

std::string ForeignTable::place(const TableColumn& column, std::int64_t row) const {
  return fmt::format("{}, row {}, column '{}'", file_.string(), row + 1, column.name);
}

std::string ForeignTable::text(const TableColumn& column, std::int64_t row) const {
  return std::visit(
      [&](const auto& values) -> std::string {
        using Values = std::decay_t<decltype(values)>;
        if constexpr (std::is_same_v<Values, TableColumn::FloatLists>) {
          throw Error(fmt::format("{}: a list where one value belongs", place(column, row)));
        } else if constexpr (std::is_same_v<Values, std::vector<std::string>>) {
          return values[static_cast<std::size_t>(row)];
        } else {
          return fmt::format("{}", values[static_cast<std::size_t>(row)]);
        }
      },
      column.values);
}

std::int64_t ForeignTable::integer(const TableColumn& column, std::int64_t row) const {
  const auto written = text(column, row);
  const auto value = parse_number<std::int64_t>(written);
  if (!value) throw Error(fmt::format("{}: '{}' is not a whole number", place(column, row), written));
  return *value;
}

double ForeignTable::number(const TableColumn& column, std::int64_t row) const {
  if (const auto* values = std::get_if<std::vector<double>>(&column.values))
    return (*values)[static_cast<std::size_t>(row)];
  const auto written = text(column, row);
  const auto value = parse_number<double>(written);
  if (!value) throw Error(fmt::format("{}: '{}' is not a number", place(column, row), written));
  return *value;
}

std::int32_t ForeignTable::label(const TableColumn& column, std::int64_t row,
                                 const LabelSetInfo& classes) const {
  const auto written = text(column, row);
  if (written.empty() || written == "-1") return kUnlabelled;
  try {
    return classes.label_of(written);
  } catch (const Error& error) {
    throw Error(fmt::format("{}: {}", place(column, row), error.what()));
  }
}

}  // namespace procsim
