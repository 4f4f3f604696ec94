#include <cmath>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "curate/decisions/decisions.hpp"
#include "curate/exchange/exchange.hpp"
#include "curate/exchange/exchange_names.hpp"
#include "data/base/error.hpp"
#include "data/base/json_nesting.hpp"
#include "data/base/letters.hpp"
#include "data/base/number.hpp"
#include "data/files/atomic_file.hpp"
#include "data/labels/foreign_table.hpp"

namespace procsim::curate {

using Json = nlohmann::ordered_json;

namespace {

std::string text_or(const Json& object, const char* field, const std::string& otherwise) {
  const auto found = object.find(field);
  if (found == object.end() || found->is_null()) return otherwise;
  return found->is_string() ? found->get<std::string>() : found->dump();
}

// Whole numbers, also where a tool wrote them as text or as 12.0.
std::optional<std::int64_t> whole(const Json& value) {
  if (value.is_number_integer()) return value.get<std::int64_t>();
  const auto text = value.is_string() ? value.get<std::string>() : std::string();
  if (const auto number = parse_number<std::int64_t>(text)) return number;
  const auto number = value.is_number_float() ? value.get<double>() : parse_number<double>(text);
  constexpr double kExact = 1LL << 53;  // all whole numbers up to here are doubles
  if (!number || *number != std::trunc(*number) || std::abs(*number) > kExact) return std::nullopt;
  return static_cast<std::int64_t>(*number);
}

class Importer {
 public:
  Importer(const std::filesystem::path& file, const ScoreTable& table, const ImportOptions& options)
      : file_(file), table_(table), options_(options) {
    classes_.classes = table.info().classes;
  }

  ImportedDecisions from_json(const Json& json) {
    result_.format = options_.format.value_or(guess(json));
    switch (result_.format) {
      case ExchangeFormat::kDecisions:
        own(json);
        break;
      case ExchangeFormat::kLabelStudio:
        label_studio(json);
        break;
      case ExchangeFormat::kDatumaro:
        datumaro(json);
        break;
      case ExchangeFormat::kFiftyOne:
        fiftyone(json);
        break;
      case ExchangeFormat::kCsv:
        throw Error(fmt::format("{} is JSON, not CSV", file_.string()));
    }
    return std::move(result_);
  }

  ImportedDecisions from_table() {
    result_.format = ExchangeFormat::kCsv;
    const ForeignTable foreign(file_);
    const auto* ids = foreign.find({"sample_id", "id", "sample"});
    const auto* paths = ids ? nullptr : &foreign.require({"path", "image", "file", "filename"});
    const auto& verdicts = foreign.require({"verdict", "decision"});
    const auto* labels = foreign.find({"new_label", "corrected_label"});
    const auto* nodes = foreign.find({"node", "new_node"});
    const auto* reviewers = foreign.find({"reviewer", "annotator"});
    const auto* times = foreign.find({"time", "updated_at"});
    for (std::int64_t row = 0; row < foreign.rows(); ++row) {
      DecisionRecord record;
      record.verdict = foreign.text(verdicts, row);
      if (record.verdict.empty()) continue;  // not decided yet
      const auto where = foreign.place(verdicts, row);
      check_verdict(record.verdict, where);
      record.sample = ids ? foreign.integer(*ids, row) : sample_at(foreign.text(*paths, row), where);
      if (labels && record.verdict == "relabel") record.new_label = foreign.label(*labels, row, classes_);
      if (nodes) record.new_node = foreign.text(*nodes, row);
      if (reviewers) record.reviewer = foreign.text(*reviewers, row);
      if (times) record.time = foreign.text(*times, row);
      add(std::move(record), where);
    }
    return std::move(result_);
  }

 private:
  ExchangeFormat guess(const Json& json) const {
    if (json.is_array()) return ExchangeFormat::kLabelStudio;
    // Of any version: own() says which one it reads.
    if (json.is_object() && text_or(json, "format", "").starts_with("decisions/"))
      return ExchangeFormat::kDecisions;
    if (json.is_object() && json.contains("items") && json.contains("categories"))
      return ExchangeFormat::kDatumaro;
    if (json.is_object() && json.contains("labels")) return ExchangeFormat::kFiftyOne;
    throw Error(fmt::format(
        "{} is none of the known forms of decisions: an export of the report, Label Studio tasks, "
        "Datumaro JSON, FiftyOne labels, CSV. Say which with --format.",
        file_.string()));
  }

  void own(const Json& json) {
    if (json.value("format", "") != kDecisionsFormat)
      throw Error(fmt::format("{}: its format is '{}', expected '{}'", file_.string(),
                              json.value("format", ""), kDecisionsFormat));
    result_.label_set = text_or(json, "label_set", "");
    if (json.contains("classes")) check_classes(json["classes"]);
    std::size_t number = 0;
    for (const auto& entry : json.at("decisions")) {
      const auto where = fmt::format("{}, decision {}", file_.string(), ++number);
      DecisionRecord record;
      record.sample = required_id(entry, "sample", where);
      record.verdict = text_or(entry, "verdict", "");
      check_verdict(record.verdict, where);
      if (entry.contains("label")) record.new_label = whole(entry["label"]);
      record.new_node = text_or(entry, "node", "");
      record.reviewer = text_or(entry, "reviewer", "");
      record.time = text_or(entry, "time", "");
      add(std::move(record), where);
    }
  }

  // Its export "JSON": tasks with annotations; or "JSON-MIN": the task's data with the choices beside it.
  void label_studio(const Json& tasks) {
    std::size_t number = 0;
    for (const auto& task : tasks) {
      const auto where = fmt::format("{}, task {}", file_.string(), ++number);
      if (!task.contains("data")) {
        const auto label = task.find("label");
        if (label == task.end()) continue;
        const auto& chosen = label->is_object() && label->contains("choices") ? (*label)["choices"] : *label;
        add_choices(required_id(task, "sample_id", where), strings_in(chosen), task, where);
        continue;
      }
      const auto sample = required_id(task["data"], "sample_id", where);
      if (!task.contains("annotations")) continue;
      for (const auto& annotation : task["annotations"]) {
        if (annotation.value("was_cancelled", false)) continue;
        std::vector<std::string> choices;
        for (const auto& result : annotation.at("result"))
          if (result.contains("value") && result["value"].contains("choices"))
            for (auto& choice : strings_in(result["value"]["choices"])) choices.push_back(std::move(choice));
        add_choices(sample, choices, annotation, where);
      }
    }
  }

  void add_choices(std::int64_t sample, const std::vector<std::string>& choices, const Json& annotation,
                   const std::string& where) {
    if (choices.empty()) return;
    DecisionRecord record;
    record.sample = sample;
    record.reviewer = annotator(annotation);
    record.time = text_or(annotation, "updated_at", "");
    if (choices.size() > 1 || choices.front() == kAmbiguousChoice)
      record.verdict = "ambiguous";
    else if (choices.front() == kNoneChoice)
      record.verdict = "none";
    else
      set_label(record, choices.front(), where);
    add(std::move(record), where);
  }

  static std::vector<std::string> strings_in(const Json& value) {
    if (value.is_array()) return value.get<std::vector<std::string>>();
    return {value.get<std::string>()};
  }

  void datumaro(const Json& json) {
    std::vector<std::string> names;
    for (const auto& label : json.at("categories").at("label").at("labels"))
      names.push_back(label.at("name"));
    for (const auto& item : json.at("items")) {
      const auto where = fmt::format("{}, item '{}'", file_.string(), text_or(item, "id", "?"));
      const Json* found = nullptr;
      for (const auto& annotation : item.at("annotations"))
        if (annotation.value("type", "") == "label") found = &annotation;
      DecisionRecord record;
      record.sample = datumaro_sample(item, found, where);
      if (!found) {
        record.verdict = "none";  // somebody took the label away
      } else {
        const auto label = whole(found->at("label_id")).value_or(-1);
        if (label < 0 || static_cast<std::size_t>(label) >= names.size())
          throw Error(fmt::format("{}: label_id {} is not one of its {} labels", where, label, names.size()));
        set_label(record, names[static_cast<std::size_t>(label)], where);
      }
      add_unless_unchanged(std::move(record), where);
    }
  }

  std::int64_t datumaro_sample(const Json& item, const Json* annotation, const std::string& where) {
    if (annotation && annotation->contains("attributes") && (*annotation)["attributes"].contains("sample_id"))
      if (const auto id = whole((*annotation)["attributes"]["sample_id"])) return *id;
    if (item.contains("attr") && item["attr"].contains("sample_id"))
      if (const auto id = whole(item["attr"]["sample_id"])) return *id;
    // Its path, or what the export called it: an image out of a Parquet file has another path than its row.
    const auto path = item.contains("image") ? text_or(item["image"], "path", "") : std::string();
    const auto id = text_or(item, "id", "");
    if (path.empty() && id.empty())
      throw Error(fmt::format("{}: neither a sample_id nor an image path", where));
    const auto by_id = path.empty() || (!id.empty() && !find_sample(path, where));
    return sample_at(by_id ? id : path, where);
  }

  void fiftyone(const Json& json) {
    for (const auto& [name, entry] : json.at("labels").items()) {
      const auto where = fmt::format("{}, label of '{}'", file_.string(), name);
      DecisionRecord record;
      if (entry.is_object() && entry.contains("attributes") && entry["attributes"].contains("sample_id"))
        record.sample = required_id(entry["attributes"], "sample_id", where);
      else
        record.sample = sample_at(name, where);
      const auto label = fiftyone_label(json, entry, where);
      if (entry.is_array() && entry.size() > 1)
        record.verdict = "ambiguous";
      else if (label.empty())
        record.verdict = "none";
      else
        set_label(record, label, where);
      add_unless_unchanged(std::move(record), where);
    }
  }

  // A label is a name, a number in the file's list of classes, an object with either, or a list of these.
  static std::string fiftyone_label(const Json& json, const Json& entry, const std::string& where) {
    if (entry.is_object() && entry.contains("label")) return fiftyone_label(json, entry["label"], where);
    if (entry.is_array() && entry.size() == 1) return fiftyone_label(json, entry[0], where);
    if (entry.is_string()) return entry.get<std::string>();
    if (!entry.is_number_integer()) return {};
    const auto label = entry.get<std::int64_t>();
    if (!json.contains("classes") || label < 0 || label >= static_cast<std::int64_t>(json["classes"].size()))
      throw Error(fmt::format("{}: {} is not one of the file's classes", where, label));
    return json["classes"][static_cast<std::size_t>(label)].get<std::string>();
  }

  static std::string annotator(const Json& annotation) {
    auto found = annotation.find("completed_by");
    if (found == annotation.end()) found = annotation.find("annotator");
    if (found == annotation.end() || found->is_null()) return {};
    if (found->is_object()) return text_or(*found, "email", text_or(*found, "id", ""));
    return fmt::format("label-studio:{}", found->dump());
  }

  void set_label(DecisionRecord& record, const std::string& name, const std::string& where) const {
    std::int32_t label = kUnlabelled;
    try {
      label = classes_.label_of(name);
    } catch (const Error& error) {
      throw Error(fmt::format("{}: {}", where, error.what()));
    }
    const auto row = table_.find(record.sample);
    if (row && table_.labels()[*row] == label) {
      record.verdict = "keep";
      return;
    }
    record.verdict = "relabel";
    record.new_label = label;
  }

  void add_unless_unchanged(DecisionRecord&& record, const std::string& where) {
    if (record.verdict == "keep" && !options_.unchanged_is_keep) {
      ++result_.unchanged;
      return;
    }
    add(std::move(record), where);
  }

  void add(DecisionRecord&& record, const std::string& where) {
    if (!table_.find(record.sample))
      throw Error(
          fmt::format("{}: sample {} is not in the scores. Give the scores that were reviewed with --scores.",
                      where, record.sample));
    if (record.verdict == "relabel") {
      const auto classes = static_cast<std::int64_t>(classes_.classes.size());
      if (!record.new_label || *record.new_label < 0 || *record.new_label >= classes)
        throw Error(fmt::format("{}: relabel names no class", where));
    } else {
      record.new_label.reset();
    }
    if (record.verdict == "parent" && record.new_node.empty())
      throw Error(fmt::format("{}: parent names no node", where));
    if (record.reviewer.empty()) record.reviewer = options_.reviewer;
    if (record.reviewer.empty())
      throw Error(fmt::format("{}: no reviewer; say who decided with --reviewer", where));
    if (!is_reviewer_name(record.reviewer))
      throw Error(
          fmt::format("{}: '{}' is no reviewer's name: it has 1 to {} bytes and no control characters", where,
                      shortened(record.reviewer, 40), kLongestReviewer));
    if (!record.time.empty() && !is_time(record.time))
      throw Error(fmt::format("{}: '{}' is no time. Write it as 2026-01-31T12:00:00Z.", where,
                              shortened(record.time, 40)));
    record.source = kFromImport;
    result_.decisions.push_back(std::move(record));
  }

  void check_verdict(const std::string& verdict, const std::string& where) const {
    try {
      verdict_from_string(verdict);
    } catch (const Error& error) {
      throw Error(fmt::format("{}: {}", where, error.what()));
    }
  }

  void check_classes(const Json& names) const {
    for (std::size_t i = 0; i < names.size(); ++i)
      if (i >= classes_.classes.size() || names[i] != classes_.classes[i].name)
        throw Error(fmt::format(
            "{} was made with other classes than the scores: class {} is '{}' there. Give the scores "
            "that were reviewed with --scores.",
            file_.string(), i, names[i].dump()));
  }

  std::int64_t required_id(const Json& object, const char* field, const std::string& where) const {
    if (const auto found = object.find(field); found != object.end())
      if (const auto id = whole(*found)) return *id;
    throw Error(fmt::format("{}: '{}' is missing or not a sample id", where, field));
  }

  std::optional<std::int64_t> find_sample(const std::string& path, const std::string& where) {
    if (!names_) names_.emplace(table_);
    try {
      const auto row = names_->find(path);
      return row ? std::optional(table_.sample_ids()[*row]) : std::nullopt;
    } catch (const Error& error) {
      throw Error(fmt::format("{}: {}", where, error.what()));
    }
  }

  std::int64_t sample_at(const std::string& path, const std::string& where) {
    if (const auto sample = find_sample(path, where)) return *sample;
    throw Error(fmt::format("{}: no scored sample has the path '{}'", where, path));
  }

  const std::filesystem::path& file_;
  const ScoreTable& table_;
  const ImportOptions& options_;
  LabelSetInfo classes_;
  ImportedDecisions result_;
  std::optional<ExchangeNames> names_;  // made when the first sample is named by its path
};

}  // namespace

ImportedDecisions import_decisions(const std::filesystem::path& file, const ScoreTable& table,
                                   const ImportOptions& options) {
  Importer importer(file, table, options);
  if (options.format == ExchangeFormat::kCsv || is_parquet(file)) return importer.from_table();
  const auto text = read_file(file);
  const auto first = text.find_first_not_of(" \t\r\n\xEF\xBB\xBF");
  if (!options.format && (first == std::string::npos || (text[first] != '{' && text[first] != '[')))
    return importer.from_table();
  if (json_nesting(text) > kDeepestJson)
    throw Error(fmt::format("{}: nested more than {} levels deep", file.string(), kDeepestJson));
  try {
    return importer.from_json(Json::parse(text));
  } catch (const Json::exception& exception) {
    throw Error(fmt::format("{}: not the JSON that was expected: {}", file.string(), exception.what()));
  }
}

}  // namespace procsim::curate
