#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "curate/evidence/kinship.hpp"
#include "curate/evidence/score_table.hpp"

namespace procsim::curate {

// Mistakes rolled up the class tree.
struct NodeErrors {
  std::int32_t node = taxonomy::ClassTree::kNone;
  std::size_t classes = 0, samples = 0;  // below it
  double wrong = 0;                      // expected among them
  double here = 0;  // expected errors between its own children: this is where the two labels part
  double rate() const { return samples == 0 ? 0 : here / static_cast<double>(samples); }
};

// Two children of one node that are taken for one another.
struct ConfusedSiblings {
  std::int32_t parent = taxonomy::ClassTree::kNone, first = taxonomy::ClassTree::kNone,
               second = taxonomy::ClassTree::kNone;
  std::size_t samples = 0;                          // labelled below either
  double first_as_second = 0, second_as_first = 0;  // expected errors, by given label and suggestion
  double rate() const;
  // The share of the rarer direction, at most 0.5: near a half, people confuse the two; near 0, one name is
  // misused.
  double balance() const;
};

struct HierarchyErrors {
  std::vector<NodeErrors> nodes;           // inner nodes, most errors between their children first
  std::vector<ConfusedSiblings> siblings;  // highest rate first
  double unplaced = 0;                     // expected errors whose classes the taxonomy does not know
};

// `wrong`: a row each, the probability that its label is wrong, 1 or 0 where people found out; the scores'
// own where it is empty.
HierarchyErrors roll_up(const ScoreTable& table, const ClassFamilies& families,
                        std::span<const double> wrong = {});

// What to do about it, in words: merge the two, or define them better. Empty when the rate is too low to act
// on.
std::string advice(const ConfusedSiblings& pair);

}  // namespace procsim::curate
