#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "curate/evidence/score_table.hpp"
#include "curate/report/image_store.hpp"

namespace procsim::curate {

// A labelled sample that nobody scored, and why.
struct LeftOut {
  std::int64_t sample = 0;
  std::string path, why;
};

// The labelled samples of the scored splits that have no row in the table, in the label set's order. `why` is
// what reading the image says; "not scored" where it can be read, or nobody knows where the images are.
std::vector<LeftOut> find_left_out(const std::filesystem::path& labels, const ScoreTable& table,
                                   const ImageStore* images);

}  // namespace procsim::curate
