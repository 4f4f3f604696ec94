#pragma once

#include <filesystem>
#include <functional>
#include <optional>
#include <string>

#include "data/files/file_changes.hpp"
#include "data/labels/label_set.hpp"
#include "data/workspace/workspace.hpp"
#include "taxonomy/tree/taxonomy.hpp"
#include "tools/program/option_groups.hpp"
#include "tools/program/program.hpp"

namespace procsim::tools {

// How the workspace keeps taxonomies: what `taxo build` and `taxo import` leave there and every other command
// reads.

// Each is stored in two steps, so that a build can write all its files before the first one appears: write_…
// prepares the file and says what to record, put_taxonomy and record_… put that into the database.

// Writes .procsim/taxonomies/<data set>.json. The one before is kept under a name with its digest.
TaxonomyRecord write_taxonomy(FileChanges& files, const Workspace& workspace,
                              const taxonomy::Taxonomy& taxonomy);

// Writes .procsim/labels/<data set>.parquet (kind "base": what the data set itself says) with the taxonomy's
// node of each class; record_base_labels makes it the newest base label set unless it is that already. A
// different one is kept like a taxonomy. `base` must have the taxonomy's classes, else Error.
LabelSetRecord write_base_labels(FileChanges& files, const Workspace& workspace, LabelSet base,
                                 const taxonomy::Taxonomy& taxonomy);
void record_base_labels(Workspace& workspace, const LabelSetRecord& record);

// The same for the base label set that the workspace has already. Empty when it has none of the taxonomy's
// data set.
std::optional<LabelSetRecord> write_refreshed_labels(FileChanges& files, const Workspace& workspace,
                                                     const taxonomy::Taxonomy& taxonomy);

// Reads the taxonomy that a command was told to read, and says which one it was when it was not given as a
// file. Throws Error with what to do where there is none.
taxonomy::Taxonomy load_taxonomy(const GlobalOptions& global, const TaxonomyChoice& choice);
taxonomy::Taxonomy load_taxonomy(const GlobalOptions& global,
                                 const std::optional<std::filesystem::path>& file);

// Only which file it would read, said in the same way.
std::filesystem::path taxonomy_file(const GlobalOptions& global, const TaxonomyChoice& choice);

taxonomy::Taxonomy read_taxonomy(const std::filesystem::path& file);

// Where the taxonomy of a data set is, for commands that also go on without one: the file that was given,
// else the workspace's newest.
struct FoundTaxonomy {
  std::filesystem::path file;
  std::string shown;  // as the command line or the workspace writes it
  bool is_given = false;
};
std::optional<FoundTaxonomy> find_taxonomy_file(const std::optional<Workspace>& workspace,
                                                const std::optional<std::filesystem::path>& given,
                                                const std::string& dataset);

}  // namespace procsim::tools
