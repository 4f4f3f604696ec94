#include "noise/provenance.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "data/base/error.hpp"
#include "data/base/version.hpp"
#include "taxonomy/tree/same_classes.hpp"

namespace procsim::noise {

nlohmann::ordered_json injection_provenance(const NoiseSpec& spec, const InjectionOptions& options,
                                            const InjectionReport& report, const LabelSetInfo& parent,
                                            const std::string& parent_digest) {
  const auto& counts = report.counts;
  nlohmann::ordered_json json;
  json["program"] = "noise";
  json["version"] = version();
  json["operation"] = options.operation;
  json["summary"] = spec.summary();
  json["seed"] = spec.seed;
  json["noise"] = to_json(spec);
  json["parent_digest"] = parent_digest;
  for (const auto& input : options.inputs) {
    if (input.role == "taxonomy") json["taxonomy_digest"] = input.digest;
  }
  auto& inputs = json["inputs"] = nlohmann::ordered_json::array();
  for (const auto& input : options.inputs) {
    inputs.push_back({{"role", input.role}, {"name", input.name}, {"digest", input.digest}});
  }
  json["rows"] = counts.rows;
  json["split_rows"] = counts.split_rows;
  json["labelled"] = counts.labelled;
  json["changed"] = counts.changed;
  json["foreign"] = counts.foreign;
  json["changed_by_component"] = counts.by_component;
  json["kept_by_guard"] = counts.guarded;
  json["kept_as_phantom"] = counts.phantom;
  json["kept_without_target"] = counts.no_target;
  auto& events = json["guard_events"] = nlohmann::ordered_json::array();
  for (const auto& event : report.guard_events)
    events.push_back({{"label", event.label}, {"kept", event.kept}});
  if (options.shard) json["shard"] = {{"index", options.shard->index}, {"count", options.shard->count}};
  if (!options.remarks.is_null()) json["remarks"] = options.remarks;
  json["parent"] = parent.provenance.is_null() ? nlohmann::ordered_json::object() : parent.provenance;
  return json;
}

bool is_injection(const nlohmann::ordered_json& provenance) {
  return provenance.is_object() && provenance.contains("program") && provenance.at("program") == "noise" &&
         provenance.contains("noise");
}

InjectionRecord injection_record(const nlohmann::ordered_json& provenance, std::string_view source) {
  if (!is_injection(provenance)) throw Error(fmt::format("{} was not made by noise inject", source));
  try {
    InjectionRecord record;
    record.spec = noise_spec_from_json(provenance.at("noise"), source);
    record.spec.seed = provenance.at("seed").get<std::uint64_t>();
    record.parent_digest = provenance.at("parent_digest").get<std::string>();
    for (const auto& input : provenance.at("inputs")) {
      record.inputs.push_back({input.at("role"), input.at("name"), input.at("digest")});
    }
    auto& counts = record.counts;
    counts.rows = provenance.at("rows");
    counts.split_rows = provenance.at("split_rows");
    counts.labelled = provenance.at("labelled");
    counts.changed = provenance.at("changed");
    counts.foreign = provenance.at("foreign");
    counts.by_component = provenance.at("changed_by_component").get<std::vector<std::int64_t>>();
    counts.guarded = provenance.at("kept_by_guard");
    counts.phantom = provenance.at("kept_as_phantom");
    counts.no_target = provenance.at("kept_without_target");
    for (const auto& event : provenance.at("guard_events")) {
      record.guard_events.push_back({event.at("label"), event.at("kept")});
    }
    if (provenance.contains("shard")) {
      record.shard = Shard{provenance.at("shard").at("index"), provenance.at("shard").at("count")};
    }
    if (provenance.contains("remarks")) record.remarks = provenance.at("remarks");
    return record;
  } catch (const nlohmann::json::exception& exception) {
    throw Error(
        fmt::format("{}: its provenance is not what noise inject writes: {}", source, exception.what()));
  }
}

namespace {

// The provenance and those of its parents, newest first.
std::vector<const nlohmann::ordered_json*> history(const nlohmann::ordered_json& provenance) {
  std::vector<const nlohmann::ordered_json*> steps;
  for (const auto* step = &provenance; step->is_object(); step = &step->at("parent")) {
    steps.push_back(step);
    if (!step->contains("parent")) break;
  }
  return steps;
}

}  // namespace

std::int32_t injections_in(const nlohmann::ordered_json& provenance) {
  const auto steps = history(provenance);
  return static_cast<std::int32_t>(
      std::count_if(steps.begin(), steps.end(), [](const auto* step) { return is_injection(*step); }));
}

bool has_foreign_images(const nlohmann::ordered_json& provenance) {
  const auto steps = history(provenance);
  return std::any_of(steps.begin(), steps.end(), [](const auto* step) {
    if (!is_injection(*step) || !step->contains("foreign")) return false;
    const auto& foreign = step->at("foreign");
    return foreign.is_number() && foreign > 0;
  });
}

void require_same_classes(const taxonomy::Taxonomy& taxonomy, std::string_view taxonomy_file,
                          const LabelSetInfo& info, std::string_view label_file) {
  if (const auto how = taxonomy::class_mismatch(taxonomy, info))
    throw Error(
        fmt::format("{} is a taxonomy of '{}', {} holds labels of '{}': {}. Build one with: taxo build {}",
                    taxonomy_file, taxonomy.dataset(), label_file, info.dataset, *how, info.dataset));
}

}  // namespace procsim::noise
