#pragma once

#include "taxonomy/wordnet/wordnet.hpp"

namespace procsim::taxonomy {

// The installed database, read once for all tests of this binary. The build needs wordnet-base, so it is
// there.
inline const WordNet& real_wordnet() {
  static const WordNet wordnet;
  return wordnet;
}

}  // namespace procsim::taxonomy
