#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include <nlohmann/json.hpp>

#include "data/base/progress.hpp"
#include "data/files/atomic_file.hpp"
#include "data/labels/label_set.hpp"
#include "noise/noise_plan.hpp"
#include "noise/noise_spec.hpp"

namespace procsim::noise {

// One of several jobs that write a label set in parts: job `index` of `count`, counted from 1.
struct Shard {
  std::int64_t index = 1;
  std::int64_t count = 1;

  // The job's rows of `rows`: [first, last). Parts in order make up the whole.
  std::int64_t first(std::int64_t rows) const;
  std::int64_t last(std::int64_t rows) const;
};

// A file that a model took something from, as the provenance remembers it.
struct NoiseInput {
  std::string role;    // taxonomy, matrix, scores, replay, foreign
  std::string name;    // its file name, without folders
  std::string digest;  // SHA-256

  bool operator==(const NoiseInput&) const = default;
};

struct InjectionOptions {
  std::filesystem::path parent;  // label set: a file or a folder of parts
  std::filesystem::path output;
  IfExists if_exists = IfExists::kFail;
  NoiseSpec spec;                    // `generation` is set from the parent's provenance
  std::string operation = "inject";  // or "import": what the provenance says
  std::optional<Shard> shard;
  unsigned threads = 1;  // 0: one per core
  std::vector<NoiseInput> inputs;
  nlohmann::ordered_json remarks;  // added to the provenance as it is; null for none
  Progress progress;
};

// What an injection has done, over the whole split, whatever the shard.
struct InjectionCounts {
  std::int64_t rows = 0;  // of all splits
  std::int64_t split_rows = 0;
  std::int64_t labelled = 0;               // of the split
  std::int64_t changed = 0;                // labels that differ from the parent's
  std::int64_t foreign = 0;                // images replaced
  std::int64_t guarded = 0;                // drawn, kept by the count guard
  std::int64_t phantom = 0;                // drawn into a class that the split lacks, kept
  std::int64_t no_target = 0;              // drawn, but without a target
  std::vector<std::int64_t> by_component;  // changed labels and replaced images

  bool operator==(const InjectionCounts&) const = default;
};

struct InjectionReport {
  InjectionCounts counts;
  std::vector<GuardEvent> guard_events;
  std::vector<std::int32_t> classes_without_target;
  LabelSetInfo info;   // of the file written
  std::string digest;  // of the file written
  std::int64_t written_rows = 0;
};

// Streams the parent, twice or more when exact counts, guards or shards need it, and writes the corrupted
// label set. Rows outside the split and unlabelled rows are copied. `true_label` is the parent's, or its
// label where it has none; null for foreign images, whose truth is no class of ours. Memory does not grow
// with the number of rows.
InjectionReport inject(const InjectionOptions& options, const NoiseSources& sources);
// The same as one of several files that change together: it appears with them.
InjectionReport inject(const InjectionOptions& options, const NoiseSources& sources, FileChanges& files);

// The plan for a parent with its exact counts, guards and foreign images settled: what verification repeats.
struct SettledPlan {
  NoisePlan plan;
  InjectionCounts counts;
  std::vector<GuardEvent> guard_events;
};
SettledPlan settle(const std::filesystem::path& parent, const NoiseSpec& spec, const NoiseSources& sources,
                   unsigned threads, const Progress& progress);

// The parent's rows as the settled plan leaves them, in order. Calls `consume` on this thread.
void for_each_corrupted(const NoisePlan& plan, const std::filesystem::path& parent,
                        std::optional<RowRange> rows, unsigned threads,
                        const std::function<void(const LabelBatch&)>& consume);

// How often labels were injected on the way to this label set.
std::int32_t injections_in(const nlohmann::ordered_json& provenance);

// Whether images were replaced on the way to this label set, so that a null true_label says "no class of
// ours".
bool has_foreign_images(const nlohmann::ordered_json& provenance);

// Throws Error unless the taxonomy has the label set's classes, in the same order.
void require_same_classes(const taxonomy::Taxonomy& taxonomy, std::string_view taxonomy_file,
                          const LabelSetInfo& info, std::string_view label_file);

}  // namespace procsim::noise
