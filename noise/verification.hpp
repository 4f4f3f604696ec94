#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "data/base/progress.hpp"
#include "noise/injection.hpp"
#include "noise/provenance.hpp"

namespace procsim::noise {

// A row that is not what its provenance says it must be.
struct Disagreement {
  std::int64_t row = 0;  // in the file
  std::int64_t sample_id = 0;
  std::string message;  // "label 5 'Ivory Gull', expected 7 'House Sparrow'"
};

struct Verification {
  std::int64_t rows = 0;
  std::int64_t disagreements = 0;       // rows that differ, are missing or are too many
  std::vector<Disagreement> reported;   // the first of them
  std::vector<std::string> provenance;  // what the provenance says and the derivation does not

  bool agrees() const { return disagreements == 0 && provenance.empty(); }
};

// Makes the injection again from the file's own provenance, the parent and the sources, and compares row by
// row. Rows in the parent's order stream; others are looked up in memory. At most `max_reported`
// disagreements are kept.
Verification verify_injection(const std::filesystem::path& file, const InjectionRecord& record,
                              const std::filesystem::path& parent, const NoiseSources& sources,
                              std::size_t max_reported, unsigned threads, const Progress& progress);

}  // namespace procsim::noise
