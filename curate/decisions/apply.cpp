#include "curate/decisions/apply.hpp"

#include <unordered_map>

#include <fmt/format.h>

#include "data/base/error.hpp"
#include "data/base/version.hpp"
#include "data/files/file_changes.hpp"

namespace procsim::curate {

namespace {

constexpr std::int32_t kLeaveOut = -2;  // beside labels and kUnlabelled

// Turns one row after another into its new label.
class Relabeller {
 public:
  Relabeller(const ApplyInput& input, const ApplyOptions& options, LabelSetInfo info)
      : input_(input), options_(options), info_(std::move(info)) {}

  std::int32_t new_label(std::int64_t sample, std::int32_t given) {
    ++counts_.rows;
    if (const auto opinions = input_.decisions->standing().find(sample);
        opinions != input_.decisions->standing().end()) {
      ++met_;
      const auto outcome = settle(opinions->second, given, options_.min_agreement);
      if (outcome.settled) return decided(outcome.opinion, sample, given);
      if (outcome.reviewers > 0) {
        ++counts_.unsettled;
        return given;
      }
    }
    return automatic(sample, given);
  }

  ApplyCounts& counts() { return counts_; }
  LabelSetInfo& info() { return info_; }
  std::size_t met() const { return met_; }

 private:
  std::int32_t decided(const Opinion& opinion, std::int64_t sample, std::int32_t given) {
    switch (opinion.verdict) {
      case Verdict::kRelabel:
        if (opinion.label.value_or(kUnlabelled) < 0 ||
            static_cast<std::size_t>(*opinion.label) >= info_.classes.size())
          throw Error(fmt::format("the decision on sample {} names label {}, which is not a class of {}",
                                  sample, opinion.label.value_or(kUnlabelled), input_.labels.string()));
        ++counts_.relabelled;
        return *opinion.label;
      case Verdict::kParent:
        ++counts_.moved_up;
        return parent_label(opinion.node, sample);
      case Verdict::kNone:
        ++counts_.none;
        return without_class();
      case Verdict::kAmbiguous:
        ++counts_.ambiguous;
        return without_class();
      case Verdict::kKeep:
      case Verdict::kSkip:
      case Verdict::kUndo:
        break;
    }
    ++counts_.confirmed;
    return given;
  }

  std::int32_t automatic(std::int64_t sample, std::int32_t given) {
    if (!options_.auto_above) return given;
    const auto row = input_.scores->find(sample);
    if (!row || probability_wrong(*row) <= *options_.auto_above) return given;
    const auto suggested = input_.scores->suggested()[*row];
    if (options_.auto_action == AutoAction::kDrop) {
      ++counts_.automatic;
      return without_class();
    }
    if (suggested < 0 || suggested == given || input_.scores->labels()[*row] != given) return given;
    ++counts_.automatic;
    if (options_.auto_action == AutoAction::kRelabel) return suggested;
    const auto relation = input_.families->relation(given, suggested);
    if (relation.kinship == Kinship::kUnknown) return without_class();
    return parent_label(input_.families->id(relation.common), sample);
  }

  double probability_wrong(std::uint32_t row) const {
    return input_.probabilities.empty() ? input_.scores->p_mislabelled()[row] : input_.probabilities[row];
  }

  std::int32_t without_class() const {
    return options_.unresolved == Unresolved::kUnlabel ? kUnlabelled : kLeaveOut;
  }

  std::int32_t parent_label(const std::string& node, std::int64_t sample) {
    if (options_.unresolved != Unresolved::kClass) return without_class();
    const auto known = parents_.find(node);
    if (known != parents_.end()) return known->second;
    const auto place = input_.families->find(node);
    if (!place)
      throw Error(fmt::format(
          "the decision on sample {} moves it up to '{}', which the taxonomy does not have. Give the "
          "taxonomy it was reviewed with (--taxonomy).",
          sample, node));
    const auto label = static_cast<std::int32_t>(info_.classes.size());
    info_.classes.push_back({fmt::format("{} (any)", input_.families->name(*place)), node, node});
    parents_.emplace(node, label);
    return label;
  }

  const ApplyInput& input_;
  const ApplyOptions& options_;
  LabelSetInfo info_;
  ApplyCounts counts_;
  std::unordered_map<std::string, std::int32_t> parents_;
  std::size_t met_ = 0;
};

nlohmann::ordered_json provenance(const ApplyInput& input, const ApplyOptions& options,
                                  const ApplyCounts& counts, const nlohmann::ordered_json& parent) {
  nlohmann::ordered_json json{{"program", "curate"},
                              {"version", version()},
                              {"operation", kApplyOperation},
                              {"parent_digest", input.labels_digest},
                              {"decisions", input.decisions->rows()},
                              {"decisions_head", input.decisions_head},
                              {"min_agreement", options.min_agreement}};
  if (options.auto_above) {
    json["auto_above"] = *options.auto_above;
    json["auto_action"] = to_string(options.auto_action);
    json["scores_digest"] = input.scores_digest;
  }
  json["unresolved"] = to_string(options.unresolved);
  json["changed"] = counts.changed;
  json["counts"] = to_json(counts);
  json["parent"] = parent;
  return json;
}

}  // namespace

std::string_view to_string(AutoAction action) {
  return action == AutoAction::kRelabel ? "relabel" : action == AutoAction::kDrop ? "drop" : "parent";
}

std::string_view to_string(Unresolved unresolved) {
  return unresolved == Unresolved::kDrop ? "drop" : unresolved == Unresolved::kUnlabel ? "unlabel" : "class";
}

nlohmann::ordered_json to_json(const ApplyCounts& counts) {
  return {{"rows", counts.rows},           {"written", counts.written},
          {"confirmed", counts.confirmed}, {"relabelled", counts.relabelled},
          {"moved_up", counts.moved_up},   {"none", counts.none},
          {"ambiguous", counts.ambiguous}, {"automatic", counts.automatic},
          {"unsettled", counts.unsettled}, {"changed", counts.changed},
          {"left_out", counts.left_out},   {"foreign", counts.foreign}};
}

ApplyResult apply_decisions(const ApplyInput& input, const ApplyOptions& options,
                            const std::filesystem::path& out, IfExists if_exists, const Progress& progress) {
  FileChanges files;
  auto result = apply_decisions(input, options, out, if_exists, files, progress);
  files.replace();
  files.keep();
  return result;
}

ApplyResult apply_decisions(const ApplyInput& input, const ApplyOptions& options,
                            const std::filesystem::path& out, IfExists if_exists, FileChanges& files,
                            const Progress& progress) {
  if (options.auto_above && !input.scores) throw Error("--auto needs scores: give a file with --scores");
  if (options.auto_above && options.auto_action == AutoAction::kParent && !input.families->known())
    throw Error("--auto-action parent needs a taxonomy: give a file with --taxonomy");
  LabelReadOptions read;
  read.unique_ids = true;  // decisions are found by the id
  LabelSetReader reader(input.labels, read);
  LabelSetWriter writer(out, if_exists);
  Relabeller relabeller(input, options, reader.info());
  auto& counts = relabeller.counts();
  while (const auto batch = reader.next()) {
    std::vector<std::int32_t> labels, true_labels;
    std::vector<std::int64_t> rows;
    for (std::int64_t row = 0; row < batch->rows(); ++row) {
      const auto given = batch->labels()[static_cast<std::size_t>(row)];
      const auto label = relabeller.new_label(batch->sample_ids()[static_cast<std::size_t>(row)], given);
      if (label == kLeaveOut) {
        ++counts.left_out;
        continue;
      }
      counts.changed += label != given ? 1 : 0;
      rows.push_back(row);
      labels.push_back(label);
      true_labels.push_back(batch->true_label(row).value_or(kUnlabelled));
    }
    counts.written += static_cast<std::int64_t>(rows.size());
    if (!rows.empty())
      writer.append(batch->select(rows).relabelled(std::move(labels), std::move(true_labels)));
    if (progress)
      progress(static_cast<std::uint64_t>(counts.rows), static_cast<std::uint64_t>(reader.file_rows()));
  }
  counts.foreign = static_cast<std::int64_t>(input.decisions->standing().size() - relabeller.met());
  auto& info = relabeller.info();
  info.provenance = provenance(input, options, counts, reader.info().provenance);
  auto digest = writer.finish(info, files);
  return {counts, std::move(digest)};
}

}  // namespace procsim::curate
