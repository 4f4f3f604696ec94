#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "data/sets/dataset.hpp"

namespace procsim {

// Classes whose names look alike (look_of): "Ibis", "ibis " and "IBIS" of a table that was typed by hand.
struct AlikeClasses {
  struct Spelling {
    std::int32_t label = kUnlabelled;
    std::string name;
    std::size_t samples = 0;
  };
  std::vector<Spelling> spellings;  // most samples first, then by label; the first is the one that is kept

  // "Ibis (12), ibis (3), IBIS (1)"
  std::string in_words() const;
};

// Groups of two and more, in the order of their first labels.
std::vector<AlikeClasses> find_alike_classes(const Dataset& dataset);

// The samples of every group get its first spelling's class; the other classes go, and labels close the gaps.
void merge_classes(Dataset& dataset, const std::vector<AlikeClasses>& groups);

}  // namespace procsim
