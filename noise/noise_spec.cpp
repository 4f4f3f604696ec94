#include "noise/noise_spec.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <set>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "data/base/error.hpp"
#include "data/base/suggest.hpp"

namespace procsim::noise {
namespace {

// On disk: these words never change.
constexpr std::array<std::pair<NoiseKind, std::string_view>, 9> kKindNames{{
    {NoiseKind::kUniform, "uniform"},
    {NoiseKind::kSemantic, "semantic"},
    {NoiseKind::kPair, "pair"},
    {NoiseKind::kSuperclass, "superclass"},
    {NoiseKind::kDistance, "distance"},
    {NoiseKind::kMatrix, "matrix"},
    {NoiseKind::kKnn, "knn"},
    {NoiseKind::kReplay, "replay"},
    {NoiseKind::kOpenSet, "open-set"},
}};

bool brings_its_rate(NoiseKind kind) { return kind == NoiseKind::kMatrix || kind == NoiseKind::kReplay; }

void check_rate(double rate, std::string_view what) {
  if (rate >= 0 && rate <= 1) return;
  throw UsageError(fmt::format("{}: {} is no share; give a number from 0 to 1, 0.2 for 20 %", what, rate));
}

}  // namespace

std::string_view to_string(NoiseKind kind) {
  return std::find_if(kKindNames.begin(), kKindNames.end(),
                      [&](const auto& entry) { return entry.first == kind; })
      ->second;
}

std::vector<std::string> noise_kind_names() {
  std::vector<std::string> names;
  for (const auto& entry : kKindNames) names.emplace_back(entry.second);
  return names;
}

NoiseKind noise_kind_from_string(std::string_view text) {
  for (const auto& [kind, name] : kKindNames) {
    if (name == text) return kind;
  }
  const auto names = noise_kind_names();
  throw UsageError(fmt::format("unknown noise model '{}'{} (known: {})", text, did_you_mean(text, names),
                               fmt::join(names, ", ")));
}

bool needs_taxonomy(NoiseKind kind) {
  return kind == NoiseKind::kSemantic || kind == NoiseKind::kSuperclass || kind == NoiseKind::kDistance;
}

double NoiseSpec::rate() const {
  double sum = 0;
  for (const auto& component : components) sum += component.rate;
  return sum;
}

bool NoiseSpec::has(NoiseKind kind) const {
  return std::any_of(components.begin(), components.end(),
                     [&](const auto& each) { return each.kind == kind; });
}

bool NoiseSpec::needs_taxonomy() const {
  return std::any_of(components.begin(), components.end(),
                     [](const auto& each) { return noise::needs_taxonomy(each.kind); });
}

void NoiseSpec::validate() const {
  std::set<NoiseKind> kinds;
  for (const auto& component : components) {
    check_rate(component.rate, to_string(component.kind));
    if (!kinds.insert(component.kind).second) {
      throw UsageError(fmt::format("{} stands twice; add its rates up", to_string(component.kind)));
    }
    if (brings_its_rate(component.kind) && components.size() > 1) {
      throw UsageError(fmt::format("{} noise brings its own rates and cannot be mixed with others",
                                   to_string(component.kind)));
    }
  }
  if (rate() > 1 + 1e-9) throw UsageError(fmt::format("the rates add up to {}, more than 1", rate()));
  for (const auto& [label, value] : class_rates) check_rate(value, fmt::format("rate of class {}", label));
  if (!class_rates.empty()) {
    if (components.empty() || has(NoiseKind::kMatrix) || has(NoiseKind::kReplay)) {
      throw UsageError("--class-rates needs a model that takes a rate");
    }
    if (components.size() > 1 && rate() <= 0) {
      throw UsageError("--class-rates scales a mixture, so its rates cannot all be 0");
    }
  }
  if (!(temperature > 0) || !std::isfinite(temperature)) {
    throw UsageError(fmt::format("--temperature {}: must be greater than 0", temperature));
  }
  if (level < 1) throw UsageError(fmt::format("--level {}: must be 1 or more", level));
  if (rivals < 0) throw UsageError(fmt::format("--rivals {}: must be 1 or more", rivals));
  if (min_per_class < 0)
    throw UsageError(fmt::format("--min-per-class {}: must not be negative", min_per_class));
  if (stratify && !exact) throw UsageError("--stratify counts exactly, class by class: give --exact too");
  if (exact && has(NoiseKind::kReplay))
    throw UsageError("--exact has no meaning with --replay: it draws nothing");
  for (const auto& [from, to] : pair_map) {
    if (from == to) throw UsageError(fmt::format("the pair map sends class {} to itself", from));
  }
}

std::string NoiseSpec::summary() const {
  std::vector<std::string> parts;
  for (const auto& component : components) {
    parts.push_back(brings_its_rate(component.kind)
                        ? std::string(to_string(component.kind))
                        : fmt::format("{} {}", to_string(component.kind), component.rate));
  }
  if (parts.empty()) parts.emplace_back("none");
  return fmt::format("{}{} seed {}{}{}", fmt::join(parts, " + "),
                     class_rates.empty() ? "" : " (rates by class)", seed, exact ? " exact" : "",
                     stratify ? " per class" : "");
}

std::string NoiseSpec::slug() const {
  std::string text;
  for (const auto& component : components) {
    text += brings_its_rate(component.kind)
                ? fmt::format("{}-", to_string(component.kind))
                : fmt::format("{}-{}-", to_string(component.kind), component.rate);
  }
  if (components.empty()) text = "none-";
  if (!class_rates.empty()) text += "rates-";
  if (exact) text += stratify ? "stratified-" : "exact-";
  return text + fmt::format("seed{}", seed);
}

nlohmann::ordered_json to_json(const NoiseSpec& spec) {
  nlohmann::ordered_json json;
  auto& components = json["components"] = nlohmann::ordered_json::array();
  for (const auto& component : spec.components) {
    nlohmann::ordered_json item;
    item["kind"] = to_string(component.kind);
    if (!brings_its_rate(component.kind)) item["rate"] = component.rate;
    if (component.kind == NoiseKind::kSemantic) {
      item["internal"] = spec.internal == InnerStep::kDescend ? "descend" : "leaves";
    }
    if (component.kind == NoiseKind::kDistance) item["temperature"] = spec.temperature;
    if (component.kind == NoiseKind::kSuperclass) item["level"] = spec.level;
    if (component.kind == NoiseKind::kKnn) item["rivals"] = spec.rivals;
    if (component.kind == NoiseKind::kPair && !spec.pair_map.empty()) {
      auto& pairs = item["map"] = nlohmann::ordered_json::array();
      for (const auto& [from, to] : spec.pair_map) pairs.push_back({from, to});
    }
    components.push_back(std::move(item));
  }
  if (!spec.class_rates.empty()) {
    auto& rates = json["class_rates"] = nlohmann::ordered_json::array();
    for (const auto& [label, rate] : spec.class_rates) rates.push_back({label, rate});
  }
  json["split"] = spec.split;
  if (!spec.classes.empty()) json["classes"] = spec.classes;
  json["exact"] = spec.exact;
  json["stratify"] = spec.stratify;
  json["guards"] = spec.guards;
  json["min_per_class"] = spec.min_per_class;
  json["generation"] = spec.generation;
  return json;
}

NoiseSpec noise_spec_from_json(const nlohmann::ordered_json& json, std::string_view source) {
  try {
    NoiseSpec spec;
    for (const auto& item : json.at("components")) {
      NoiseComponent component;
      component.kind = noise_kind_from_string(item.at("kind").get<std::string>());
      component.rate = brings_its_rate(component.kind) ? 1.0 : item.at("rate").get<double>();
      if (item.contains("internal")) {
        spec.internal = item.at("internal") == "leaves" ? InnerStep::kLeaves : InnerStep::kDescend;
      }
      spec.temperature = item.value("temperature", spec.temperature);
      spec.level = item.value("level", spec.level);
      spec.rivals = item.value("rivals", spec.rivals);
      if (item.contains("map")) {
        for (const auto& pair : item.at("map")) spec.pair_map[pair.at(0)] = pair.at(1);
      }
      spec.components.push_back(component);
    }
    if (json.contains("class_rates")) {
      for (const auto& pair : json.at("class_rates")) spec.class_rates[pair.at(0)] = pair.at(1);
    }
    spec.split = json.at("split").get<std::string>();
    if (json.contains("classes")) spec.classes = json.at("classes").get<std::vector<std::int32_t>>();
    spec.exact = json.at("exact").get<bool>();
    spec.stratify = json.at("stratify").get<bool>();
    spec.guards = json.at("guards").get<bool>();
    spec.min_per_class = json.at("min_per_class").get<std::int64_t>();
    spec.generation = json.at("generation").get<std::int32_t>();
    spec.validate();
    return spec;
  } catch (const nlohmann::json::exception& exception) {
    throw Error(fmt::format("{}: its provenance does not describe noise as this version writes it: {}",
                            source, exception.what()));
  }
}

}  // namespace procsim::noise
