#include "tools/taxo/shared/taxonomy_source.hpp"

#include <algorithm>
#include <utility>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "data/base/error.hpp"
#include "data/base/json_nesting.hpp"
#include "data/base/suggest.hpp"
#include "data/base/words.hpp"
#include "data/files/atomic_file.hpp"
#include "data/files/file_name.hpp"
#include "data/labels/label_set.hpp"
#include "data/sets/class_names.hpp"
#include "data/sets/sample_path.hpp"
#include "tools/program/workspace_choice.hpp"
#include "tools/taxo/shared/split_options.hpp"

namespace procsim::tools {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;

bool is_known(const std::string& name) {
  const auto& known = known_datasets();
  return std::find(known.begin(), known.end(), name) != known.end();
}

// Where the source is, when it is not a known name.
std::optional<fs::path> source_path(const BuildRequest& request) {
  return is_known(request.source) ? std::nullopt : find_dataset_path(request.source, request.dataset);
}

// Tables are data sets; every other file is a list of names.
bool is_names_file(const fs::path& file) {
  std::error_code ignored;
  if (!fs::is_regular_file(file, ignored)) return false;
  const auto extension = lower_extension(file);
  return extension != ".csv" && extension != ".tsv" && extension != ".parquet" && extension != ".mat" &&
         extension != ".json";
}

ClassSource read_names(const fs::path& file) {
  ClassSource source{file.stem().string(), "names", {}, std::nullopt, std::nullopt};
  std::string_view text;
  const auto content = read_file(file);
  text = content;
  if (text.starts_with("\xEF\xBB\xBF")) text.remove_prefix(3);
  while (text.ends_with('\n') || text.ends_with('\r')) text.remove_suffix(1);
  std::size_t line = 0;
  while (!text.empty()) {
    ++line;
    const auto end = std::min(text.find('\n'), text.size());
    auto name = text.substr(0, end);
    text.remove_prefix(std::min(end + 1, text.size()));
    if (name.ends_with('\r')) name.remove_suffix(1);
    if (trimmed(name).empty()) {
      throw Error(fmt::format(
          "{}:{}: the line is empty. Every line is a class, and its place is the label: take the line out",
          file.string(), line));
    }
    source.classes.push_back({std::string(name), clean_class_name(name), {}});
  }
  if (source.classes.empty())
    throw Error(fmt::format("{} is empty. Give one class name a line", file.string()));
  return source;
}

// A Parquet file, or a folder of them, may be a label set or a data set; a label set says so itself.
std::optional<ClassSource> read_label_classes(const fs::path& path) {
  if (fs::is_directory(path) ? holds_known_dataset(path) : lower_extension(path) != ".parquet")
    return std::nullopt;
  if (!is_label_set(path)) return std::nullopt;
  const LabelSetReader reader(path);
  const auto& dataset = reader.info().dataset;
  ClassSource source{dataset, is_known(dataset) ? dataset : "labelset", {}, std::nullopt, path};
  for (const auto& c : reader.info().classes) source.classes.push_back({c.published, c.name, {}});
  return source;
}

// Options that were given although the source already says what they are about.
void refuse_options(const DatasetOptions& options, std::string_view source) {
  const DatasetOptions unused;
  const auto refuse = [&](std::string_view option, bool is_given) {
    if (is_given) throw UsageError(fmt::format("{} does not apply to {}", option, source));
  };
  refuse("--split", options.split != unused.split);
  refuse("--split-seed", options.split_seed != unused.split_seed);
  refuse("--label-column", !options.label_column.empty());
  refuse("--path-column", !options.path_column.empty());
  refuse("--merge-alike", options.merge_alike);
}

// By itself a data set is called after its file or folder, and two of one name would take each other's place.
void refuse_taken_name(const std::optional<Workspace>& workspace, const BuildRequest& request,
                       const ClassSource& source) {
  if (request.name || source.label_set || !workspace) return;
  const auto known = workspace->dataset(source.name);
  const auto here = to_record(request, source).source;
  if (!known || known->source == here) return;
  throw Error(fmt::format(
      "the workspace has a data set '{0}' already, from {1}. Call this one otherwise with --name NAME, or "
      "let it take the other's place with --name {0}.",
      source.name, known->source));
}

ClassSource open_unnamed_source(const BuildRequest& request, const fs::path& home) {
  if (const auto path = source_path(request)) {
    if (is_names_file(*path)) {
      refuse_options(request.dataset, "a file of names");
      if (request.dataset.root) throw UsageError("--root does not apply to a file of names");
      return read_names(*path);
    }
    if (auto labels = read_label_classes(*path)) {
      refuse_options(request.dataset, "a label set");
      require_root(request.dataset);
      return std::move(*labels);
    }
  }
  auto options = request.dataset;
  if (request.source == "fieldguide" && !options.root && !data_folder()) options.root = home / "data";
  auto dataset = open_dataset(request.source, options);
  ClassSource source{dataset.name, dataset.kind, dataset.classes, std::nullopt, std::nullopt};
  source.dataset = std::move(dataset);
  return source;
}

}  // namespace

ClassSource open_class_source(const BuildRequest& request, const fs::path& home) {
  auto source = open_unnamed_source(request, home);
  if (!request.name) return source;
  if (source.label_set)
    throw UsageError("--name does not apply to a label set, which says itself what it is of");
  source.name = *request.name;
  if (source.dataset) source.dataset->name = *request.name;
  return source;
}

DatasetRecord to_record(const BuildRequest& request, const ClassSource& source) {
  DatasetRecord record;
  record.name = source.name;
  record.kind = source.kind;
  const auto path = source_path(request);
  record.source = path ? absolute_folder(*path).string() : request.source;
  record.classes = static_cast<std::int64_t>(source.classes.size());
  if (source.dataset) {
    record.root = fs::absolute(source.dataset->root).lexically_normal().string();
    record.samples = static_cast<std::int64_t>(source.dataset->samples.size());
  } else if (source.label_set) {
    record.root =
        absolute_folder(request.dataset.root.value_or(absolute_folder(*source.label_set).parent_path()))
            .string();
    record.samples = LabelSetReader(*source.label_set).file_rows();
  }
  Json options = {{"split", to_string(request.dataset.split)}, {"split_seed", request.dataset.split_seed}};
  if (request.dataset.root) options["root"] = fs::absolute(*request.dataset.root).lexically_normal().string();
  if (!request.dataset.label_column.empty()) options["label_column"] = request.dataset.label_column;
  if (!request.dataset.path_column.empty()) options["path_column"] = request.dataset.path_column;
  if (request.dataset.merge_alike) options["merge_alike"] = true;
  if (!request.dataset.merge_names.empty()) options["merge_names"] = request.dataset.merge_names;
  if (request.name) options["name"] = *request.name;
  if (request.root_synset) options["root_synset"] = *request.root_synset;
  if (request.overrides) options["overrides"] = fs::absolute(*request.overrides).lexically_normal().string();
  record.options = options.dump();
  return record;
}

BuildRequest request_from_record(const DatasetRecord& record) {
  BuildRequest request;
  request.source = record.source;
  const auto options = parse_json<Json>(record.options.empty() ? "{}" : record.options);
  if (!options.is_object()) {
    throw Error(
        fmt::format("the workspace's record of '{0}' is damaged. Run again: taxo build {0}", record.name));
  }
  const auto text = [&](const char* key) -> std::optional<std::string> {
    const auto found = options.find(key);
    if (found == options.end() || !found->is_string()) return std::nullopt;
    return found->get<std::string>();
  };
  if (const auto split = text("split")) request.dataset.split = split_policy_from_string(*split);
  if (const auto seed = options.find("split_seed"); seed != options.end() && seed->is_number_unsigned()) {
    request.dataset.split_seed = seed->get<std::uint64_t>();
  }
  if (const auto root = text("root")) request.dataset.root = *root;
  request.dataset.label_column = text("label_column").value_or("");
  request.dataset.path_column = text("path_column").value_or("");
  const auto list = [&](const char* key) {
    const auto found = options.find(key);
    return found != options.end() && found->is_array() ? *found : Json::array();
  };
  request.dataset.merge_alike = options.contains("merge_alike") && options["merge_alike"] == true;
  for (const auto& name : list("merge_names"))
    if (name.is_string()) request.dataset.merge_names.push_back(name.get<std::string>());
  request.name = text("name");
  request.root_synset = text("root_synset");
  if (const auto file = text("overrides")) request.overrides = *file;
  return request;
}

taxonomy::ResolveOptions resolve_options(const BuildRequest& request, const ClassSource& source,
                                         const fs::path& home) {
  taxonomy::ResolveOptions options;
  options.root = request.root_synset ? request.root_synset : taxonomy::known_root(source.kind);
  options.car_names = source.kind == "cars196";
  options.overrides.push_back(taxonomy::built_in_overrides(source.kind));
  const auto own = overrides_file(home, source.name);
  std::error_code ignored;
  if (fs::exists(own, ignored)) options.overrides.push_back(taxonomy::read_overrides(own));
  if (request.overrides) options.overrides.push_back(taxonomy::read_overrides(*request.overrides));
  return options;
}

BuildSession open_session(const fs::path& folder, BuildRequest request) {
  std::optional<Workspace> workspace;
  if (Workspace::exists_in(folder)) workspace = Workspace::open(folder);
  taxonomy::WordNet wordnet;
  taxonomy::HypernymGraph graph(wordnet);
  auto source = open_class_source(request, Workspace::home_in(folder));
  refuse_taken_name(workspace, request, source);
  return {folder,          std::move(workspace), std::move(request), std::move(source), std::move(wordnet),
          std::move(graph)};
}

BuildSession reopen_session(const GlobalOptions& global, const std::optional<std::string>& dataset) {
  const auto workspace = open_workspace(global);
  const auto record = dataset ? workspace.dataset(*dataset) : require_dataset(workspace);
  if (!record) {
    throw Error(fmt::format("the workspace has no data set '{0}'. Make its taxonomy first: taxo build {0}",
                            *dataset));
  }
  if (!dataset) say(global, fmt::format("data set: {}", record->name));
  return open_session(workspace.home().parent_path(), request_from_record(*record));
}

taxonomy::BuiltTaxonomy build(const BuildSession& session) {
  return taxonomy::build_taxonomy(session.wordnet, session.graph, session.source.name, session.source.classes,
                                  resolve_options(session.request, session.source, session.home()));
}

}  // namespace procsim::tools
