#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace procsim::curate {

// Votes on one thing: what each reviewer called it (any text; equal text = agreement).
using Votes = std::map<std::string, std::string>;  // reviewer → category

struct PairAgreement {
  std::string first, second;    // reviewers
  std::size_t both = 0;         // things that both judged
  double observed = 0;          // share on which they agree
  std::optional<double> kappa;  // Cohen's; empty when chance alone gives full agreement
};

struct Agreement {
  std::vector<PairAgreement> pairs;    // reviewers in name order; pairs that share nothing are left out
  std::size_t shared = 0;              // things with two votes or more
  double observed = 0;                 // mean share of agreeing pairs of votes on those
  std::optional<double> fleiss;        // over those; empty as above
  std::vector<std::int64_t> disputed;  // their ids where not all votes are equal, ascending
};

// Cohen's kappa per pair of reviewers and Fleiss' kappa over all. With the same number of votes on each thing
// Fleiss' is the published one; with different numbers each thing weighs by its own pairs of votes.
Agreement agreement(const std::map<std::int64_t, Votes>& votes);

}  // namespace procsim::curate
