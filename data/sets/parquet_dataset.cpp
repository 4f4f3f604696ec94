#include <algorithm>
#include <utility>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "data/base/error.hpp"
#include "data/base/id_set.hpp"
#include "data/base/json_nesting.hpp"
#include "data/base/number.hpp"
#include "data/base/utf8.hpp"
#include "data/files/arrow_values.hpp"
#include "data/files/file_name.hpp"
#include "data/files/parquet_io.hpp"
#include "data/labels/huggingface_features.hpp"
#include "data/labels/label_classes.hpp"
#include "data/sets/dataset_readers.hpp"
#include "data/sets/parquet_images.hpp"
#include "data/sets/sample_path.hpp"
#include "data/sets/table_labels.hpp"
#include "data/sets/table_paths.hpp"

namespace procsim {
namespace {

namespace fs = std::filesystem;

bool is_hidden(const fs::path& path) { return path.filename().string().starts_with('.'); }

// The part files below a folder, hidden ones left out, in the order of their names' bytes.
std::vector<std::string> part_files(const fs::path& folder) {
  std::vector<std::string> parts;
  std::error_code code;
  fs::recursive_directory_iterator entries(folder, code);
  for (; !code && entries != fs::recursive_directory_iterator(); entries.increment(code)) {
    if (is_hidden(entries->path())) {
      entries.disable_recursion_pending();
    } else if (is_part_file(entries->path()) && entries->is_regular_file()) {
      parts.push_back(entries->path().lexically_relative(folder).generic_string());
    }
  }
  if (code) throw Error(fmt::format("cannot list {}: {}", folder.string(), code.message()));
  std::sort(parts.begin(), parts.end());
  return parts;
}

// "data/train-00000-of-00002.parquet" and "train/0000.parquet" → "train"; empty when the name says nothing.
std::string split_of_part(const std::string& part) {
  const fs::path path(part);
  const auto stem = path.stem().string();
  const auto word = stem.substr(0, stem.find_first_of("-_."));
  if (is_split_name(word)) return split_name(word);
  const auto folder = path.parent_path().filename().string();
  return is_split_name(folder) ? split_name(folder) : std::string();
}

// The strings of a JSON array; empty when it is anything else.
std::vector<std::string> texts_in(const nlohmann::json& list) {
  std::vector<std::string> texts;
  for (const auto& text : list) {
    if (!text.is_string()) return {};
    texts.push_back(text.get<std::string>());
  }
  return texts;
}

// Class names in order, where the file's metadata has them: as Hugging Face's `datasets` writes them, or in a
// label set of ours, which must be of a version that we know. Empty when it has none.
std::vector<std::string> class_names_in(const ParquetInput& input, const std::string& column) {
  std::vector<std::string> names;
  if (column == "label" && input.claims_to_be(kLabelSetFormat)) {
    for (auto& entry : classes_from_json(input.header(kLabelSetFormat, kLabelSetVersion), input.path)) {
      names.push_back(entry.published.empty() ? std::move(entry.name) : std::move(entry.published));
    }
    return names;
  }
  const auto text = input.metadata(kHuggingFaceKey);
  const auto json = text ? parse_json<nlohmann::json>(*text) : nlohmann::json();
  const auto where = nlohmann::json::json_pointer("/info/features") / column / "names";
  if (json.is_object() && json.contains(where) && json.at(where).is_array()) return texts_in(json.at(where));
  return names;
}

// How a file's rows give paths.
enum class PathKind { kText, kTextInStruct, kInside };

struct PathColumn {
  PathKind kind = PathKind::kText;
  int field = 0;
  ImageColumn image;    // for the other two
  std::string mention;  // kInside: the column's name when it is not the file's first image column
};

class ParquetDatasetReader {
 public:
  ParquetDatasetReader(fs::path folder, std::vector<std::string> parts, const DatasetOptions& options)
      : folder_(std::move(folder)),
        parts_(std::move(parts)),
        options_(options),
        paths_(absolute_folder(options.root.value_or(folder_)), options.root.has_value()) {}

  Dataset read() {
    dataset_.kind = "parquet";
    for (const auto& part : parts_) read_part(part);
    if (dataset_.samples.empty())
      throw Error(fmt::format("{} has no rows", (folder_ / parts_.front()).string()));
    labels_.finish(dataset_);
    if (!images_inside_) note_repeated_paths(dataset_);
    paths_.finish(dataset_);
    if (images_inside_) dataset_.root = folder_;
    return std::move(dataset_);
  }

 private:
  // A column of the row group at hand.
  struct Column {
    std::string name;
    std::shared_ptr<arrow::ChunkedArray> values;
  };

  void read_part(const std::string& part) {
    const auto input = open_parquet(folder_ / part);
    const auto names = input.schema->field_names();
    auto roles = choose_columns(names, options_, input.path);
    const auto path = choose_path(input, roles.path);
    images_inside_ |= path.kind == PathKind::kInside;
    if (part == parts_.front()) labels_.set_class_names(class_names_in(input, names[roles.label]));
    check_label_type(input, static_cast<int>(roles.label));

    Part at{part, input.path, path, split_of_part(part), 0};
    for (int group = 0; group < input.reader->num_row_groups(); ++group) {
      const auto column = [&](std::optional<std::size_t> field) -> std::shared_ptr<arrow::ChunkedArray> {
        if (!field) return nullptr;
        const int fields[] = {static_cast<int>(*field)};
        return read_leaves(input, group, leaf_columns(input, fields));
      };
      Rows rows;
      rows.labels = column(roles.label);
      rows.splits = column(roles.split);
      rows.class_names = column(roles.class_name);
      rows.sample_ids = column(roles.sample_id);
      if (path.kind == PathKind::kText) rows.paths = column(static_cast<std::size_t>(path.field));
      if (path.kind == PathKind::kTextInStruct)
        rows.paths = read_leaves(input, group, {path.image.path_leaf});
      add_rows(at, rows);
    }
  }

  struct Part {
    std::string name;
    fs::path file;
    PathColumn path;
    std::string split;
    std::int64_t row;  // first of the row group at hand
  };

  struct Rows {
    std::shared_ptr<arrow::ChunkedArray> labels, paths, splits, class_names, sample_ids;
  };

  static std::shared_ptr<arrow::ChunkedArray> read_leaves(const ParquetInput& input, int group,
                                                          const std::vector<int>& leaves) {
    const auto table = require(input.reader->ReadRowGroup(group, leaves), "read", input.path);
    auto column = table->column(0);
    while (column->num_chunks() > 0 &&
           column->type()->id() == arrow::Type::STRUCT) {  // a leaf comes inside the structs around it
      const auto whole = require(arrow::Concatenate(column->chunks()), "read", input.path);
      const auto& structure = static_cast<const arrow::StructArray&>(*whole);
      column =
          std::make_shared<arrow::ChunkedArray>(require(structure.GetFlattenedField(0), "read", input.path));
    }
    return column;
  }

  // The first image column with bytes that cannot be anything else: a struct as Hugging Face writes it, or
  // bytes that are called an image.
  static std::optional<ImageColumn> images_inside(const ParquetInput& input) {
    for (int field = 0; field < input.schema->num_fields(); ++field) {
      const auto& described = *input.schema->field(field);
      const bool is_sure = described.type()->id() == arrow::Type::STRUCT || described.name() == "image" ||
                           described.name() == "img";
      if (!is_sure) continue;
      if (auto image = image_column(input, field); image && !has_no_bytes(input, *image)) return image;
    }
    return std::nullopt;
  }

  PathColumn choose_path(const ParquetInput& input, std::optional<std::size_t> role) const {
    // A text column beside the images themselves says where they once were.
    if (role && options_.path_column.empty() &&
        is_text(*input.schema->field(static_cast<int>(*role))->type())) {
      if (const auto inside = images_inside(input)) role = static_cast<std::size_t>(inside->field);
    }
    if (!role) {
      const auto found = first_image_column(input);
      if (!found) {
        throw Error(
            fmt::format("{} has no column of images or their paths; it has: {}. Name it with --path-column.",
                        input.path.string(), fmt::join(input.schema->field_names(), ", ")));
      }
      role = static_cast<std::size_t>(found->field);
    }
    const int field = static_cast<int>(*role);
    const auto& type = *input.schema->field(field)->type();
    if (is_text(type)) return {PathKind::kText, field, {}, {}};
    const auto image = image_column(input, field);
    if (!image) {
      throw Error(
          fmt::format("{}, column '{}': its type is {}; expected paths, image bytes, or a struct with bytes",
                      input.path.string(), input.schema->field(field)->name(), type.ToString()));
    }
    if (image->path_leaf >= 0 && has_no_bytes(input, *image))
      return {PathKind::kTextInStruct, field, *image, {}};
    const bool is_first = first_image_column(input)->field == field;
    return {PathKind::kInside, field, *image, is_first ? std::string() : image->name};
  }

  static void check_label_type(const ParquetInput& input, int field) {
    const auto& described = *input.schema->field(field);
    if (is_text(*described.type()) || arrow::is_integer(described.type()->id())) return;
    throw Error(
        fmt::format("{}, column '{}': its type is {}; labels must be integers or text (name another with "
                    "--label-column)",
                    input.path.string(), described.name(), described.type()->ToString()));
  }

  // A column's values as text, nulls as empty text.
  static std::vector<std::string> as_text(const arrow::ChunkedArray& column, const Part& part,
                                          std::string_view role) {
    std::vector<std::string> texts;
    texts.reserve(static_cast<std::size_t>(column.length()));
    for (const auto& chunk : column.chunks()) {
      const auto first = texts.size();
      texts.resize(first + static_cast<std::size_t>(chunk->length()));
      const auto put = [&](std::int64_t i, std::string text) {
        if (chunk->IsValid(i)) texts[first + static_cast<std::size_t>(i)] = std::move(text);
      };
      if (is_text(*chunk->type())) {
        for (std::int64_t i = 0; i < chunk->length(); ++i) {
          if (chunk->IsValid(i)) put(i, std::string(text_at(*chunk, i)));
        }
      } else if (!arrow::is_integer(chunk->type_id()) ||
                 !each_number(*chunk,
                              [&](std::int64_t i, auto number) { put(i, fmt::format("{}", number)); })) {
        throw Error(fmt::format("{}: the {} column is of type {}; expected integers or text",
                                part.file.string(), role, chunk->type()->ToString()));
      }
    }
    for (std::size_t i = 0; i < texts.size(); ++i) {
      if (!is_utf8(texts[i]))
        part_fail(part, part.row + static_cast<std::int64_t>(i), role, "it is not UTF-8");
    }
    return texts;
  }

  [[noreturn]] static void part_fail(const Part& part, std::int64_t row, std::string_view role,
                                     const std::string& what) {
    throw Error(fmt::format("{}, row {}, {}: {}", part.file.string(), row, role, what));
  }

  void add_rows(Part& part, const Rows& rows) {
    const auto optional_texts = [&](const std::shared_ptr<arrow::ChunkedArray>& column, const char* role) {
      return column ? as_text(*column, part, role) : std::vector<std::string>();
    };
    const auto labels = as_text(*rows.labels, part, "label");
    const auto paths = optional_texts(rows.paths, "path");
    const auto splits = optional_texts(rows.splits, "split");
    const auto class_names = optional_texts(rows.class_names, "class name");
    const auto sample_ids = optional_texts(rows.sample_ids, "sample_id");
    for (std::size_t i = 0; i < labels.size(); ++i, ++part.row) {
      const auto place = [&] { return fmt::format("{}, row {}", part.file.string(), part.row); };
      Sample sample;
      sample.id = static_cast<std::int64_t>(dataset_.samples.size());
      if (rows.sample_ids) sample.id = id_of(part, sample_ids[i]);
      sample.path = paths.empty() ? embedded_sample_path(part.name, part.row, part.path.mention)
                                  : path_of(part, paths[i]);
      sample.own_split = splits.empty() ? part.split : split_name(splits[i]);
      if (rows.splits && sample.own_split.empty()) part_fail(part, part.row, "split", "it is empty");
      labels_.add(labels[i], place);
      if (rows.class_names) labels_.name_class(class_names[i], place);
      dataset_.samples.push_back(std::move(sample));
    }
  }

  std::string path_of(const Part& part, const std::string& text) {
    try {
      return paths_.add(text);
    } catch (const Error& error) {
      part_fail(part, part.row, "path", error.what());
    }
  }

  std::int64_t id_of(const Part& part, const std::string& text) {
    const auto id = parse_number<std::int64_t>(text);
    if (!id || *id < 0) part_fail(part, part.row, "sample_id", no_sample_id(text));
    if (!ids_.insert(*id)) part_fail(part, part.row, "sample_id", fmt::format("{} occurs twice", *id));
    return *id;
  }

  fs::path folder_;
  std::vector<std::string> parts_;
  const DatasetOptions& options_;
  TablePaths paths_;  // that are not inside
  Dataset dataset_;
  TableLabels labels_;
  IdSet ids_;
  bool images_inside_ = false;
};

}  // namespace

bool is_parquet_folder(const fs::path& folder) {
  const auto has_parts = [](const fs::path& path) {
    std::error_code code;
    for (const auto& entry : fs::directory_iterator(path, code)) {
      if (is_part_file(entry.path())) return true;
    }
    return false;
  };
  if (has_parts(folder)) return true;
  std::error_code code;
  for (const auto& entry : fs::directory_iterator(folder, code)) {
    const auto name = entry.path().filename().string();
    if ((name == "data" || name == "default" || is_split_name(name)) && has_parts(entry.path())) return true;
  }
  return false;
}

bool has_parquet_below(const fs::path& folder) { return !part_files(folder).empty(); }

Dataset read_parquet_dataset(const fs::path& file_or_folder, const DatasetOptions& options) {
  if (fs::is_directory(file_or_folder)) {
    return ParquetDatasetReader(file_or_folder, part_files(file_or_folder), options).read();
  }
  const auto folder = file_or_folder.has_parent_path() ? file_or_folder.parent_path() : fs::path(".");
  return ParquetDatasetReader(folder, {file_or_folder.filename().string()}, options).read();
}

}  // namespace procsim
