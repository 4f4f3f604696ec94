#pragma once

#include <string>

namespace procsim::train {

// One of the things that a method reports of its steps beside the objective: a column of metrics.csv, a line
// of a plot. What the numbers mean is said here, so that nothing that shows or counts them knows a method.
struct Quantity {
  enum class Kind { kScalar, kColumn };  // a value a step, or a value a sample
  enum class Meaning {
    kOther,
    kSuspicion,  // the higher, the more the label is doubted: ranked against the truth, drawn as a histogram
    kTrust,      // the weight that the label was given, 1 in full: drawn as a histogram over [0, 1]
    kKept,       // 1 where the label is believed and 0 where it is doubted: counted against the truth
  };

  std::string name;   // in metrics.csv
  std::string title;  // for people
  Kind kind = Kind::kColumn;
  Meaning meaning = Meaning::kOther;
  std::string symbol{};  // in lines of progress; empty: not shown there
  std::string plot{};    // the title of its plot; quantities of the same plot share it
  std::string marker{};  // a scalar that is marked in the histogram; empty: none

  bool operator==(const Quantity&) const = default;
};

}  // namespace procsim::train
