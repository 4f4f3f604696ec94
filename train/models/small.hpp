#pragma once

#include <memory>

#include "train/models/backbone.hpp"

namespace procsim::train {

// A compact residual net for small pictures that learns from scratch: four stages of one residual block each,
// group normalisation (no statistics to freeze or to keep), 128 features.
std::shared_ptr<Backbone> make_small(const Architecture& architecture);

}  // namespace procsim::train
