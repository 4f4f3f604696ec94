#include "tools/noise/shared/noise_files.hpp"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "data/base/error.hpp"
#include "data/files/file_name.hpp"
#include "tools/program/label_set_record.hpp"
#include "tools/program/taxonomy_store.hpp"
#include "tools/program/workspace_choice.hpp"

namespace procsim::tools {
namespace fs = std::filesystem;

std::optional<LoadedTaxonomy> find_taxonomy(const GlobalOptions& global, const std::optional<fs::path>& file,
                                            const LabelSetInfo& info, const fs::path& labels) {
  const auto found = find_taxonomy_file(find_workspace(global), file, info.dataset);
  if (!found) return std::nullopt;
  LoadedTaxonomy loaded;
  loaded.taxonomy = std::make_shared<const taxonomy::Taxonomy>(read_taxonomy(found->file));
  if (!found->is_given) {
    say(global, fmt::format("taxonomy: {} ({} classes, {})", info.dataset, loaded.taxonomy->class_count(),
                            found->shown));
  }
  noise::require_same_classes(*loaded.taxonomy, found->shown, info, labels.string());
  loaded.input = {"taxonomy", found->file.filename().string(), loaded.taxonomy->digest()};
  return loaded;
}

void store_injected(const GlobalOptions& global, FileChanges& files, const fs::path& path,
                    const noise::InjectionReport& report, std::string_view kind, const std::string& summary) {
  auto workspace = find_workspace(global);
  if (workspace && !workspace->dataset(report.info.dataset)) workspace.reset();
  LabelSetRecord record;
  record.dataset = report.info.dataset;
  record.digest = fs::is_directory(path) ? parts_digest(path) : report.digest;
  record.kind = kind;
  record.summary = summary;
  record.rows = report.counts.rows;
  record.changed = report.counts.changed;
  store_label_set(workspace, files, path, std::move(record), global);
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

void add_threads_option(CLI::App* command, unsigned& threads) {
  command->add_option("--threads", threads, "Threads (0: one per processor); no effect on the result")
      ->check(CLI::Range(0, 1024));
}

}  // namespace procsim::tools
