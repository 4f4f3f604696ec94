#pragma once

#include <span>

#include "data/noise_model/label_noise.hpp"

namespace procsim {

// Deterministic; one thread. `start`: a fit of similar scores, with the same distances, to begin with, so
// that few rounds are needed.
NoiseFit fit_noise(const NoiseSamples& samples, const NoiseModelOptions& options = {},
                   const NoiseFit* start = nullptr);
NoiseFit fit_noise(const ClassScores& scores, std::span<const std::int64_t> given,
                   const ClassDistances& distances, const NoiseModelOptions& options = {});

}  // namespace procsim
