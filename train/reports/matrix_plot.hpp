#pragma once

#include <string>
#include <vector>

namespace procsim::train {

// Similarities between the same things, row after row: symmetric, a row and a column per name.
struct SimilarityMatrix {
  std::string title;
  std::vector<float> values;
};

// Matrices side by side as one inline SVG, from light (least alike) to dark, with the names at the rows: all
// of them, or as many as can be read. Empty text when there is nothing to draw.
std::string matrix_plots(const std::vector<std::string>& names,
                         const std::vector<SimilarityMatrix>& matrices);

}  // namespace procsim::train
