#include "data/labels/guidance_table.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

#include <fmt/format.h>

#include "data/base/error.hpp"
#include "data/base/json_nesting.hpp"
#include "data/files/table.hpp"

namespace procsim {
namespace {

namespace fs = std::filesystem;
using nlohmann::ordered_json;

constexpr const char* kHeaderKey = "procsim";

template <typename Values>
const Values& column(const fs::path& path, const Table& table, const char* name) {
  const auto* found = table.find(name);
  if (found == nullptr) throw Error(fmt::format("{}: there is no column '{}'", path.string(), name));
  const auto* values = std::get_if<Values>(&found->values);
  if (values == nullptr)
    throw Error(
        fmt::format("{}: the column '{}' has another type than docs/formats.md says", path.string(), name));
  return *values;
}

std::vector<std::int64_t> whole_numbers(const fs::path& path, const Table& table, const char* name) {
  const auto* found = table.find(name);
  if (found != nullptr)
    if (const auto* small = std::get_if<std::vector<std::int32_t>>(&found->values))
      return {small->begin(), small->end()};
  return column<std::vector<std::int64_t>>(path, table, name);
}

// What the file says of itself; what it does not say, or not as docs/formats.md has it, is empty.
struct Header {
  std::string format;
  std::int64_t version = 0;
  std::string per = "class";
  ordered_json provenance = ordered_json::object();
};

Header header_of(const Table& table) {
  const auto text = table.metadata.find(kHeaderKey);
  const auto json = text == table.metadata.end() ? ordered_json() : parse_json<ordered_json>(text->second);
  const auto find = [&](const char* key) {
    return json.is_object() && json.contains(key) ? json.at(key) : ordered_json();
  };
  Header header;
  if (const auto format = find("format"); format.is_string()) header.format = format.get<std::string>();
  if (const auto version = find("version"); version.is_number_integer())
    header.version = version.get<std::int64_t>();
  if (const auto per = find("per"); !per.is_null())
    header.per = per.is_string() ? per.get<std::string>() : "";
  if (auto provenance = find("provenance"); provenance.is_object()) header.provenance = std::move(provenance);
  return header;
}

void check_header(const fs::path& path, const Header& header) {
  if (header.format != kGuidanceFormat || header.version != kGuidanceVersion)
    throw Error(
        fmt::format("{}: expected a table of the format {}/{}, found {}", path.string(), kGuidanceFormat,
                    kGuidanceVersion,
                    header.format.empty() ? "none" : fmt::format("{}/{}", header.format, header.version)));
  if (header.per != "class" && header.per != "sample")
    throw Error(
        fmt::format("{}: its header does not say whether it is per class or per sample", path.string()));
}

// One NaN or infinity would make NaN of every similarity with its row, and of the loss.
const TableColumn::FloatLists& vectors_of(const fs::path& path, const Table& table) {
  const auto* name = table.find("vector") == nullptr ? "embedding" : "vector";
  const auto& lists = column<TableColumn::FloatLists>(path, table, name);
  const auto wrong = std::find_if_not(lists.values.begin(), lists.values.end(),
                                      [](float value) { return std::isfinite(value); });
  if (wrong != lists.values.end())
    throw Error(fmt::format("{}, row {}: the {} holds {}, which is not a finite number", path.string(),
                            (wrong - lists.values.begin()) / lists.width + 1, name, *wrong));
  return lists;
}

template <typename Keys>
void refuse_twice(const fs::path& path, const Keys& keys, const char* what) {
  std::set<typename Keys::value_type> seen;
  for (const auto& key : keys)
    if (!seen.insert(key).second)
      throw Error(fmt::format("{}: the {} '{}' occurs twice", path.string(), what, key));
}

GuidanceTable guidance_table_of(const fs::path& path, const Table& file) {
  const auto header = header_of(file);
  check_header(path, header);
  GuidanceTable table;
  table.per_sample = header.per == "sample";
  table.provenance = header.provenance;
  const auto keys = whole_numbers(path, file, "key");
  const auto ranks = whole_numbers(path, file, "rank");
  const auto& names = column<std::vector<std::string>>(path, file, "name");
  const auto& wnids = column<std::vector<std::string>>(path, file, "wnid");
  const auto& labels = column<std::vector<std::string>>(path, file, "pseudo_label");
  const auto& scores = column<std::vector<double>>(path, file, "score");
  const auto& vectors = vectors_of(path, file);
  table.dimension = vectors.width;
  std::map<std::pair<std::string, std::string>, std::size_t> known;
  for (std::size_t row = 0; row < keys.size(); ++row) {
    if (ranks[row] == 1) table.entries.push_back({keys[row], names[row], {}});
    if (table.entries.empty() || table.entries.back().key != keys[row] ||
        ranks[row] != static_cast<std::int64_t>(table.entries.back().labels.size()) + 1)
      throw Error(fmt::format("{}, row {}: rank {} of key {} does not follow the row before", path.string(),
                              row + 1, ranks[row], keys[row]));
    const auto [text, fresh] = known.try_emplace({wnids[row], labels[row]}, known.size());
    if (fresh) {
      const auto first = vectors.values.begin() + static_cast<std::ptrdiff_t>(row) * vectors.width;
      table.vectors.insert(table.vectors.end(), first, first + vectors.width);
    }
    table.entries.back().labels.push_back({wnids[row], labels[row], scores[row], text->second});
  }
  for (const auto& entry : table.entries)
    if (entry.labels.size() != table.ranks())
      throw Error(fmt::format("{}: '{}' has {} pseudo-labels where others have {}", path.string(), entry.name,
                              entry.labels.size(), table.ranks()));
  return table;
}

NamedVectors text_vectors_of(const fs::path& path, const Table& file) {
  NamedVectors vectors;
  vectors.names = column<std::vector<std::string>>(path, file, "name");
  refuse_twice(path, vectors.names, "name");
  const auto& lists = vectors_of(path, file);
  vectors.dimension = lists.width;
  vectors.values = lists.values;
  return vectors;
}

}  // namespace

GuidanceTable read_guidance_table(const fs::path& path) {
  return guidance_table_of(path, read_parquet_table(path));
}

void write_guidance_table(const fs::path& path, const GuidanceTable& table, IfExists if_exists) {
  std::vector<std::int64_t> keys;
  std::vector<std::int32_t> ranks;
  std::vector<std::string> names, wnids, labels;
  std::vector<double> scores;
  TableColumn::FloatLists vectors{table.dimension, {}};
  for (const auto& entry : table.entries) {
    for (std::size_t rank = 0; rank < entry.labels.size(); ++rank) {
      const auto& label = entry.labels[rank];
      keys.push_back(entry.key);
      names.push_back(entry.name);
      ranks.push_back(static_cast<std::int32_t>(rank + 1));
      wnids.push_back(label.wnid);
      labels.push_back(label.name);
      scores.push_back(label.score);
      const auto first = table.vectors.begin() + static_cast<std::ptrdiff_t>(label.text) * table.dimension;
      vectors.values.insert(vectors.values.end(), first, first + table.dimension);
    }
  }
  Table file;
  file.columns = {
      {"key", std::move(keys)},      {"name", std::move(names)},          {"rank", std::move(ranks)},
      {"wnid", std::move(wnids)},    {"pseudo_label", std::move(labels)}, {"score", std::move(scores)},
      {"vector", std::move(vectors)}};
  const ordered_json header{{"format", kGuidanceFormat},
                            {"version", kGuidanceVersion},
                            {"per", table.per_sample ? "sample" : "class"},
                            {"provenance", table.provenance}};
  file.metadata[kHeaderKey] = header.dump();
  write_parquet_table(path, file, if_exists);
}

std::variant<GuidanceTable, NamedVectors> read_text_guidance(const fs::path& path) {
  const auto file = read_parquet_table(path);
  if (header_of(file).format == kGuidanceFormat) return guidance_table_of(path, file);
  return text_vectors_of(path, file);
}

NamedVectors read_sample_vectors(const fs::path& path) {
  const auto file = read_parquet_table(path);
  NamedVectors vectors;
  vectors.ids = whole_numbers(path, file, "sample_id");
  refuse_twice(path, vectors.ids, "sample_id");
  const auto& lists = vectors_of(path, file);
  vectors.dimension = lists.width;
  vectors.values = lists.values;
  return vectors;
}

}  // namespace procsim
