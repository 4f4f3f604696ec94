#include "tools/noise/shared/noise_files.hpp"

#include <algorithm>
#include <thread>
#include <utility>

#include <fmt/format.h>

#include "data/base/digest.hpp"
#include "data/base/error.hpp"
#include "tools/program/taxonomy_store.hpp"
#include "tools/program/workspace_choice.hpp"

namespace procsim::tools {
namespace fs = std::filesystem;

void add_label_options(CLI::App* command, LabelChoice& choice, const std::string& what) {
  command->add_option("--labels", choice.file, what + " (default: the workspace's)")->type_name("FILE");
  add_dataset_option(command, choice.dataset);
}

fs::path choose_labels(const GlobalOptions& global, const LabelChoice& choice, std::string_view kind) {
  if (choice.file) {
    if (!fs::exists(*choice.file)) throw Error(fmt::format("{} does not exist", choice.file->string()));
    return *choice.file;
  }
  const auto workspace = open_workspace(global);
  const auto dataset = choice.dataset ? *choice.dataset : require_dataset(workspace, "--labels FILE").name;
  return label_file(workspace, require_labels(global, workspace, dataset, kind));
}

std::optional<LoadedTaxonomy> find_taxonomy(const GlobalOptions& global, const std::optional<fs::path>& file,
                                            const LabelSetInfo& info, const fs::path& labels) {
  LoadedTaxonomy loaded;
  std::string shown_name;
  if (file) {
    loaded.taxonomy = std::make_shared<const taxonomy::Taxonomy>(read_taxonomy(*file));
    loaded.input.name = file->filename().string();
    shown_name = file->string();
  } else {
    const auto workspace = find_workspace(global);
    const auto record = workspace ? workspace->newest_taxonomy(info.dataset) : std::nullopt;
    if (!record) return std::nullopt;
    const auto path = workspace->resolve(record->path);
    loaded.taxonomy = std::make_shared<const taxonomy::Taxonomy>(read_taxonomy(path));
    loaded.input.name = path.filename().string();
    shown_name = record->path;
    say(global, fmt::format("taxonomy: {} ({} classes, {})", info.dataset, loaded.taxonomy->class_count(),
                            record->path));
  }
  noise::require_same_classes(*loaded.taxonomy, shown_name, info, labels.string());
  loaded.input.role = "taxonomy";
  loaded.input.digest = loaded.taxonomy->digest();
  return loaded;
}

std::optional<fs::path> find_root(const GlobalOptions& global, const std::optional<fs::path>& given,
                                  const std::string& dataset) {
  if (given) return given;
  const auto workspace = find_workspace(global);
  const auto record = workspace ? workspace->dataset(dataset) : std::nullopt;
  if (!record || record->root.empty()) return std::nullopt;
  return fs::path(record->root);
}

void record_label_set(const GlobalOptions& global, const fs::path& path, const LabelSetInfo& info,
                      const std::string& digest, std::string_view kind, const std::string& summary,
                      std::int64_t rows, std::int64_t changed) {
  auto workspace = find_workspace(global);
  if (!workspace || !workspace->dataset(info.dataset)) return;
  LabelSetRecord record;
  record.dataset = info.dataset;
  record.path = workspace->stored_path(path);
  record.digest = digest;
  record.kind = kind;
  record.summary = summary;
  record.rows = rows;
  record.changed = changed;
  workspace->put_label_set(record);
}

std::string shown(const fs::path& path) {
  std::error_code failed;
  const auto relative = fs::relative(path, failed).string();
  const auto plain = path.string();
  return !failed && !relative.empty() && relative.size() < plain.size() ? relative : plain;
}

std::string grouped(std::int64_t number) {
  const auto digits = fmt::format("{}", number);
  std::string text;
  for (std::size_t i = 0; i < digits.size(); ++i) {
    const bool first = i == 0 || digits[i - 1] == '-';
    if (!first && (digits.size() - i) % 3 == 0) text.push_back(',');
    text.push_back(digits[i]);
  }
  return text;
}

IfExists if_exists(bool force) { return force ? IfExists::kReplace : IfExists::kFail; }

unsigned thread_count(unsigned asked) {
  return asked != 0 ? asked : std::max(1u, std::thread::hardware_concurrency());
}

}  // namespace procsim::tools
