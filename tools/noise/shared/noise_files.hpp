#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "data/files/atomic_file.hpp"
#include "data/labels/label_set.hpp"
#include "data/workspace/workspace.hpp"
#include "noise/injection.hpp"
#include "taxonomy/tree/taxonomy.hpp"
#include "tools/program/program.hpp"

namespace procsim::tools {

// Which label set a command reads: a file or folder that was named, else the workspace's newest one of a kind
// ("base", or any when empty) of the data set that was named, else of the current one.
struct LabelChoice {
  std::optional<std::filesystem::path> file;
  std::optional<std::string> dataset;
};
// --labels and --dataset; `what` the label set is to the command.
void add_label_options(CLI::App* command, LabelChoice& choice, const std::string& what);

// Says which one it is when it was not named. Throws Error with what to do where there is none.
std::filesystem::path choose_labels(const GlobalOptions& global, const LabelChoice& choice,
                                    std::string_view kind);

// The taxonomy of a label set: the file that was named, else the workspace's newest of its data set, checked
// to have the same classes. Null when there is none.
struct LoadedTaxonomy {
  std::shared_ptr<const taxonomy::Taxonomy> taxonomy;
  noise::NoiseInput input;
};
std::optional<LoadedTaxonomy> find_taxonomy(const GlobalOptions& global,
                                            const std::optional<std::filesystem::path>& file,
                                            const LabelSetInfo& info, const std::filesystem::path& labels);

// Where the data set's images are: what was given, else what the workspace knows.
std::optional<std::filesystem::path> find_root(const GlobalOptions& global,
                                               const std::optional<std::filesystem::path>& given,
                                               const std::string& dataset);

// Puts a finished label set into the workspace, where there is one that knows the data set.
void record_label_set(const GlobalOptions& global, const std::filesystem::path& path,
                      const LabelSetInfo& info, const std::string& digest, std::string_view kind,
                      const std::string& summary, std::int64_t rows, std::int64_t changed);

// A path as it is shown: relative to the current folder where that is shorter.
std::string shown(const std::filesystem::path& path);

// Thousands apart: "1,173".
std::string grouped(std::int64_t number);

IfExists if_exists(bool force);
unsigned thread_count(unsigned asked);  // 0: one per processor

}  // namespace procsim::tools
