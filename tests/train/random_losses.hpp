#pragma once

#include <cmath>
#include <cstdint>
#include <vector>

#include "data/base/keyed_random.hpp"

namespace procsim::test {

// Losses of 4 to 63 samples, four in ten of them higher.
inline std::vector<double> random_losses(std::int64_t id) {
  auto draws = KeyedRandom(3, "test/confidence").for_id(id);
  std::vector<double> losses(4 + draws.below(60));
  for (auto& loss : losses) loss = std::exp(draws.normal()) + (draws.uniform() < 0.4 ? 3 : 0);
  return losses;
}

}  // namespace procsim::test
