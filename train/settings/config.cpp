#include "train/settings/config.hpp"

#include <algorithm>
#include <array>
#include <string>
#include <type_traits>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "data/base/error.hpp"
#include "data/base/suggest.hpp"
#include "train/settings/option_text.hpp"

namespace procsim::train {
namespace {

void check_choice(std::string_view field, const std::string& value, const std::vector<std::string>& choices) {
  if (std::find(choices.begin(), choices.end(), value) != choices.end()) return;
  throw UsageError(fmt::format("{} {}: choose one of {}{}", option_name(field), value,
                               fmt::join(choices, ", "), did_you_mean(value, choices)));
}

void check(bool good, std::string_view field, double value, std::string_view wanted) {
  if (!good) throw UsageError(fmt::format("{} {}: must be {}", option_name(field), value, wanted));
}

// Files stand beside the names of two kinds of fields.
bool is_file(std::string_view field, std::string_view value) {
  if (field == "guidance") return value.starts_with("file:") || value.starts_with("image:");
  return field.ends_with("backbone") && is_torchscript(value);
}

void check_choices(const TrainConfig& config) {
  visit_fields(config, [](auto, std::string_view name, const auto& field, auto) {
    if constexpr (std::is_same_v<std::remove_cvref_t<decltype(field)>, std::string>)
      if (const auto choices = choices_of(name); !choices.empty() && !is_file(name, field))
        check_choice(name, field, choices);
  });
}

}  // namespace

const std::vector<std::string>& backbone_names() {
  static const auto names = choices_of("backbone");
  return names;
}

bool is_torchscript(std::string_view backbone) {
  return backbone.ends_with(".pt") || backbone.ends_with(".ts");
}

void check_device_name(std::string_view name) {
  const bool indexed = name.starts_with("cuda:") && name.size() > 5 && name.size() < 9 &&
                       name.find_first_not_of("0123456789", 5) == std::string::npos;
  if (name == "auto" || name == "cpu" || name == "cuda" || indexed) return;
  throw UsageError(fmt::format("--device {}: choose auto, cpu, cuda or cuda:0", name));
}

void TrainConfig::validate() const {
  check_choices(*this);
  check(noise_rate == -1 || (noise_rate >= 0 && noise_rate < 1), "noise_rate", noise_rate,
        "in [0, 1), or -1 for the label set's own");
  check(omega >= 0, "omega", omega, "0 or more");
  check(guidance_shift >= 0 && guidance_shift <= 10, "guidance_shift", guidance_shift, "in [0, 10]");
  check(guidance_ranks >= 1 && guidance_ranks <= 100, "guidance_ranks", static_cast<double>(guidance_ranks),
        "in [1, 100]");
  check(lambda > 0, "lambda", lambda, "above 0");
  check(warmup >= 0, "warmup", static_cast<double>(warmup), "0 or more");
  check(proxy_scale > 0, "proxy_scale", proxy_scale, "above 0");
  check(proxy_lr > 0, "proxy_lr", proxy_lr, "above 0");
  check(lr > 0, "lr", lr, "above 0");
  check(momentum >= 0 && momentum < 1, "momentum", momentum, "in [0, 1)");
  check(weight_decay >= 0, "weight_decay", weight_decay, "0 or more");
  check(dimension >= 2, "dimension", static_cast<double>(dimension), "2 or more");
  check(epochs >= 0, "epochs", static_cast<double>(epochs), "0 or more");
  check(batch >= 2, "batch", static_cast<double>(batch), "2 or more");
  check(per_class >= 2, "per_class", static_cast<double>(per_class), "2 or more: a sample needs a partner");
  check(batch % per_class == 0, "batch", static_cast<double>(batch), "a multiple of --per-class");
  check(image_size >= 16 && image_size <= 4096, "image_size", static_cast<double>(image_size),
        "in [16, 4096]");
  check(crop_scale > 0 && crop_scale <= 1, "crop_scale", crop_scale, "in (0, 1]");
  check(centre_crop > 0 && centre_crop <= 1, "centre_crop", centre_crop, "in (0, 1]");
  check(views >= 1 && views <= 64, "views", static_cast<double>(views), "in [1, 64]");
  check(eval_every >= 1, "eval_every", static_cast<double>(eval_every), "1 or more");
  check(fold_models == 0 || (fold_models >= 2 && fold_models <= 20), "fold_models",
        static_cast<double>(fold_models), "0, or in [2, 20]");
  for (const auto k : recall_at) check(k >= 1, "recall_at", static_cast<double>(k), "1 or more");
}

nlohmann::ordered_json to_json(const TrainConfig& config) {
  nlohmann::ordered_json json;
  json["preset"] = config.preset;
  visit_fields(config, [&](auto, const char* name, const auto& field, auto) { json[name] = field; });
  for (const auto& [name, value] : config.options.items()) json[name] = value;
  return json;
}

namespace {

// Settings that runs of an earlier version lack: their default is what those runs did.
constexpr std::array<std::string_view, 6> kAddedLater{"method",       "average_over", "guidance_shift",
                                                      "distillation", "noise_rate",   "fold_models"};

bool same_type(const nlohmann::ordered_json& value, const nlohmann::ordered_json& like) {
  if (like.is_number_float()) return value.is_number();
  if (like.is_number()) return value.is_number_integer();
  return value.type() == like.type();
}

void read_options(const nlohmann::ordered_json& json, std::string_view source,
                  std::span<const OptionInfo> options, TrainConfig& config) {
  for (const auto& option : options) {
    const auto found = json.find(option.name);
    const auto& value = found == json.end() ? option.default_value : *found;
    if (!same_type(value, option.default_value))
      throw Error(fmt::format("{}: '{}' has the wrong type", source, option.name));
    config.options[option.name] = value;
  }
}

}  // namespace

TrainConfig config_from_json(const nlohmann::ordered_json& json, std::string_view source,
                             std::span<const OptionInfo> options) {
  TrainConfig config;
  if (!json.is_object()) throw Error(fmt::format("{}: the configuration is not an object", source));
  std::vector<std::string> known{"preset"};
  const auto read = [&](const char* name, auto& field) {
    const auto found = json.find(name);
    if (found == json.end()) {
      if (std::find(kAddedLater.begin(), kAddedLater.end(), name) != kAddedLater.end()) return;
      throw Error(fmt::format("{}: the configuration lacks '{}'", source, name));
    }
    try {
      found->get_to(field);
    } catch (const nlohmann::json::exception&) {
      throw Error(fmt::format("{}: '{}' has the wrong type", source, name));
    }
  };
  read("preset", config.preset);
  visit_fields(config, [&](auto, const char* name, auto& field, auto) {
    known.emplace_back(name);
    read(name, field);
  });
  read_options(json, source, options, config);
  for (const auto& option : options) known.push_back(option.name);
  for (const auto& [name, value] : json.items())
    if (std::find(known.begin(), known.end(), name) == known.end())
      throw Error(fmt::format("{}: unknown setting '{}'{}", source, name, did_you_mean(name, known)));
  return config;
}

}  // namespace procsim::train
