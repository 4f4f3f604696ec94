#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "data/sets/dataset.hpp"
#include "data/workspace/workspace.hpp"
#include "taxonomy/resolve/builder.hpp"
#include "tools/program/program.hpp"

namespace procsim::tools {

// What `taxo build` is asked for. `taxo review` and `taxo resolve` find it again in the workspace.
struct BuildRequest {
  std::string source;  // a known data set, or the path of a data set, a label set or a file of names
  DatasetOptions dataset;
  std::optional<std::string> root_synset;
  std::optional<std::filesystem::path> overrides;
  std::optional<std::string> name{};  // of the data set, where it should not be called after its file
};

// Where class names come from.
struct ClassSource {
  std::string name;  // of the data set
  std::string kind;  // cub200, …, labelset, names
  std::vector<DatasetClass> classes;
  std::optional<Dataset> dataset;                  // when it was one
  std::optional<std::filesystem::path> label_set;  // when it was one
};

// Opens the source: a file of names has one class a line (*.txt, or any file that is not a table); a label
// set (a file, or a folder of parts) is recognised by its content; all else is a data set. `fieldguide` lives
// below `home`, the workspace's folder, unless --root or PROCSIM_DATA says where data sets are.
ClassSource open_class_source(const BuildRequest& request, const std::filesystem::path& home);

// The request as it is kept in the workspace's record of the data set, and back.
DatasetRecord to_record(const BuildRequest& request, const ClassSource& source);
BuildRequest request_from_record(const DatasetRecord& record);

// Overrides that people set with `taxo review` and `taxo resolve`: .procsim/overrides/<data set>.tsv
std::filesystem::path overrides_file(const std::filesystem::path& home, const std::string& dataset);

// How the classes of a source are resolved: the built-in overrides, then the workspace's, then the request's.
taxonomy::ResolveOptions resolve_options(const BuildRequest& request, const ClassSource& source,
                                         const std::filesystem::path& home);

// Everything that building a taxonomy needs, opened once.
struct BuildSession {
  std::filesystem::path folder;        // that the workspace is in
  std::optional<Workspace> workspace;  // none before the first build has something to store
  BuildRequest request;
  ClassSource source;
  taxonomy::WordNet wordnet;
  taxonomy::HypernymGraph graph;

  std::filesystem::path home() const { return Workspace::home_in(folder); }
};
// Opens the workspace if there is one, then WordNet, then the source. Writes nothing (but draws fieldguide).
BuildSession open_session(const std::filesystem::path& folder, BuildRequest request);
// The same for a data set that was built before: by name, else the workspace's current one.
BuildSession reopen_session(const GlobalOptions& global, const std::optional<std::string>& dataset);

taxonomy::BuiltTaxonomy build(const BuildSession& session);

// Reads all that is still to be read, makes the workspace if there is none, writes the taxonomy, the
// resolution table and the base label set, then records all of them, and prints the summary on stdout, as
// text or JSON.
void store_and_print(const GlobalOptions& global, BuildSession& session,
                     const taxonomy::BuiltTaxonomy& built);

}  // namespace procsim::tools
