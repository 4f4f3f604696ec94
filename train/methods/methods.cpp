#include "train/methods/methods.hpp"

#include "train/methods/registry.hpp"
#include "train/methods/unread_fields.hpp"

namespace procsim::train {

std::vector<std::string> component_names(std::string_view field) {
  return builtin_registry().names_of(field);
}
std::string component_help(std::string_view field) { return builtin_registry().help_of(field); }
std::vector<OptionInfo> component_options() { return builtin_registry().options(); }

std::vector<MethodInfo> method_list() { return builtin_registry().list(); }

TrainConfig read_config(const nlohmann::ordered_json& json, std::string_view source) {
  return builtin_registry().config_from_json(json, source);
}

void use_method(TrainConfig& config, const std::string& name, const std::vector<std::string>& given) {
  builtin_registry().use_method(config, name, given);
}

void name_method(TrainConfig& config) { builtin_registry().name_method(config); }
void check_config(const TrainConfig& config) { builtin_registry().check(config); }
void check_options(const TrainConfig& config, const std::vector<std::string>& given) {
  builtin_registry().check_options(config, given);
}
std::vector<std::string> unread_fields(const TrainConfig& config, const std::vector<std::string>& given) {
  return unread_fields(builtin_registry(), config, given);
}
std::string method_name(const TrainConfig& config) { return builtin_registry().name_of(config); }

}  // namespace procsim::train
