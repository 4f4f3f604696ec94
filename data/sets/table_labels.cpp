#include "data/sets/table_labels.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <numeric>
#include <unordered_set>

#include <fmt/format.h>

#include "data/base/error.hpp"
#include "data/base/number.hpp"
#include "data/base/suggest.hpp"
#include "data/base/words.hpp"
#include "data/sets/class_names.hpp"

namespace procsim {
namespace {

constexpr std::array<std::string_view, 9> kLabelNames = {
    "label", "class", "target", "category", "class_id", "label_id", "y", "labels", "species"};
constexpr std::array<std::string_view, 12> kPathNames = {
    "path",     "image",     "image_path", "file",     "filename",   "file_name",
    "filepath", "file_path", "img",        "img_path", "image_file", "relative_path"};
constexpr std::array<std::string_view, 4> kSplitNames = {"split", "subset", "partition", "set"};
constexpr std::array<std::string_view, 3> kClassNameNames = {"class_name", "label_name", "category_name"};
constexpr std::array<std::string_view, 1> kSampleIdNames = {"sample_id"};

bool same_letters(std::string_view a, std::string_view b) { return lower_case(a) == lower_case(b); }

std::optional<std::size_t> find_column(std::span<const std::string> columns, std::string_view name) {
  for (std::size_t i = 0; i < columns.size(); ++i) {
    if (columns[i] == name) return i;
  }
  for (std::size_t i = 0; i < columns.size(); ++i) {
    if (same_letters(columns[i], name)) return i;
  }
  return std::nullopt;
}

std::optional<std::size_t> find_usual(std::span<const std::string> columns,
                                      std::span<const std::string_view> usual) {
  for (const auto name : usual) {
    if (const auto found = find_column(columns, name)) return found;
  }
  return std::nullopt;
}

// A column that the user named, by name or by index from 0.
std::size_t find_named(std::span<const std::string> columns, std::string_view wanted,
                       const std::filesystem::path& file) {
  if (const auto found = find_column(columns, wanted)) return *found;
  const auto index = parse_number<std::int64_t>(wanted);
  if (index && *index >= 0 && *index < static_cast<std::int64_t>(columns.size())) {
    return static_cast<std::size_t>(*index);
  }
  throw Error(fmt::format("{} has no column '{}'; it has: {}{}", file.string(), wanted,
                          fmt::join(columns, ", "), did_you_mean(wanted, columns)));
}

}  // namespace

TableRoles choose_columns(std::span<const std::string> columns, const DatasetOptions& options,
                          const std::filesystem::path& file) {
  TableRoles roles;
  if (!options.label_column.empty()) {
    roles.label = find_named(columns, options.label_column, file);
  } else if (const auto found = find_usual(columns, kLabelNames)) {
    roles.label = *found;
  } else {
    throw Error(
        fmt::format("{} has no column that looks like labels ({}); it has: {}. Name it with --label-column.",
                    file.string(), fmt::join(kLabelNames, ", "), fmt::join(columns, ", ")));
  }
  if (!options.path_column.empty()) {
    roles.path = find_named(columns, options.path_column, file);
  } else {
    roles.path = find_usual(columns, kPathNames);
  }
  if (roles.path == roles.label) {
    throw Error(fmt::format(
        "{}: column '{}' cannot be both the label and the path; name them with --label-column and "
        "--path-column",
        file.string(), columns[roles.label]));
  }
  roles.split = find_usual(columns, kSplitNames);
  roles.class_name = find_usual(columns, kClassNameNames);
  roles.sample_id = find_usual(columns, kSampleIdNames);
  // A column that the user named keeps that role alone.
  for (auto* role : {&roles.split, &roles.class_name, &roles.sample_id}) {
    if (*role == roles.label || *role == roles.path) role->reset();
  }
  return roles;
}

std::string no_sample_id(std::string_view text) {
  return fmt::format(
      "'{}' is not a whole number from 0. Rename the column if it holds something else: rows are then "
      "numbered.",
      text);
}

void TableLabels::fail_two_names(const Value& value, std::string_view name, const std::string& place) {
  throw Error(fmt::format("{}: label {} is called '{}' here and '{}' before", place, value.text, name,
                          value.class_name));
}

// Written as a computer writes them: "007" is a name.
bool TableLabels::are_integers() const {
  return std::all_of(values_.begin(), values_.end(), [](const Value& value) {
    if (value.text.empty()) return true;
    const auto number = parse_number<std::int64_t>(value.text);
    return number && std::to_string(*number) == value.text;
  });
}

std::vector<std::int32_t> TableLabels::labels_by_known_names(Dataset& dataset) const {
  std::unordered_map<std::string, std::int32_t> by_name;
  for (std::size_t i = 0; i < known_names_.size(); ++i) {
    dataset.classes.push_back({known_names_[i], clean_class_name(known_names_[i]), {}});
    by_name.emplace(normal_text(known_names_[i]), static_cast<std::int32_t>(i));
  }
  std::vector<std::int32_t> labels;
  for (const auto& value : values_) {
    const auto number = parse_number<std::int64_t>(value.text);
    const auto named = by_name.find(value.text);
    if (value.text.empty() || number == kUnlabelled) {
      labels.push_back(kUnlabelled);
    } else if (named != by_name.end()) {
      labels.push_back(named->second);
    } else if (number && *number >= 0 && *number < static_cast<std::int64_t>(known_names_.size())) {
      labels.push_back(static_cast<std::int32_t>(*number));
    } else {
      throw Error(fmt::format("{}: label {} is none of the {} classes that the file names", value.place,
                              value.text, known_names_.size()));
    }
  }
  return labels;
}

std::vector<std::int32_t> TableLabels::labels_by_order(Dataset& dataset) const {
  const bool numbers = are_integers();
  std::vector<std::size_t> order;
  for (std::size_t i = 0; i < values_.size(); ++i) {
    const auto& value = values_[i];
    if (value.text.empty() || (numbers && value.text == "-1")) continue;
    if (numbers && value.text.front() == '-') {
      throw Error(
          fmt::format("{}: label {} is negative (-1 or nothing means unlabelled)", value.place, value.text));
    }
    order.push_back(i);
  }
  std::sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
    if (numbers)
      return *parse_number<std::int64_t>(values_[a].text) < *parse_number<std::int64_t>(values_[b].text);
    return values_[a].text < values_[b].text;
  });
  std::vector<std::int32_t> labels(values_.size(), kUnlabelled);
  bool renumbered = false;
  for (std::size_t label = 0; label < order.size(); ++label) {
    const auto& value = values_[order[label]];
    labels[order[label]] = static_cast<std::int32_t>(label);
    renumbered |= numbers && value.text != std::to_string(label);
    const auto& published = numbers && !value.class_name.empty() ? value.class_name : value.text;
    const auto& shown = value.class_name.empty() ? value.text : value.class_name;
    dataset.classes.push_back({published, clean_class_name(shown), {}});
  }
  if (renumbered) {
    dataset.notes.push_back(fmt::format(
        "the labels are not 0 to {}: classes are numbered in the order of their values", order.size() - 1));
  }
  return labels;
}

void TableLabels::finish(Dataset& dataset) const {
  const auto labels = known_names_.empty() ? labels_by_order(dataset) : labels_by_known_names(dataset);
  std::int64_t unlabelled = 0;
  for (std::size_t i = 0; i < rows_.size(); ++i) {
    dataset.samples[i].label = labels[static_cast<std::size_t>(rows_[i])];
    unlabelled += dataset.samples[i].label == kUnlabelled;
  }
  if (unlabelled > 0) dataset.notes.push_back(fmt::format("{} samples carry no label", unlabelled));
}

void note_repeated_paths(Dataset& dataset) {
  std::unordered_set<std::string_view> seen;
  std::int64_t repeated = 0;
  for (const auto& sample : dataset.samples) repeated += !seen.insert(sample.path).second;
  if (repeated > 0) dataset.notes.push_back(fmt::format("{} samples repeat the path of another", repeated));
}

}  // namespace procsim
