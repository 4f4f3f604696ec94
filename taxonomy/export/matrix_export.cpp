#include "taxonomy/export/matrix_export.hpp"

#include <string>
#include <unordered_set>
#include <vector>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "data/base/error.hpp"
#include "data/files/table_writer.hpp"

namespace procsim::taxonomy {
namespace {

using Type = TableWriter::Type;

Type type_of(Measure which) { return which == Measure::kDistance ? Type::kInt32 : Type::kDouble; }

std::string header(const Taxonomy& taxonomy, Measure which, std::string_view shape) {
  nlohmann::ordered_json classes = nlohmann::ordered_json::array();
  for (const auto& c : taxonomy.classes()) classes.push_back(c.name);
  return nlohmann::ordered_json{
      {"format", kClassMatrixFormat}, {"version", kClassMatrixVersion}, {"shape", shape},
      {"measure", to_string(which)},  {"dataset", taxonomy.dataset()},  {"taxonomy", taxonomy.digest()},
      {"classes", std::move(classes)}}
      .dump();
}

std::vector<std::string> class_names(const Taxonomy& taxonomy) {
  std::vector<std::string> names;
  for (const auto& c : taxonomy.classes()) names.push_back(c.name);
  return names;
}

std::vector<TableWriter::Column> matrix_columns(const Taxonomy& taxonomy, Measure which) {
  std::vector<TableWriter::Column> columns{{"label", Type::kInt32}, {"class", Type::kText}};
  std::unordered_set<std::string> taken{"label", "class"};
  for (std::int32_t label = 0; label < taxonomy.class_count(); ++label) {
    auto name = taxonomy.class_at(label).name;
    if (name.empty() || taken.count(name) > 0) name += fmt::format(" #{}", label);
    while (!taken.insert(name).second) name += '\'';
    columns.push_back({std::move(name), type_of(which)});
  }
  return columns;
}

// The whole matrix, row after row: it is symmetric, so a row is a column too.
template <typename Value, typename Fill>
std::vector<std::vector<Value>> all_rows(std::size_t classes, Fill fill) {
  std::vector<std::vector<Value>> rows(classes, std::vector<Value>(classes));
  for (std::size_t label = 0; label < classes; ++label)
    fill(static_cast<std::int32_t>(label), std::span(rows[label]));
  return rows;
}

// Buffers pairs and hands them on in row groups.
template <typename Value>
class PairRows {
 public:
  explicit PairRows(TableWriter& writer) : writer_(writer) {}

  void add(std::int32_t a, const std::vector<Value>& row) {
    for (auto b = static_cast<std::size_t>(a) + 1; b < row.size(); ++b) {
      first_.push_back(a);
      second_.push_back(static_cast<std::int32_t>(b));
      values_.push_back(row[b]);
    }
    if (first_.size() >= kRowGroup) flush();
  }
  void flush() {
    if (first_.empty()) return;
    const TableWriter::Values columns[] = {std::span<const std::int32_t>(first_),
                                           std::span<const std::int32_t>(second_),
                                           std::span<const Value>(values_)};
    writer_.append(columns);
    first_.clear();
    second_.clear();
    values_.clear();
  }

 private:
  static constexpr std::size_t kRowGroup = 1 << 20;
  TableWriter& writer_;
  std::vector<std::int32_t> first_, second_;
  std::vector<Value> values_;
};

template <typename Value, typename Fill>
void write_pairs(TableWriter& writer, const Taxonomy& taxonomy, const Progress& progress, Fill fill) {
  const auto classes = taxonomy.class_count();
  std::vector<Value> row(static_cast<std::size_t>(classes));
  PairRows<Value> pairs(writer);
  for (std::int32_t label = 0; label < classes; ++label) {
    fill(label, std::span(row));
    pairs.add(label, row);
    if (progress) progress(static_cast<std::uint64_t>(label) + 1, static_cast<std::uint64_t>(classes));
  }
  pairs.flush();
}

}  // namespace

void write_class_matrix(const std::filesystem::path& path, const Taxonomy& taxonomy, Measure which,
                        IfExists if_exists) {
  if (taxonomy.class_count() > kMostMatrixColumns) {
    throw Error(
        fmt::format("{} classes would make as many columns, more than the {} that readers cope with. Use "
                    "--pairs for a row per pair.",
                    taxonomy.class_count(), kMostMatrixColumns));
  }
  const auto classes = static_cast<std::size_t>(taxonomy.class_count());
  std::vector<std::int32_t> labels(classes);
  for (std::size_t label = 0; label < classes; ++label) labels[label] = static_cast<std::int32_t>(label);
  const auto names = class_names(taxonomy);
  TableWriter writer(path, if_exists, matrix_columns(taxonomy, which));
  const ClassMatrix matrix(taxonomy);
  const auto write = [&](const auto& rows) {
    std::vector<TableWriter::Values> columns{std::span<const std::int32_t>(labels),
                                             std::span<const std::string>(names)};
    for (const auto& row : rows) columns.emplace_back(std::span(row));
    writer.append(columns);
  };
  if (which == Measure::kDistance) {
    write(all_rows<std::int32_t>(classes, [&](auto label, auto row) { matrix.distances(label, row); }));
  } else {
    write(all_rows<double>(classes, [&](auto label, auto row) { matrix.measures(label, which, row); }));
  }
  writer.finish("procsim", header(taxonomy, which, "matrix"));
}

void write_class_pairs(const std::filesystem::path& path, const Taxonomy& taxonomy, Measure which,
                       IfExists if_exists, const Progress& progress) {
  TableWriter writer(path, if_exists,
                     {{"label_a", Type::kCounter},
                      {"label_b", Type::kCounter},
                      {std::string(to_string(which)), type_of(which)}});
  const ClassMatrix matrix(taxonomy);
  if (which == Measure::kDistance) {
    write_pairs<std::int32_t>(writer, taxonomy, progress,
                              [&](auto label, auto row) { matrix.distances(label, row); });
  } else {
    write_pairs<double>(writer, taxonomy, progress,
                        [&](auto label, auto row) { matrix.measures(label, which, row); });
  }
  writer.finish("procsim", header(taxonomy, which, "pairs"));
}

}  // namespace procsim::taxonomy
