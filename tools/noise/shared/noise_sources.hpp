#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include <nlohmann/json.hpp>

#include "noise/given_labels.hpp"
#include "noise/injection.hpp"
#include "noise/noise_plan.hpp"
#include "noise/noise_spec.hpp"
#include "tools/program/program.hpp"

namespace procsim::tools {

// Files that noise models draw from, as the command line names them.
struct SourceFiles {
  std::optional<std::filesystem::path> taxonomy;
  std::optional<std::filesystem::path> matrix;
  std::optional<std::filesystem::path> scores;
  std::optional<std::filesystem::path> replay;
  std::optional<std::string> foreign;  // a label set, or a data set by name or path
  std::optional<std::string> foreign_prefix;
  std::optional<std::filesystem::path> foreign_root;
  std::optional<std::filesystem::path> root;
  std::optional<noise::GivenFormat> replay_format;
  noise::GivenLabelsOptions replay_options;
};

struct LoadedSources {
  noise::NoiseSources sources;
  std::vector<noise::NoiseInput> inputs;
  nlohmann::ordered_json remarks;  // what the provenance must know to load them again; null for nothing
};

// Opens what the spec needs. Says what it picked from the workspace and what it found out about a list of
// labels. Throws Error or UsageError where something is missing.
LoadedSources load_sources(const GlobalOptions& global, const noise::NoiseSpec& spec,
                           const SourceFiles& files, const std::filesystem::path& parent,
                           const LabelSetInfo& info);

// What a list of labels turned out to be: counted from 1, lines without a sample, labels that are no class.
void describe_given_labels(const GlobalOptions& global, const std::filesystem::path& file,
                           const noise::GivenLabelsFile& list);

}  // namespace procsim::tools
