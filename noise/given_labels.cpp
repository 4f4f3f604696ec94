#include "noise/given_labels.hpp"

#include <algorithm>
#include <array>
#include <string_view>
#include <unordered_map>
#include <variant>
#include <vector>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "data/base/error.hpp"
#include "data/base/number.hpp"
#include "data/files/atomic_file.hpp"
#include "data/files/file_name.hpp"
#include "data/files/npy.hpp"
#include "data/files/table.hpp"
#include "data/labels/label_set.hpp"

namespace procsim::noise {
namespace {

constexpr std::array<std::string_view, 4> kFormatNames{"label-set", "csv", "prism", "numpy"};  // as the enum

struct ParentRow {
  std::int64_t id = 0;
  std::string path;
  std::int32_t truth = kUnlabelled;  // or the label, where truth is not known
};

// One line of a list: who, and the label as it is written there.
struct Entry {
  std::size_t parent_row = 0;
  std::string label;
  std::int64_t line = 0;
};

std::vector<std::string_view> components_of(std::string_view path) {
  std::vector<std::string_view> parts;
  while (!path.empty()) {
    const auto slash = path.find_first_of("/\\");
    if (slash != 0 && path.substr(0, slash) != ".") parts.push_back(path.substr(0, slash));
    path.remove_prefix(slash == std::string_view::npos ? path.size() : slash + 1);
  }
  return parts;
}

std::size_t common_tail(std::string_view a, std::string_view b) {
  const auto left = components_of(a);
  const auto right = components_of(b);
  std::size_t count = 0;
  while (count < left.size() && count < right.size() &&
         left[left.size() - 1 - count] == right[right.size() - 1 - count]) {
    ++count;
  }
  return count;
}

class PathIndex {
 public:
  explicit PathIndex(const std::vector<ParentRow>& rows) : rows_(rows) {
    for (std::size_t i = 0; i < rows.size(); ++i) {
      const auto parts = components_of(rows[i].path);
      if (!parts.empty()) by_name_[std::string(parts.back())].push_back(i);
    }
  }

  // The row whose path shares the most trailing components; none when no file name matches. Throws when two
  // are alike.
  std::optional<std::size_t> find(std::string_view path, std::string_view where) const {
    const auto parts = components_of(path);
    const auto found = parts.empty() ? by_name_.end() : by_name_.find(std::string(parts.back()));
    if (found == by_name_.end()) return std::nullopt;
    std::size_t best = 0, best_tail = 0;
    bool tie = false;
    for (const auto row : found->second) {
      const auto tail = common_tail(rows_[row].path, path);
      tie = tail == best_tail || (tie && tail < best_tail);
      if (tail > best_tail) {
        best = row;
        best_tail = tail;
      }
    }
    if (tie) {
      throw Error(fmt::format("{}: '{}' could be any of several samples of that file name; give longer paths",
                              where, path));
    }
    return best;
  }

 private:
  const std::vector<ParentRow>& rows_;
  std::unordered_map<std::string, std::vector<std::size_t>> by_name_;
};

class ListReader {
 public:
  ListReader(const std::filesystem::path& file, const std::filesystem::path& parent,
             const GivenLabelsOptions& options)
      : file_(file), options_(options) {
    LabelReadOptions read;
    read.split = options.split;
    LabelSetReader reader(parent, read);
    info_ = reader.info();
    while (const auto batch = reader.next()) {
      for (std::int64_t row = 0; row < batch->rows(); ++row) {
        const auto at = static_cast<std::size_t>(row);
        rows_.push_back({batch->sample_ids()[at], std::string(batch->path(row)),
                         batch->true_label(row).value_or(batch->labels()[at])});
      }
    }
    if (rows_.empty())
      throw Error(fmt::format("{} has no rows of split '{}'", parent.string(), options.split));
  }

  GivenLabelsFile read(GivenFormat format) {
    switch (format) {
      case GivenFormat::kLabelSet:
        read_label_set_file();
        break;
      case GivenFormat::kCsv:
        read_csv();
        break;
      case GivenFormat::kPrism:
        read_prism();
        break;
      case GivenFormat::kNumpy:
        read_numpy();
        break;
    }
    resolve();
    return std::move(result_);
  }

 private:
  std::string where(std::int64_t line) const { return fmt::format("{}, line {}", file_.string(), line); }

  void add(std::optional<std::size_t> row, std::string label, std::int64_t line, std::string_view who) {
    ++result_.entries;
    if (row) {
      entries_.push_back({*row, std::move(label), line});
      return;
    }
    if (result_.unmatched++ == 0) result_.first_unmatched = who;
  }

  void index_ids() {
    for (std::size_t i = 0; i < rows_.size(); ++i) by_id_.emplace(rows_[i].id, i);
  }
  std::optional<std::size_t> row_of(std::int64_t id) const {
    const auto found = by_id_.find(id);
    return found == by_id_.end() ? std::nullopt : std::optional(found->second);
  }

  void read_label_set_file() {
    index_ids();
    LabelReadOptions read;
    read.paths = false;
    read.true_labels = false;
    LabelSetReader reader(file_, read);
    const auto names = reader.info().classes;
    std::int64_t line = 0;
    while (const auto batch = reader.next()) {
      for (std::int64_t row = 0; row < batch->rows(); ++row) {
        const auto at = static_cast<std::size_t>(row);
        ++line;
        const auto label = batch->labels()[at];
        if (label == kUnlabelled || batch->split(row) != options_.split) continue;
        const auto& entry = names[static_cast<std::size_t>(label)];
        add(row_of(batch->sample_ids()[at]), entry.published.empty() ? entry.name : entry.published, line,
            fmt::format("sample {}", batch->sample_ids()[at]));
      }
    }
    named_ = true;
  }

  const TableColumn* any_column(const Table& table, std::initializer_list<const char*> names) const {
    for (const auto* name : names) {
      if (const auto* found = table.find(name)) return found;
    }
    return nullptr;
  }

  void read_csv() {
    const auto table = read_csv_table(file_);
    const auto* ids = any_column(table, {"sample_id", "id", "index"});
    const auto* paths = any_column(table, {"path", "image", "file", "filename", "image_path"});
    const auto* labels = options_.label_column.empty()
                             ? any_column(table, {"label", "noisy_label", "given_label", "class", "target"})
                             : table.find(options_.label_column);
    if (labels == nullptr) {
      std::string known;
      for (const auto& column : table.columns) known += (known.empty() ? "" : ", ") + column.name;
      throw Error(fmt::format(
          "{} has no column '{}'; it has {}. Name the column of labels with --label-column", file_.string(),
          options_.label_column.empty() ? "label" : options_.label_column, known));
    }
    if (ids == nullptr && paths == nullptr) {
      throw Error(fmt::format("{} has neither a column sample_id nor a column path", file_.string()));
    }
    const auto& texts = std::get<std::vector<std::string>>(labels->values);
    const auto& keys = std::get<std::vector<std::string>>((ids != nullptr ? ids : paths)->values);
    if (ids != nullptr) index_ids();
    const PathIndex index(rows_);
    for (std::size_t i = 0; i < texts.size(); ++i) {
      const auto line = static_cast<std::int64_t>(i) + 2;
      if (ids == nullptr) {
        add(index.find(keys[i], where(line)), texts[i], line, keys[i]);
        continue;
      }
      const auto id = parse_number<std::int64_t>(keys[i]);
      if (!id) throw Error(fmt::format("{}: '{}' is no sample id", where(line), keys[i]));
      add(row_of(*id), texts[i], line, keys[i]);
    }
  }

  void read_prism() {
    const auto content = read_file(file_);
    const PathIndex index(rows_);
    std::string_view rest(content);
    for (std::int64_t line = 1; !rest.empty(); ++line) {
      auto text = rest.substr(0, rest.find('\n'));
      rest.remove_prefix(std::min(rest.size(), text.size() + 1));
      while (!text.empty() && (text.back() == '\r' || text.back() == ' ')) text.remove_suffix(1);
      if (text.empty()) continue;
      const auto cut = text.find_last_of(", \t");
      if (cut == std::string_view::npos || cut == 0 || !parse_number<std::int64_t>(text.substr(cut + 1))) {
        throw Error(fmt::format("{}: expected 'path,label', found '{}'", where(line), text.substr(0, 80)));
      }
      add(index.find(text.substr(0, cut), where(line)), std::string(text.substr(cut + 1)), line,
          text.substr(0, cut));
    }
  }

  void read_numpy() {
    const auto values = read_npy_integers(file_);
    if (values.size() != rows_.size()) {
      throw Error(fmt::format("{} holds {} labels, but split '{}' has {} rows; they go together by place",
                              file_.string(), values.size(), options_.split, rows_.size()));
    }
    std::sort(rows_.begin(), rows_.end(), [](const auto& a, const auto& b) { return a.id < b.id; });
    for (std::size_t i = 0; i < values.size(); ++i)
      add(i, fmt::format("{}", values[i]), static_cast<std::int64_t>(i), "");
  }

  // Numbers may start at 0 or at 1. Most labels of a noisy list are right, so the better agreement tells.
  std::int64_t find_first_label() const {
    if (options_.first_label) return *options_.first_label;
    std::int64_t from_zero = 0, from_one = 0;
    for (const auto& entry : entries_) {
      const auto value = parse_number<std::int64_t>(entry.label);
      if (!value) continue;
      from_zero += *value == rows_[entry.parent_row].truth ? 1 : 0;
      from_one += *value - 1 == rows_[entry.parent_row].truth ? 1 : 0;
    }
    return from_one > from_zero ? 1 : 0;
  }

  std::optional<std::int32_t> class_of(const std::string& text, bool numbers) const {
    if (numbers) {
      const auto label = *parse_number<std::int64_t>(text) - result_.first_label;
      if (label < 0 || label >= static_cast<std::int64_t>(info_.classes.size())) return std::nullopt;
      return static_cast<std::int32_t>(label);
    }
    const auto found = by_class_.find(text);
    return found == by_class_.end() ? std::nullopt : std::optional(found->second);
  }

  void resolve() {
    for (std::size_t label = info_.classes.size(); label-- > 0;) {
      by_class_[info_.classes[label].published] = static_cast<std::int32_t>(label);
    }
    for (std::size_t label = info_.classes.size(); label-- > 0;) {
      by_class_[info_.classes[label].name] = static_cast<std::int32_t>(label);
    }
    const bool numbers = !named_ && std::all_of(entries_.begin(), entries_.end(), [&](const auto& entry) {
      return parse_number<std::int64_t>(entry.label).has_value();
    }) && !std::all_of(entries_.begin(), entries_.end(), [&](const auto& entry) {
      return by_class_.contains(entry.label);
    });
    if (numbers) result_.first_label = find_first_label();
    std::vector<std::int64_t> line_of(rows_.size(), 0);
    for (const auto& entry : entries_) {
      if (line_of[entry.parent_row] != 0) {
        throw Error(fmt::format("{}: this sample ('{}') stood in line {} already", where(entry.line),
                                rows_[entry.parent_row].path, line_of[entry.parent_row]));
      }
      line_of[entry.parent_row] = entry.line + 1;
      const auto label = class_of(entry.label, numbers);
      if (!label && !options_.drop_unknown) {
        throw Error(fmt::format(
            "{}: label '{}' is no class of '{}' ({} classes, counted from {}). Use --drop-unknown to "
            "leave such samples unlabelled",
            where(entry.line), entry.label, info_.dataset, info_.classes.size(), result_.first_label));
      }
      if (!label) ++result_.unknown[entry.label];
      result_.labels[rows_[entry.parent_row].id] = label.value_or(kRemovedLabel);
    }
    result_.rows_without = static_cast<std::int64_t>(rows_.size() - result_.labels.size());
    if (result_.labels.empty()) {
      throw Error(fmt::format("{}: none of its {} entries is a sample of split '{}' ('{}', for one)",
                              file_.string(), result_.entries, options_.split, result_.first_unmatched));
    }
  }

  std::filesystem::path file_;
  GivenLabelsOptions options_;
  LabelSetInfo info_;
  std::vector<ParentRow> rows_;
  std::unordered_map<std::int64_t, std::size_t> by_id_;
  std::unordered_map<std::string, std::int32_t> by_class_;
  std::vector<Entry> entries_;
  bool named_ = false;
  GivenLabelsFile result_;
};

}  // namespace

std::vector<std::string> given_format_names() { return {kFormatNames.begin(), kFormatNames.end()}; }

std::string_view to_string(GivenFormat format) { return kFormatNames[static_cast<std::size_t>(format)]; }

GivenFormat given_format_from_json(const nlohmann::ordered_json& json) {
  for (std::size_t number = 0; number < kFormatNames.size(); ++number)
    if (json == kFormatNames[number] || json == number) return static_cast<GivenFormat>(number);
  throw Error(fmt::format("{} is not the format of a list of labels; known are {}", json.dump(),
                          fmt::join(kFormatNames, ", ")));
}

GivenFormat guess_given_format(const std::filesystem::path& path) {
  const auto ending = lower_extension(path);
  if (ending == ".parquet" || std::filesystem::is_directory(path)) return GivenFormat::kLabelSet;
  if (ending == ".npy" || ending == ".pt" || ending == ".pkl" || ending == ".pth") return GivenFormat::kNumpy;
  if (ending != ".csv" && ending != ".tsv") return GivenFormat::kPrism;
  // PRISM's lists end in .csv too, but have no line of column names: the first line ends in a number.
  const auto content = read_file(path);
  std::string_view line(content);
  line = line.substr(0, line.find_first_of("\r\n"));
  const auto cut = line.find_last_of(",\t ");
  return cut != std::string_view::npos && parse_number<std::int64_t>(line.substr(cut + 1))
             ? GivenFormat::kPrism
             : GivenFormat::kCsv;
}

GivenLabelsFile read_given_labels(const std::filesystem::path& file, GivenFormat format,
                                  const std::filesystem::path& parent, const GivenLabelsOptions& options) {
  return ListReader(file, parent, options).read(format);
}

}  // namespace procsim::noise
