#pragma once

// What the CSV and Parquet readers share: choosing columns, and turning a column of labels into classes.
// Included by sources of data/ only.

#include <cstdint>
#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "data/base/normal_text.hpp"
#include "data/sets/dataset.hpp"

namespace procsim {

// Which column holds what. Empty: there is none.
struct TableRoles {
  std::size_t label = 0;
  std::optional<std::size_t> path;
  std::optional<std::size_t> split;
  std::optional<std::size_t> class_name;
  std::optional<std::size_t> sample_id;
};

// The roles by the options, else by the usual names, letter case ignored. Throws Error that lists the
// columns.
TableRoles choose_columns(std::span<const std::string> columns, const DatasetOptions& options,
                          const std::filesystem::path& file);

// The labels of a table's rows, in order, and the classes they make. Labels that are all whole numbers are
// ordered by value and −1 means unlabelled; others are ordered as text. An empty label means unlabelled.
// Labels are taken as normal_text: white space around them and how a letter was composed make no class of
// their own.
class TableLabels {
 public:
  // The classes in order, where the table says so itself: labels are then indices into it, or these names.
  void set_class_names(std::vector<std::string> names) { known_names_ = std::move(names); }

  // The label of the next row; `place()` says where it stands, for messages.
  template <typename Place>
  void add(std::string_view label, Place&& place) {
    auto found = codes_.find(label);
    if (found == codes_.end()) {
      auto text = normal_text(label);  // as typed it may be new, as meant it may be known
      auto [same, fresh] = code_of_text_.try_emplace(text, static_cast<std::int32_t>(values_.size()));
      if (fresh) values_.push_back({std::move(text), place(), {}});
      found = codes_.emplace(std::string(label), same->second).first;
    }
    rows_.push_back(found->second);
  }

  // What the row added last calls its class. Throws Error when another row of the class calls it otherwise.
  template <typename Place>
  void name_class(std::string_view typed, Place&& place) {
    auto name = normal_text(typed);
    auto& known = values_[static_cast<std::size_t>(rows_.back())].class_name;
    if (known == name) return;
    if (!known.empty() && !name.empty())
      fail_two_names(values_[static_cast<std::size_t>(rows_.back())], name, place());
    if (known.empty()) known = std::move(name);
  }

  // Fills in the classes, and the labels of the samples, which must be as many as the rows added.
  void finish(Dataset& dataset) const;

 private:
  struct Value {
    std::string text;
    std::string place;       // where it occurs first
    std::string class_name;  // from a column of names, may be empty
  };
  struct TextHash {
    using is_transparent = void;
    std::size_t operator()(std::string_view text) const { return std::hash<std::string_view>{}(text); }
  };

  [[noreturn]] static void fail_two_names(const Value& value, std::string_view name,
                                          const std::string& place);
  bool are_integers() const;
  std::vector<std::int32_t> labels_by_known_names(Dataset& dataset) const;
  std::vector<std::int32_t> labels_by_order(Dataset& dataset) const;

  std::vector<std::string> known_names_;
  std::unordered_map<std::string, std::int32_t, TextHash, std::equal_to<>>
      codes_;                                                   // of labels as they stand there
  std::unordered_map<std::string, std::int32_t> code_of_text_;  // of normal ones
  std::vector<Value> values_;
  std::vector<std::int32_t> rows_;  // index into values_
};

// What a table's sample_id is told that is no id, with the way out.
std::string no_sample_id(std::string_view text);

// "3 paths occur more than once", when some do.
void note_repeated_paths(Dataset& dataset);

}  // namespace procsim
