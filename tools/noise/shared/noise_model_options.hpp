#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "noise/noise_spec.hpp"
#include "tools/noise/shared/noise_files.hpp"
#include "tools/noise/shared/noise_sources.hpp"
#include "tools/program/option_groups.hpp"
#include "tools/program/program.hpp"

namespace procsim::tools {

// The words of the command line that say which noise, and how it is drawn.
struct ModelOptions {
  std::optional<double> uniform, semantic, pair, superclass, distance, knn, open_set;
  std::optional<std::string> mix;
  std::optional<std::filesystem::path> pair_map, class_rates;
  std::vector<std::string> classes;
  std::string internal = "descend";
  bool no_guards = false;
  noise::NoiseSpec spec;  // what needs no reading: seed, split, …
  SourceFiles files;
};

void add_model_options(CLI::App* command, ModelOptions& options);  // which noise: one of them must be given
void add_model_details(CLI::App* command, ModelOptions& options);  // what some of them can be told
void add_draw_options(CLI::App* command, ModelOptions& options);   // split, classes, exact, guards
// How a list of labels that others have published is read.
void add_given_label_options(CLI::App* command, noise::GivenLabelsOptions& options,
                             const std::string& group = "Options");

// What inject and sweep are both told.
struct InjectionCommand {
  LabelChoice labels;
  ModelOptions model;
  OutputOptions output;
  unsigned threads = 0;
};
// All but which noise, and --output.
void add_injection_options(CLI::App* command, InjectionCommand& injection);

// How it is drawn, without which noise. Throws UsageError where a word is wrong.
noise::NoiseSpec drawn_as(const ModelOptions& options);
// All that the words say, without the files they name. Throws UsageError when no model or more than one was
// given.
noise::NoiseSpec spec_of_words(const ModelOptions& options);
// The finished spec for a label set: reads the tables of pairs and rates, finds the classes.
noise::NoiseSpec spec_for(noise::NoiseSpec spec, const ModelOptions& options, const LabelSetInfo& info);

// What the parent's rows become, written, recorded and described: shared by inject and sweep.
struct InjectionJob {
  std::filesystem::path parent;
  std::filesystem::path output;
  noise::NoiseSpec spec;
  std::optional<noise::Shard> shard;
  bool force = false;
  unsigned threads = 0;
  std::string operation = "inject";
};
noise::InjectionReport run_injection(const GlobalOptions& global, const InjectionJob& job,
                                     const LoadedSources& loaded, const LabelSetInfo& info,
                                     FileChanges& files);

// <parent's name>-<model>-<rate>-seed<seed>, without ending.
std::string default_name(const noise::NoiseSpec& spec, const std::filesystem::path& parent);
// Where label sets go by default: .procsim/labels. Throws UsageError without a workspace.
std::filesystem::path default_folder(const GlobalOptions& global);

// "changed 1,173 of 5,864 labels (0.2000); guards: none"
std::string describe(const noise::InjectionReport& report);
nlohmann::ordered_json report_json(const noise::InjectionReport& report, const std::filesystem::path& output);

}  // namespace procsim::tools
