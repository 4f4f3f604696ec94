#include "noise/class_tables.hpp"

#include <cmath>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "data/base/error.hpp"
#include "data/labels/foreign_table.hpp"

namespace procsim::noise {
namespace {

constexpr double kSumTolerance = 1e-4;

// A side file of a model, in which every class and every number must be there.
class SideTable {
 public:
  SideTable(const std::filesystem::path& path, const LabelSetInfo& info)
      : path_(path), info_(info), table_(path) {}

  std::int64_t rows() const { return table_.rows(); }
  const std::vector<TableColumn>& columns() const { return table_.table().columns; }
  bool has(std::string_view name) const { return table_.find({name}) != nullptr; }
  const TableColumn& column(std::string_view name) const { return table_.require({name}); }

  std::int32_t class_in(const TableColumn& column, std::int64_t row) const {
    const auto label = table_.label(column, row, info_);
    if (label == kUnlabelled) fail(column, row, "no class is named");
    return label;
  }

  std::int32_t class_named(std::string_view name, std::string_view where) const {
    try {
      return info_.label_of(name);
    } catch (const Error& error) {
      throw Error(fmt::format("{}, {}: {}", path_.string(), where, error.what()));
    }
  }

  double probability(const TableColumn& column, std::int64_t row) const {
    const double value = table_.number(column, row);
    if (!(value >= 0 && value <= 1)) {
      fail(column, row, fmt::format("{} is no probability; give a number from 0 to 1, 0.2 for 20 %", value));
    }
    return value;
  }

  [[noreturn]] void fail(const TableColumn& column, std::int64_t row, const std::string& what) const {
    throw Error(fmt::format("{}: {}", table_.place(column, row), what));
  }
  [[noreturn]] void fail(const std::string& what) const {
    throw Error(fmt::format("{}: {}", path_.string(), what));
  }

 private:
  std::filesystem::path path_;
  const LabelSetInfo& info_;
  ForeignTable table_;
};

using MatrixRow = std::vector<std::pair<std::int32_t, double>>;

ClassMatrix long_matrix(const SideTable& table) {
  ClassMatrix matrix;
  const auto& from = table.column("from");
  const auto& to = table.column("to");
  const auto& probability = table.column(table.has("probability") ? "probability" : "p");
  for (std::int64_t row = 0; row < table.rows(); ++row) {
    const auto source = table.class_in(from, row);
    const auto target = table.class_in(to, row);
    for (const auto& entry : matrix.rows[source]) {
      if (entry.first == target) table.fail(to, row, "this pair of classes stands twice");
    }
    matrix.rows[source].emplace_back(target, table.probability(probability, row));
  }
  return matrix;
}

ClassMatrix square_matrix(const SideTable& table) {
  if (table.columns().size() < 2) table.fail("expected a column of classes and a column for each class");
  std::vector<std::int32_t> targets;
  for (std::size_t i = 1; i < table.columns().size(); ++i) {
    targets.push_back(table.class_named(table.columns()[i].name, "first line"));
  }
  ClassMatrix matrix;
  const auto& classes = table.columns().front();
  for (std::int64_t row = 0; row < table.rows(); ++row) {
    const auto source = table.class_in(classes, row);
    if (matrix.rows.contains(source)) table.fail(classes, row, "this class stands twice");
    auto& entries = matrix.rows[source];
    for (std::size_t i = 0; i < targets.size(); ++i) {
      const double value = table.probability(table.columns()[i + 1], row);
      if (value > 0) entries.emplace_back(targets[i], value);
    }
  }
  return matrix;
}

}  // namespace

ClassMatrix read_class_matrix(const std::filesystem::path& path, const LabelSetInfo& info) {
  const SideTable table(path, info);
  auto matrix = table.has("from") && table.has("to") ? long_matrix(table) : square_matrix(table);
  if (matrix.rows.empty()) table.fail("the matrix has no rows");
  for (auto& [label, row] : matrix.rows) {
    double sum = 0;
    for (const auto& entry : row) sum += entry.second;
    if (std::abs(sum - 1) > kSumTolerance) {
      table.fail(fmt::format("the row of class '{}' sums to {:.6g}, not to 1",
                             info.classes[static_cast<std::size_t>(label)].name, sum));
    }
    for (auto& entry : row) entry.second /= sum;
  }
  return matrix;
}

std::map<std::int32_t, double> read_class_rates(const std::filesystem::path& path, const LabelSetInfo& info) {
  const SideTable table(path, info);
  const auto& classes = table.column("class");
  const auto& rates = table.column("rate");
  std::map<std::int32_t, double> result;
  for (std::int64_t row = 0; row < table.rows(); ++row) {
    const auto label = table.class_in(classes, row);
    if (!result.emplace(label, table.probability(rates, row)).second) {
      table.fail(classes, row, "this class stands twice");
    }
  }
  if (result.empty()) table.fail("no rates");
  return result;
}

std::map<std::int32_t, std::int32_t> read_pair_map(const std::filesystem::path& path,
                                                   const LabelSetInfo& info) {
  const SideTable table(path, info);
  const auto& from = table.column("from");
  const auto& to = table.column("to");
  std::map<std::int32_t, std::int32_t> result;
  for (std::int64_t row = 0; row < table.rows(); ++row) {
    const auto source = table.class_in(from, row);
    const auto target = table.class_in(to, row);
    if (source == target) table.fail(to, row, "a class cannot be paired with itself");
    if (!result.emplace(source, target).second) table.fail(from, row, "this class stands twice");
  }
  if (result.empty()) table.fail("no pairs");
  return result;
}

}  // namespace procsim::noise
