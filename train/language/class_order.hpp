#pragma once

#include <cstddef>
#include <vector>

#include "train/samples/train_data.hpp"

namespace procsim::train {

// The training classes (dense indices) so that relatives stand together: as the leaves of the data's taxonomy
// follow each other. Without a taxonomy, as the label set's nodes lie in WordNet; the classes' own order
// where one hangs from no node, or WordNet is not installed.
std::vector<std::size_t> taxonomy_order(const TrainData& data);

}  // namespace procsim::train
