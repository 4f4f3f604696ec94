#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "data/files/file_changes.hpp"
#include "data/labels/label_set.hpp"
#include "data/workspace/workspace.hpp"
#include "noise/injection.hpp"
#include "taxonomy/tree/taxonomy.hpp"
#include "tools/program/program.hpp"

namespace procsim::tools {

// The taxonomy of a label set: the file that was named, else the workspace's newest of its data set, checked
// to have the same classes. Null when there is none.
struct LoadedTaxonomy {
  std::shared_ptr<const taxonomy::Taxonomy> taxonomy;
  noise::NoiseInput input;
};
std::optional<LoadedTaxonomy> find_taxonomy(const GlobalOptions& global,
                                            const std::optional<std::filesystem::path>& file,
                                            const LabelSetInfo& info, const std::filesystem::path& labels);

// Lets an injected label set appear and records it in the workspace, where there is one that knows the data
// set: both or neither.
void store_injected(const GlobalOptions& global, FileChanges& files, const std::filesystem::path& path,
                    const noise::InjectionReport& report, std::string_view kind, const std::string& summary);

// Thousands apart: "1,173".
std::string grouped(std::int64_t number);

// --threads
void add_threads_option(CLI::App* command, unsigned& threads);

}  // namespace procsim::tools
