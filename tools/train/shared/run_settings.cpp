#include "tools/train/shared/run_settings.hpp"

#include <type_traits>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "data/base/error.hpp"
#include "data/base/json_nesting.hpp"
#include "tools/program/validators.hpp"
#include "tools/train/shared/backbone_fit.hpp"
#include "train/inputs/check_machine.hpp"
#include "train/methods/methods.hpp"
#include "train/settings/option_text.hpp"

namespace procsim::tools {
namespace {

using nlohmann::ordered_json;

// The value of a component's option, of the type that its default has.
ordered_json component_value(const train::OptionInfo& info, const std::string& text) {
  if (info.default_value.is_string()) return text;
  auto value = parse_json<ordered_json>(text);
  const auto& like = info.default_value;
  if (like.is_boolean() && value.is_boolean()) return value;
  if (like.is_number_integer() && value.is_number_integer()) return value;
  if (like.is_number_float() && value.is_number()) return value.get<double>();
  throw UsageError(fmt::format("{} {}: must be {}", train::option_name(info.name), text,
                               like.is_boolean()          ? "true or false"
                               : like.is_number_integer() ? "a whole number"
                                                          : "a number"));
}

}  // namespace

bool RunSettings::is_given(const std::string& field) const { return options.at(field)->count() > 0; }

std::vector<std::string> RunSettings::given_fields() const {
  const auto values = to_json(given);
  std::vector<std::string> fields;
  for (const auto& [field, option] : options)
    if (option->count() > 0 && values.contains(field)) fields.push_back(field);
  return fields;
}

void add_preset_option(CLI::App* command, RunSettings& settings) {
  command->add_option("--preset", settings.preset, "Settings to start from (default: the data set's)")
      ->check(one_of(train::preset_names()));
}

void add_field_options(CLI::App* command, RunSettings& settings) {
  train::visit_fields(settings.given, [&](const char* group, const char* name, auto& field,
                                          const char* help) {
    auto* option = command->add_option(train::option_name(name), field, help + train::component_help(name))
                       ->group(group);
    using Field = std::remove_reference_t<decltype(field)>;
    if constexpr (!std::is_same_v<Field, std::vector<std::int64_t>>)
      option->multi_option_policy(CLI::MultiOptionPolicy::TakeLast);  // a script's defaults, then one's own
    if constexpr (std::is_same_v<Field, std::uint64_t>) option->check(seed());
    if constexpr (std::is_same_v<Field, bool>) option->check(offering({"true", "false"}));
    if constexpr (std::is_same_v<Field, std::string>) {
      if (const auto names = train::component_names(name); !names.empty()) option->check(one_of(names));
      if (const auto words = train::choices_of(name); !words.empty()) option->check(offering(words));
    }
    settings.options[name] = option;
  });
  settings.options.at("precision")
      ->description("fp32, bf16, or auto: bf16 where the processor computes in it");
  for (const auto& info : train::component_options()) {
    auto* option =
        command->add_option(train::option_name(info.name), settings.components[info.name], info.help)
            ->default_str(train::option_text(info.default_value))
            ->group("Method")
            ->multi_option_policy(CLI::MultiOptionPolicy::TakeLast);
    if (info.default_value.is_boolean()) option->check(offering({"true", "false"}));
    settings.options[info.name] = option;
  }
}

train::TrainConfig merge(const RunSettings& settings, const train::TrainConfig& preset,
                         const train::MachineOptions& machine) {
  auto json = to_json(preset);
  const auto given = to_json(settings.given);
  const auto fields = settings.given_fields();
  for (const auto& field : fields) json[field] = given.at(field);
  std::vector<std::string> of_components;
  for (const auto& info : train::component_options())
    if (settings.is_given(info.name)) {
      json[info.name] = component_value(info, settings.components.at(info.name));
      of_components.push_back(info.name);
    }
  const auto backbone =
      settings.is_given("backbone") ? settings.given.backbone : preset_backbone(preset, machine.model_folder);
  if (backbone != preset.backbone)
    fit_to_backbone(
        json, [&](const std::string& field) { return settings.is_given(field); }, preset, backbone);
  auto config = train::read_config(json, "the command line");
  if (settings.is_given("method"))
    train::use_method(config, settings.given.method, fields);
  else
    train::name_method(config);
  train::check_config(config);
  train::check_options(config, of_components);
  return config;
}

void check_settings(const RunSettings& settings, const train::MachineOptions& machine) {
  std::optional<UsageError> wrong;
  for (const auto& preset : settings.preset ? std::vector{*settings.preset} : train::presets_of_datasets()) {
    try {
      train::check_machine(merge(settings, train::preset_config(preset), machine), machine);
      return;
    } catch (const UsageError& error) {
      if (!wrong) wrong = error;
    }
  }
  throw UsageError(*wrong);
}

void check_resumed(const RunSettings& settings) {
  for (const auto& [field, option] : settings.options)
    if (option->count() > 0 && field != "epochs")
      throw UsageError(
          fmt::format("{} cannot change in a run that is resumed: it goes on with its own settings "
                      "(--epochs may be raised)",
                      train::option_name(field)));
}

}  // namespace procsim::tools
