#include <cstdio>
#include <map>
#include <utility>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "data/base/error.hpp"
#include "data/files/file_name.hpp"
#include "taxonomy/tree/check.hpp"
#include "tools/program/print_safely.hpp"
#include "tools/program/taxonomy_store.hpp"
#include "tools/taxo/shared/taxonomy_source.hpp"

namespace procsim::tools {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;

struct StoredBuild {
  fs::path taxonomy;
  fs::path table;
  std::optional<fs::path> labels;
  std::size_t samples = 0;
  std::size_t missing_images = 0;
  std::optional<fs::path> missing_list;  // their paths, a line each, when there are any
};

struct Counts {
  std::map<std::string, std::size_t> by_way;  // how → classes
  std::size_t ambiguous = 0;
  std::vector<std::string> open;  // ambiguous or unresolved, in class order
  std::size_t alone = 0;          // classes that semantic noise can turn into anything (taxo check)
};

std::size_t count_alone(const taxonomy::Taxonomy& taxonomy) {
  for (const auto& finding : taxonomy::find_warnings(taxonomy)) {
    if (finding.kind == "single-class-family") return finding.subjects.size();
  }
  return 0;
}

Counts count(const taxonomy::BuiltTaxonomy& built, const taxonomy::Taxonomy& taxonomy) {
  Counts counts;
  for (std::size_t i = 0; i < built.parts.classes.size(); ++i) {
    const auto& entry = built.parts.classes[i];
    ++counts.by_way[std::string(to_string(entry.how))];
    const bool ambiguous = built.resolutions.classes[i].ambiguous;
    if (ambiguous) ++counts.ambiguous;
    if (ambiguous || entry.how == taxonomy::Resolution::kUnresolved) counts.open.push_back(entry.name);
  }
  counts.alone = count_alone(taxonomy);
  return counts;
}

// Paths below the current folder are shown as a person would type them.
// A label set of a data set whose labels the workspace has from elsewhere says nothing new about it: where
// its images are stays as it was, and so do its labels.
std::optional<DatasetRecord> known_otherwise(const BuildSession& session, const DatasetRecord& record) {
  if (!session.source.label_set || !session.workspace) return std::nullopt;
  auto known = session.workspace->dataset(record.name);
  if (!known || known->source == record.source) return std::nullopt;
  if (!session.workspace->newest_label_set(record.name, "base")) return std::nullopt;
  if (session.request.dataset.root) {
    throw UsageError(fmt::format(
        "--root does not apply here: the workspace has '{}' from {}. Say where its images are with 'taxo "
        "build {} --root DIR'.",
        known->name, known->source, known->source));
  }
  return known;
}

// The labels that the source itself brings.
std::optional<LabelSet> base_labels(const ClassSource& source) {
  if (source.dataset && !source.dataset->samples.empty()) return make_label_set(*source.dataset);
  if (source.label_set) return read_label_set(*source.label_set);
  return std::nullopt;
}

void write_missing_list(FileChanges& files, const fs::path& list, const std::vector<std::string>& missing) {
  if (missing.empty()) {
    files.remove(list);  // of an earlier build
  } else {
    files.write(list, fmt::format("{}\n", fmt::join(missing, "\n")));
  }
}

// Reads first, then writes all files, then lets them appear and records them: what fails on the way leaves
// the workspace as it was.
StoredBuild store(BuildSession& session, const taxonomy::BuiltTaxonomy& built,
                  const taxonomy::Taxonomy& taxonomy) {
  StoredBuild stored;
  auto dataset = to_record(session.request, session.source);
  std::optional<LabelSet> base;
  if (auto known = known_otherwise(session, dataset)) {
    dataset = std::move(*known);
  } else {
    base = base_labels(session.source);
  }
  std::vector<std::string> missing;
  if (base) {
    stored.samples = base->rows.size();
    missing = missing_images(*base, dataset.root);
    stored.missing_images = missing.size();
  }

  if (!session.workspace) session.workspace = Workspace::open_or_create(session.folder);
  auto& workspace = *session.workspace;
  FileChanges files;
  std::optional<LabelSetRecord> labels;
  if (base) {
    labels = write_base_labels(files, workspace, std::move(*base), taxonomy);
    stored.labels = workspace.resolve(labels->path);
    const auto list = fs::path(*stored.labels).replace_extension(".missing.txt");
    write_missing_list(files, list, missing);
    if (!missing.empty()) stored.missing_list = list;
  }
  const auto written = write_taxonomy(files, workspace, taxonomy);
  stored.taxonomy = workspace.resolve(written.path);
  stored.table = fs::path(stored.taxonomy).replace_extension(".resolution.tsv");
  files.write(stored.table, taxonomy::resolution_table(session.wordnet, built));

  workspace.put_together(files, [&] {
    workspace.put_taxonomy(written);
    if (labels) record_base_labels(workspace, *labels);
    workspace.put_dataset(dataset);  // makes it the current one
  });
  return stored;
}

void print_json(const BuildSession& session, const taxonomy::BuiltTaxonomy& built, const Counts& counts,
                const StoredBuild& stored) {
  Json report = {{"dataset", session.source.name},
                 {"classes", session.source.classes.size()},
                 {"root", session.wordnet.id(built.resolutions.root)},
                 {"root_was_found", built.resolutions.root_was_found},
                 {"nodes", built.parts.nodes.size()},
                 {"resolved", counts.by_way},
                 {"ambiguous", counts.ambiguous},
                 {"open", counts.open},
                 {"single_class_families", counts.alone},
                 {"taxonomy", session.workspace->stored_path(stored.taxonomy)},
                 {"table", session.workspace->stored_path(stored.table)}};
  if (stored.labels) {
    report["labels"] = session.workspace->stored_path(*stored.labels);
    report["samples"] = stored.samples;
    report["missing_images"] = stored.missing_images;
    if (stored.missing_list) report["missing_list"] = session.workspace->stored_path(*stored.missing_list);
  }
  fmt::print("{}\n", report.dump(2));
}

void print_text(const BuildSession& session, const taxonomy::BuiltTaxonomy& built, const Counts& counts,
                const StoredBuild& stored) {
  const auto& source = session.source;
  const auto root = built.resolutions.root;
  print_safely("{}: {} classes under {} ({}), {} nodes\n", source.name, source.classes.size(),
               session.wordnet.id(root), session.wordnet.name(root), built.parts.nodes.size());
  for (const auto* way : {"full-name", "suffix", "head-noun", "override", "category", "unresolved"}) {
    const auto found = counts.by_way.find(way);
    print_safely("  {:<22}{:>6}\n", way, found == counts.by_way.end() ? 0 : found->second);
  }
  print_safely("  {:<22}{:>6}\n", "ambiguous", counts.ambiguous);
  print_safely("  {:<22}{:>6}\n", "single-class families", counts.alone);
  print_safely("taxonomy  {}\ntable     {}\n", shown(stored.taxonomy), shown(stored.table));
  if (stored.labels) {
    print_safely("labels    {} ({} samples, {} images missing)\n", shown(*stored.labels), stored.samples,
                 stored.missing_images);
    if (stored.missing_list) print_safely("missing   {}\n", shown(*stored.missing_list));
  }
}

}  // namespace

fs::path overrides_file(const fs::path& home, const std::string& dataset) {
  return home / "overrides" / (file_stem_of(dataset) + ".tsv");
}

void store_and_print(const GlobalOptions& global, BuildSession& session,
                     const taxonomy::BuiltTaxonomy& built) {
  const taxonomy::Taxonomy taxonomy(built.parts);
  const auto stored = store(session, built, taxonomy);
  const auto counts = count(built, taxonomy);
  if (built.resolutions.root_was_found) {
    say(global,
        fmt::format("root: {}, the lowest common hypernym of all names (choose another with --root-synset)",
                    session.wordnet.id(built.resolutions.root)));
  }
  if (counts.by_way.contains("unresolved") && counts.by_way.size() == 1)
    say(global,
        fmt::format("WordNet knows none of the class names below {}: the tree is flat, all hang from "
                    "it. Give your own tree with 'taxo import', or place classes with --overrides FILE",
                    session.wordnet.id(built.resolutions.root)));
  if (!counts.open.empty())
    say(global, fmt::format("{} classes need a look: taxo review", counts.open.size()));
  if (global.json) {
    print_json(session, built, counts, stored);
  } else {
    print_text(session, built, counts, stored);
  }
}

}  // namespace procsim::tools
