#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "curate/evidence/kinship.hpp"
#include "curate/evidence/score_table.hpp"

namespace procsim::curate {

// A class whose place in the tree is doubtful: what is said of its siblings may not be meant.
struct DoubtfulPlace {
  std::int32_t label = kUnlabelled;
  std::string parent;  // that it hangs below
  std::string doubt;   // what else the name may mean (TaxonomyClass::doubt); empty when the name is clear
  double level = 0;    // how probable the name alone makes it that the place is wrong; 0: not known
  bool looks_alien =
      false;  // its images are taken for its siblings' clearly less often than chance would have it
};

// Classes whose name is doubtful, and those whose images look nothing like their siblings': of their samples'
// best rivals less than half as many are siblings as if rivals were drawn from all classes, where chance
// alone would have it so in less than one of a hundred cases. Those that are both come first, then the most
// doubtful.
std::vector<DoubtfulPlace> find_doubtful_places(const ScoreTable& table, const ClassFamilies& families);

}  // namespace procsim::curate
