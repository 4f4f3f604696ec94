#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "train/methods/method_info.hpp"
#include "train/settings/config.hpp"

// The built-in registry (registry.hpp) as commands use it, without tensors.
namespace procsim::train {

// Names that a field of the configuration (method, loss, confidence) can have; empty for other fields.
std::vector<std::string> component_names(std::string_view field);
// What each of them is, to go behind the field's help: ": procsim (…), ms (…)".
std::string component_help(std::string_view field);
// Options of losses, trusts and methods.
std::vector<OptionInfo> component_options();

// Every method.
std::vector<MethodInfo> method_list();

// The configuration of a run. Throws Error that names `source`.
TrainConfig read_config(const nlohmann::ordered_json& json, std::string_view source);
// Registry::use_method, name_method, check and check_options.
void use_method(TrainConfig& config, const std::string& name, const std::vector<std::string>& given);
void name_method(TrainConfig& config);
void check_config(const TrainConfig& config);
void check_options(const TrainConfig& config, const std::vector<std::string>& given);
// Lines that say which of the given fields nothing reads (unread_fields.hpp).
std::vector<std::string> unread_fields(const TrainConfig& config, const std::vector<std::string>& given);

// For lists of runs: the method's name, or what nobody named ("ms+oracle/pair").
std::string method_name(const TrainConfig& config);

}  // namespace procsim::train
