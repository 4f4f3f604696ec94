#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "tools/program/program.hpp"
#include "train/settings/config.hpp"
#include "train/settings/machine.hpp"

namespace procsim::tools {

// The settings of a run as somebody has given them, field by field.
struct RunSettings {
  train::TrainConfig given;                       // values of fields that were given
  std::map<std::string, CLI::Option*> options;    // field → its option
  std::map<std::string, std::string> components;  // values of options of losses, trusts and methods, as given
  std::optional<std::string> preset;

  bool is_given(const std::string& field) const;
  // Fields of the configuration that were given, options of components left out.
  std::vector<std::string> given_fields() const;
};

// --preset
void add_preset_option(CLI::App* command, RunSettings& settings);
// An option for each field, and for each option of a component.
void add_field_options(CLI::App* command, RunSettings& settings);

// The preset, with what was given on top. Throws UsageError for what does not go together.
train::TrainConfig merge(const RunSettings& settings, const train::TrainConfig& preset,
                         const train::MachineOptions& machine);

// Throws UsageError for words that fit no preset: without --preset the data set chooses it, so then none that
// it could choose.
void check_settings(const RunSettings& settings, const train::MachineOptions& machine);

// Throws UsageError where a setting is given that a run cannot change when it is resumed.
void check_resumed(const RunSettings& settings);

}  // namespace procsim::tools
