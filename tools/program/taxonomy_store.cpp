#include "tools/program/taxonomy_store.hpp"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "data/base/digest.hpp"
#include "data/base/error.hpp"
#include "data/files/atomic_file.hpp"
#include "data/files/file_name.hpp"
#include "tools/program/workspace_choice.hpp"

namespace procsim::tools {
namespace {

// A file that another one replaces stays under a name with its digest.
void keep_previous(FileChanges& files, const std::filesystem::path& path, const std::string& new_digest) {
  if (!std::filesystem::is_regular_file(path)) return;
  const auto digest = sha256_file(path);
  if (digest == new_digest) return;
  files.keep_previous(path, kept_path(path, digest));
}

}  // namespace

TaxonomyRecord write_taxonomy(FileChanges& files, const Workspace& workspace,
                              const taxonomy::Taxonomy& taxonomy) {
  const auto text = taxonomy.to_json();
  const auto path = workspace.home() / "taxonomies" / (file_stem_of(taxonomy.dataset()) + ".json");
  files.write(path, text);
  TaxonomyRecord record;
  record.dataset = taxonomy.dataset();
  record.path = workspace.stored_path(path);
  record.digest = sha256_hex(text);
  keep_previous(files, path, record.digest);
  return record;
}

LabelSetRecord write_base_labels(FileChanges& files, const Workspace& workspace, LabelSet base,
                                 const taxonomy::Taxonomy& taxonomy) {
  auto& classes = base.info.classes;
  if (classes.size() != static_cast<std::size_t>(taxonomy.class_count())) {
    throw Error(fmt::format("the label set of {} has {} classes, its taxonomy {}", base.info.dataset,
                            classes.size(), taxonomy.class_count()));
  }
  for (std::size_t label = 0; label < classes.size(); ++label) {
    classes[label].node = taxonomy.class_at(static_cast<std::int32_t>(label)).node;
  }
  const auto path = workspace.home() / "labels" / (file_stem_of(base.info.dataset) + ".parquet");
  LabelSetRecord record;
  record.digest = write_label_set(path, base, files);
  keep_previous(files, path, record.digest);
  record.dataset = base.info.dataset;
  record.path = workspace.stored_path(path);
  record.kind = "base";
  record.summary = "as published";
  record.rows = static_cast<std::int64_t>(base.rows.size());
  return record;
}

void record_base_labels(Workspace& workspace, const LabelSetRecord& record) {
  const auto newest = workspace.newest_label_set(record.dataset, "base");
  if (!newest || newest->digest != record.digest) workspace.put_label_set(record);
}

std::optional<LabelSetRecord> write_refreshed_labels(FileChanges& files, const Workspace& workspace,
                                                     const taxonomy::Taxonomy& taxonomy) {
  const auto record = workspace.newest_label_set(taxonomy.dataset(), "base");
  if (!record) return std::nullopt;
  return write_base_labels(files, workspace, read_label_set(label_file(workspace, *record)), taxonomy);
}

taxonomy::Taxonomy read_taxonomy(const std::filesystem::path& file) {
  return taxonomy::Taxonomy::from_json(read_file(file), file.string());
}

std::optional<FoundTaxonomy> find_taxonomy_file(const std::optional<Workspace>& workspace,
                                                const std::optional<std::filesystem::path>& given,
                                                const std::string& dataset) {
  if (given) return FoundTaxonomy{*given, given->string(), true};
  const auto record = workspace ? workspace->newest_taxonomy(dataset) : std::nullopt;
  if (!record) return std::nullopt;
  return FoundTaxonomy{workspace->resolve(record->path), record->path, false};
}

std::filesystem::path taxonomy_file(const GlobalOptions& global, const TaxonomyChoice& choice) {
  if (choice.file) return *choice.file;
  const auto workspace = open_workspace(global);
  const auto dataset = choice.dataset ? *choice.dataset : require_dataset(workspace, "--taxonomy FILE").name;
  const auto record = workspace.newest_taxonomy(dataset);
  if (!record) {
    throw Error(fmt::format(
        "the workspace has no taxonomy of '{0}'. Make one with 'taxo build {0}', or give --taxonomy FILE.",
        dataset));
  }
  say(global, fmt::format("taxonomy: {} ({})", dataset, record->path));
  return workspace.resolve(record->path);
}

taxonomy::Taxonomy load_taxonomy(const GlobalOptions& global, const TaxonomyChoice& choice) {
  return read_taxonomy(taxonomy_file(global, choice));
}

taxonomy::Taxonomy load_taxonomy(const GlobalOptions& global,
                                 const std::optional<std::filesystem::path>& file) {
  return load_taxonomy(global, TaxonomyChoice{file, std::nullopt});
}

}  // namespace procsim::tools
