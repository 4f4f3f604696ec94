#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include <nlohmann/json.hpp>

namespace procsim::noise {

enum class NoiseKind {
  kUniform,     // any other class of the split
  kSemantic,    // a sibling in the class tree, then down to a leaf: the paper's
  kPair,        // the next class, or the one that a map gives
  kSuperclass,  // another class below the same ancestor
  kDistance,    // weights fall with the distance in the class tree
  kMatrix,      // rows of a given class matrix
  kKnn,         // a rival class that a trained model confuses the sample with
  kReplay,      // labels that somebody has given before
  kOpenSet,     // the image is replaced by a foreign one, the label stays
};

// On disk and on the command line: "uniform", "semantic", …, "open-set".
std::string_view to_string(NoiseKind kind);
std::vector<std::string> noise_kind_names();
NoiseKind noise_kind_from_string(std::string_view text);  // throws UsageError with the nearest known name
bool needs_taxonomy(NoiseKind kind);

struct NoiseComponent {
  NoiseKind kind = NoiseKind::kUniform;
  double rate = 0;  // share of the samples; matrix and replay bring their own and have 1 here

  bool operator==(const NoiseComponent&) const = default;
};

// What semantic noise does at an inner node: draw child after child, or one of the leaves below.
enum class InnerStep { kDescend, kLeaves };

// Everything that decides which label becomes what, apart from files (NoiseSources). Kept in the provenance.
struct NoiseSpec {
  std::vector<NoiseComponent> components;  // none: a copy; several: a mixture, rates adding up to 1 at most
  InnerStep internal = InnerStep::kDescend;
  double temperature = 1;   // distance noise: weight exp(−edges / temperature)
  std::int32_t level = 1;   // superclass noise: depth of the common ancestor below the root
  std::int32_t rivals = 0;  // knn noise: how many of the stored rivals count, 0 for all

  std::map<std::int32_t, double>
      class_rates;  // replaces the components' rates, in proportion, for these classes
  std::map<std::int32_t, std::int32_t> pair_map;  // empty: the next class

  std::uint64_t seed = 1;
  std::int32_t generation = 1;  // 1 + injections in the parent's history: a chain never repeats its draws
  std::string split = "train";
  std::vector<std::int32_t> classes;  // only samples of these change; empty: all
  bool exact = false;                 // exact counts instead of a draw per sample
  bool stratify = false;              // exact counts class by class
  bool guards = true;
  std::int64_t min_per_class = 2;

  bool operator==(const NoiseSpec&) const = default;

  double rate() const;  // sum over the components
  bool has(NoiseKind kind) const;
  bool needs_taxonomy() const;
  // Throws UsageError that says which part is wrong.
  void validate() const;
  // "semantic 0.2 seed 1", "semantic 0.15 + uniform 0.05 seed 1 exact": what a person is told.
  std::string summary() const;
  // "semantic-0.2-seed1": for file names.
  std::string slug() const;
};

nlohmann::ordered_json to_json(const NoiseSpec& spec);
// Throws Error when the provenance of `source` holds no such description.
NoiseSpec noise_spec_from_json(const nlohmann::ordered_json& json, std::string_view source);

}  // namespace procsim::noise
