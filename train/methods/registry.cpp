#include "train/methods/registry.hpp"

#include <algorithm>
#include <cmath>
#include <optional>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "data/base/error.hpp"
#include "data/base/suggest.hpp"
#include "train/methods/joint_proxies.hpp"
#include "train/methods/self_distillation.hpp"
#include "train/methods/weighted_method.hpp"
#include "train/settings/option_text.hpp"
#include "train/trust/decorators.hpp"
#include "train/trust/prism.hpp"

namespace procsim::train {
namespace {

using nlohmann::ordered_json;

constexpr const char* kComposed = "composed";

template <typename Components>
std::vector<std::string> names(const Components& components) {
  std::vector<std::string> list;
  for (const auto& component : components) list.push_back(component.name);
  return list;
}

template <typename Components>
auto& find(const Components& components, const std::string& name, std::string_view option) {
  for (const auto& component : components)
    if (component.name == name) return component;
  const auto known = names(components);
  throw UsageError(fmt::format("--{} {}: choose one of {}{}", option, name, fmt::join(known, ", "),
                               did_you_mean(name, known)));
}

// The first field that says something else than the method stands for.
std::optional<std::string> contradiction(const MethodComponent& method, const ordered_json& config) {
  for (const auto& [field, value] : method.settings.items())
    if (config.at(field) != value) return field;
  return std::nullopt;
}

[[noreturn]] void refuse(const MethodComponent& method, const std::string& field, const ordered_json& value) {
  throw UsageError(fmt::format(
      "{0} {1} does not go with --method {2}, which means {0} {3}. Leave one of them out.",
      option_name(field), option_text(value), method.name, option_text(method.settings.at(field))));
}

// Fields that compose a weighted loss: a method of its own does not read them.
bool composes(const std::string& field) {
  bool found = false;
  const TrainConfig fields;
  visit_fields(fields, [&](std::string_view group, std::string_view name, const auto&, auto) {
    if (name == field && name != "method" && name != "noise_rate")
      found = group == "Method" || group == "Proxies" || group == "Guidance";
  });
  return found;
}

// A batch that is too small to drop the share of wrong labels from would be kept whole.
void check_batch(const Component& component, const TrainConfig& config, double rate) {
  const auto batch = static_cast<double>(config.batch);
  if (!component.drops_rate || rate <= 0 || dropped_of(rate, config.batch) > 0) return;
  throw UsageError(
      fmt::format("{} drops {:.4g} of every batch, which is less than one of {:.0f} samples. Give "
                  "--batch {:.0f} or more.",
                  component.name, rate, batch, std::ceil(1 / rate)));
}

}  // namespace

const ObjectiveComponent& Registry::loss(const std::string& name) const {
  return find(objectives_, name, "loss");
}

const TrustComponent& Registry::confidence(const std::string& name) const {
  return find(trusts_, name, "confidence");
}

const MethodComponent& Registry::method(const std::string& name) const {
  return find(methods_, name, "method");
}

std::vector<OptionInfo> Registry::options() const {
  std::vector<OptionInfo> list;
  const auto add = [&](const auto& components) {
    for (const auto& component : components)
      list.insert(list.end(), component.options.begin(), component.options.end());
  };
  add(objectives_);
  add(trusts_);
  add(methods_);
  return list;
}

std::vector<std::string> Registry::names_of(std::string_view field) const {
  if (field == "method") return names(methods_);
  if (field == "loss") return names(objectives_);
  if (field == "confidence") return names(trusts_);
  return {};
}

std::string Registry::help_of(std::string_view field) const {
  const auto list = [](const auto& components) {
    std::string text;
    for (const auto& component : components)
      text += fmt::format("{}{} ({})", text.empty() ? ": " : ", ", component.name, component.description);
    return text;
  };
  if (field == "method") return list(methods_);
  if (field == "loss") return list(objectives_);
  if (field == "confidence") return list(trusts_);
  return {};
}

TrainConfig Registry::config_from_json(const ordered_json& json, std::string_view source) const {
  auto config = train::config_from_json(json, source, options());
  if (json.is_object() && !json.contains("method")) name_method(config);  // of an earlier version
  return config;
}

void Registry::use_method(TrainConfig& config, const std::string& name,
                          const std::vector<std::string>& given) const {
  if (name == kComposed) return;  // what config.json calls a composition without a name
  const auto& method = this->method(name);
  auto json = to_json(config);
  if (method.make) {
    for (const auto& field : given)
      if (composes(field))
        throw UsageError(
            fmt::format("{} does not go with --method {}, which is no loss weighted by a "
                        "confidence. Leave one of them out.",
                        option_name(field), name));
    const auto defaults = to_json(TrainConfig{});
    for (const auto& [field, value] : defaults.items())  // whatever the preset said
      if (composes(field)) json[field] = value;
  }
  for (const auto& [field, value] : method.settings.items()) {
    if (std::find(given.begin(), given.end(), field) != given.end() && json.at(field) != value)
      refuse(method, field, json.at(field));
    json[field] = value;
  }
  json["method"] = name;
  config = config_from_json(json, "--method " + name);
}

void Registry::name_method(TrainConfig& config) const {
  if (own_method(config) != nullptr) return;
  const auto json = to_json(config);
  config.method = kComposed;
  for (const auto& method : methods_)
    if (!method.make && !contradiction(method, json)) {
      config.method = method.name;
      return;
    }
}

void Registry::check(const TrainConfig& config) const {
  config.validate();
  if (const auto* method = own_method(config)) {
    if (method->check) method->check(config);
    return;
  }
  const auto& objective = loss(config.loss);
  const auto& trust = confidence(config.confidence);
  if (objective.check) objective.check(config);
  if (trust.check) trust.check(config);
  if (trust.needs_sample_values && !objective.of_samples) {
    std::vector<std::string> fitting;
    for (const auto& one : objectives_)
      if (one.of_samples) fitting.push_back(one.name);
    throw UsageError(
        fmt::format("--confidence {} does not go with --loss {}, whose values depend on the whole batch. "
                    "Choose one of {}.",
                    trust.name, objective.name, fmt::join(fitting, ", ")));
  }
  if (config.method == kComposed) return;
  const auto& method = this->method(config.method);
  const auto json = to_json(config);
  if (const auto field = contradiction(method, json)) refuse(method, *field, json.at(*field));
  if (method.check) method.check(config);
}

std::vector<const Component*> Registry::parts_of(const TrainConfig& config) const {
  if (const auto* method = own_method(config)) return {method};
  std::vector<const Component*> parts{&loss(config.loss), &confidence(config.confidence)};
  for (const auto& method : methods_)
    if (method.name == config.method) parts.push_back(&method);
  for (const auto& objective : objectives_)  // whose values the confidence comes from
    if (objective.name == config.confidence_from) parts.push_back(&objective);
  return parts;
}

void Registry::check_options(const TrainConfig& config, const std::vector<std::string>& given) const {
  const auto parts = parts_of(config);
  const auto read = [&](const std::string& option) {
    return std::any_of(parts.begin(), parts.end(), [&](const Component* part) {
      return std::any_of(part->options.begin(), part->options.end(),
                         [&](const OptionInfo& info) { return info.name == option; }) ||
             std::any_of(part->uses.begin(), part->uses.end(),
                         [&](const std::string& prefix) { return option.starts_with(prefix); });
    });
  };
  const bool distils = config.distillation != "off";
  for (const auto& option : given)
    if (!read(option) && !(distils && option.starts_with("lsd_")))
      throw UsageError(fmt::format("{} does not go with {}, which does not read it. Leave it out.",
                                   option_name(option), describe(config)));
}

std::string Registry::needs_rate(const TrainConfig& config) const {
  if (const auto* method = own_method(config))
    return method->needs_rate ? "--method " + method->name : std::string();
  if (loss(config.loss).needs_rate) return "--loss " + config.loss;
  if (confidence(config.confidence).needs_rate) return "--confidence " + config.confidence;
  return {};
}

std::vector<MethodInfo> Registry::list() const {
  std::vector<MethodInfo> infos;
  for (const auto& method : methods_) {
    MethodInfo info{method.name, method.description, method.source, method.state, method.needs_rate};
    const auto add = [&](const Component& part) {
      if (!part.state.empty()) info.state += (info.state.empty() ? "" : "; ") + part.state;
      info.needs_rate = info.needs_rate || part.needs_rate;
    };
    if (method.settings.contains("loss")) add(loss(method.settings.at("loss").get<std::string>()));
    if (method.settings.contains("confidence"))
      add(confidence(method.settings.at("confidence").get<std::string>()));
    infos.push_back(std::move(info));
  }
  return infos;
}

std::string Registry::name_of(const TrainConfig& config) const {
  if (config.method != kComposed) return config.method;
  const auto& trust = confidence(config.confidence);
  if (!trust.judges) return config.loss;
  return fmt::format("{}+{}/{}", config.loss, config.confidence, config.confidence_scope);
}

std::string Registry::describe(const TrainConfig& config) const {
  if (own_method(config) != nullptr) return "method " + config.method;
  std::string text = fmt::format("method {}: loss {}", config.method, config.loss);
  const auto& trust = confidence(config.confidence);
  if (trust.judges) {
    const bool from_a_loss =
        config.method == kComposed || method(config.method).settings.contains("confidence_from");
    text += fmt::format(", confidence {}{} ({})", trust.name,
                        from_a_loss ? " from " + config.confidence_from : "", config.confidence_scope);
  }
  if (config.guidance != "off") text += fmt::format(", guidance {} at ω {}", config.guidance, config.omega);
  return text;
}

const MethodComponent* Registry::own_method(const TrainConfig& config) const {
  for (const auto& method : methods_)
    if (method.make && method.name == config.method) return &method;
  return nullptr;
}

std::unique_ptr<Method> Registry::make(MethodParts& parts) const {
  const auto& config = parts.config;
  if (const auto who = needs_rate(config); !who.empty() && !parts.noise_rate)
    throw UsageError(fmt::format(
        "{} needs the share of wrong labels, and this label set has no true labels: give --noise-rate, say "
        "0.2",
        who));
  for (const auto* part : parts_of(config)) check_batch(*part, config, parts.noise_rate.value_or(0));
  if (const auto* method = own_method(config)) return method->make(parts);
  const auto& objective = loss(config.loss);
  const auto& trust = confidence(config.confidence);
  if (trust.needs_truth && parts.wrong.empty())
    throw UsageError(
        fmt::format("--confidence {} needs true labels, which this label set does not have", trust.name));
  parts.pair_confidence = trust.weights_pairs && objective.make_with_pair_confidence;
  parts.objective =
      parts.pair_confidence ? objective.make_with_pair_confidence(parts) : objective.make(parts);
  auto judged = trust.make(parts);
  if (config.warmup > 0) judged = std::make_unique<FullTrust>(std::move(judged), config.warmup);
  if (config.confidence_scope == "pair" && trust.judges)
    judged = std::make_unique<PairScope>(std::move(judged));
  if (config.joint_proxies)
    parts.objective = std::make_shared<JointProxies>(parts.objective, Proxies::of(parts));
  if (config.distillation == "lsd")
    parts.objective = std::make_shared<SelfDistillation>(parts.objective, parts);
  return std::make_unique<WeightedMethod>(parts, std::move(judged));
}

}  // namespace procsim::train
