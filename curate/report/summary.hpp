#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "curate/decisions/findings.hpp"
#include "curate/evidence/kinship.hpp"
#include "curate/evidence/score_table.hpp"

namespace procsim::curate {

enum class EstimateMethod { kAudit, kDecisions, kScoresFile, kProbabilities };
std::string_view to_string(EstimateMethod method);  // "audit", "decisions", "scores file", "probabilities"

struct LabelCounts {
  std::int64_t count = 0, low = 0, high = 0;
};

// How many labels are wrong, with an interval, and how that is known.
struct NoiseEstimate {
  double rate = 0, low = 0, high = 0;
  EstimateMethod method = EstimateMethod::kProbabilities;
  std::size_t audited = 0;
  bool leaning = false;        // by a model that was trained on these labels: more may be wrong
  bool audit_decides = false;  // whoever made the scores says so

  // Of the interval, in percent (docs/formats.md: a scores file's are 90 %).
  int level() const { return method == EstimateMethod::kProbabilities ? 95 : 90; }
  // The interval is so wide that only random cards can tell, and kCardsToKnow of them would.
  bool needs_audit() const;
  LabelCounts labels_of(std::size_t samples) const;  // as numbers of labels
};
inline constexpr std::size_t kCardsToKnow = 60;

// What an audit of so many samples says.
NoiseEstimate noise_of_audit(const AuditEstimate& audit, std::size_t samples);

// How many labels are expected to be wrong: the sum of the probabilities, or what the scores file estimates,
// with its interval.
struct ExpectedErrors {
  double wrong = 0;
  std::optional<double> low, high;
};

struct ClassCount : ExpectedErrors {
  std::int32_t label = kUnlabelled;
  std::size_t samples = 0;
  std::size_t suspects = 0;  // probability ≥ 0.5
};

struct PairCount : ExpectedErrors {
  std::int32_t given = kUnlabelled, suggested = kUnlabelled;
  std::size_t suspects = 0;
  Relation relation;
};

struct FamilyCount {
  std::int32_t node = taxonomy::ClassTree::kNone;
  std::size_t classes = 0, samples = 0;
  double wrong = 0;   // expected among the samples labelled below the node
  double within = 0;  // of these, suggestions that stay below it
};

struct Effort {
  double share = 0;        // of the expected errors
  std::size_t review = 0;  // that many cards: those judged, then from the top of the ranking
};

struct Summary {
  std::size_t samples = 0;
  std::size_t suspects = 0;   // probability ≥ 0.5
  std::size_t judged = 0;     // by people
  std::size_t confirmed = 0;  // of these, found to be wrong
  double next_hundred = 0;    // wrong labels expected in the next 100 cards: whether going on is worth it
  // Images that belong to no class, expected among the labels that nobody judged plus those found; empty
  // where the scores do not judge that.
  std::optional<double> none;
  NoiseEstimate noise;
  std::vector<ClassCount> classes;    // most expected errors first; classes without samples left out
  std::vector<PairCount> pairs;       // likewise
  std::vector<FamilyCount> families;  // lowest inner nodes of the class tree, likewise
  std::vector<Effort> effort;         // 50, 80, 90, 95, 99 %; none where not one wrong label is expected
  std::vector<double>
      curve;  // share of the expected errors found after each of 100 equal steps of `curve_end`
  std::size_t curve_end = 0;  // samples reviewed at the end of the curve
  std::map<Kinship, std::size_t> suspects_by_kinship;

  LabelCounts wrong_labels() const;                           // the noise rate as numbers of labels
  std::optional<std::size_t> review_for(double share) const;  // what `effort` says
};

// Expected numbers come from the scores file where it estimates them (`by_class`, `by_pair`), else from the
// calibrated probabilities; once people have judged something, from what they found and the probabilities as
// that calibrates them. The noise rate is the audit's when at least kLeastAudits random cards have been
// judged, else that of the decisions, else what the scores file estimates, else the mean probability.
Summary summarize(const ScoreTable& table, std::span<const std::uint32_t> ranking,
                  const ClassFamilies& families, const Findings& findings);
Summary summarize(const ScoreTable& table, std::span<const std::uint32_t> ranking,
                  const ClassFamilies& families, const DecisionLog& decisions = {});

}  // namespace procsim::curate
