#pragma once

#include <string>

#include <nlohmann/json.hpp>

#include "noise/injection.hpp"

namespace procsim::noise {

// What a label set made by injection says about itself (docs/noise.md, "Provenance"). `parent` is the
// parent's info.
nlohmann::ordered_json injection_provenance(const NoiseSpec& spec, const InjectionOptions& options,
                                            const InjectionReport& report, const LabelSetInfo& parent,
                                            const std::string& parent_digest);

// The part of it that the parent's provenance and rows decide, read back. Throws Error when `provenance` is
// not an injection's.
struct InjectionRecord {
  NoiseSpec spec;
  std::string parent_digest;
  std::vector<NoiseInput> inputs;
  InjectionCounts counts;
  std::vector<GuardEvent> guard_events;
  std::optional<Shard> shard;
  nlohmann::ordered_json remarks;
};
bool is_injection(const nlohmann::ordered_json& provenance);
InjectionRecord injection_record(const nlohmann::ordered_json& provenance, std::string_view source);

}  // namespace procsim::noise
