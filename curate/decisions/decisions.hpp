#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <nlohmann/json.hpp>

#include "curate/decisions/agreement.hpp"
#include "data/workspace/workspace.hpp"

namespace procsim::curate {

// What a reviewer says of one label. The words are stored in the workspace: they never change.
enum class Verdict {
  kKeep,       // the given label is right
  kRelabel,    // another class: `label`
  kParent,     // nobody can tell the classes apart here: `node` of the taxonomy is as far as it goes
  kNone,       // not any of the classes
  kAmbiguous,  // several classes fit
  kSkip,       // seen, no opinion
  kUndo,       // takes back the reviewer's last standing word on this sample
};
std::string_view to_string(Verdict verdict);
Verdict verdict_from_string(std::string_view text);  // throws Error with the nearest known word

// Where a decision came from (DecisionRecord::source).
inline constexpr std::string_view kFromQueue = "queue";      // ranked by suspicion
inline constexpr std::string_view kFromAudit = "audit";      // drawn at random from all samples
inline constexpr std::string_view kFromPlanted = "planted";  // a known error, to measure the reviewer
inline constexpr std::string_view kFromImport = "import";

struct Opinion {
  Verdict verdict = Verdict::kSkip;
  std::optional<std::int32_t> label;  // kRelabel
  std::string node;                   // kParent
  std::string source;

  bool operator==(const Opinion&) const = default;
};

// The standing opinions: each reviewer's last word on each sample, undone ones removed. Planted samples are
// kept apart: their label was shown wrong on purpose, so nothing said of them may change a label. What was
// said of audit cards also stands by itself: a later word on a suspect must not change what the audit counts.
class DecisionLog {
 public:
  void add(const DecisionRecord& record);

  using BySample = std::map<std::int64_t, std::map<std::string, Opinion>>;  // sample → reviewer → last word
  const BySample& standing() const { return standing_; }
  const BySample& planted() const { return planted_; }
  const BySample& audits() const { return audits_; }
  std::size_t rows() const { return rows_; }
  // The reviewer's last word on the sample, nullptr when there is none.
  const Opinion* find(std::int64_t sample, const std::string& reviewer) const;

 private:
  using History = std::map<std::pair<std::int64_t, std::string>, std::vector<Opinion>>;
  static void apply(const DecisionRecord& record, Verdict verdict, History& history, BySample& table);

  History history_, planted_history_, audit_history_;  // what undo falls back to
  BySample standing_, planted_, audits_;
  std::size_t rows_ = 0;
};

DecisionLog fold_decisions(std::span<const DecisionRecord> records);

// The operation that label sets made by `curate apply` name in their provenance. It is on disk.
inline constexpr std::string_view kApplyOperation = "apply";

// Digests of the label sets that a label set with this provenance was made from by `curate apply`, one after
// the other, the nearest first.
std::vector<std::string> applied_from(const nlohmann::ordered_json& provenance);

// What was decided on a label set, oldest first, and before it on those that it was made from: a person's
// word on a sample goes on counting. Of the latter, planted labels stay behind and audits are no audits,
// since they measured other labels; where the sample lost its class, its label now says what became of that.
std::vector<DecisionRecord> decisions_on(const Workspace& workspace, std::string_view label_set,
                                         std::span<const std::string> made_from);

// What the reviewers of one sample agreed on.
struct Outcome {
  Opinion opinion;            // meaningful when settled
  std::size_t votes = 0;      // for it
  std::size_t reviewers = 0;  // who gave an opinion, skips left out
  bool settled = false;       // votes ≥ min_agreement, and more than for anything else
};
// Skips are no votes. `keep` and `relabel` to the given label are the same vote.
Outcome settle(const std::map<std::string, Opinion>& opinions, std::int32_t given, std::size_t min_agreement);

// The category that agreement is measured on: the label that results, or the verdict. Empty for a skip.
std::string category(const Opinion& opinion, std::int32_t given);

// A name that people can be told apart by: 1 to 80 bytes, none of them a control character.
inline constexpr std::size_t kLongestReviewer = 80;
bool is_reviewer_name(std::string_view name);
// A time as ISO 8601 writes it: 2026-01-31T12:00:00, with a fraction, a zone, or only the date.
bool is_time(std::string_view text);

// Checks that each row's hash is right and that it follows the row before. Returns the id of the first row
// that does not, or nothing.
std::optional<std::int64_t> first_broken_link(std::span<const DecisionRecord> records);

// Whether all rows up to the head are there: links alone do not show that the last ones were removed.
bool ends_at_head(std::span<const DecisionRecord> records, const DecisionsHead& head);

// What is wrong with the log of decisions, finished for people; empty when nothing is.
std::string log_fault(std::span<const DecisionRecord> records, const DecisionsHead& head);

}  // namespace procsim::curate
