#pragma once

#include <functional>
#include <span>

#include "data/noise_model/label_noise.hpp"

namespace procsim {

// Calls its argument with samples, part by part.
using NoiseParts = std::function<void(const std::function<void(const NoiseSamples&)>&)>;

// Deterministic; one thread. `start`: a fit of similar scores, with the same distances, to begin with, so
// that few rounds are needed. `all`: where `samples` were drawn from more, those they were drawn from: they
// are what the last pass counts, by class and by pair.
NoiseFit fit_noise(const NoiseSamples& samples, const NoiseModelOptions& options = {},
                   const NoiseFit* start = nullptr, const NoiseParts& all = {});
NoiseFit fit_noise(const ClassScores& scores, std::span<const std::int64_t> given,
                   const ClassDistances& distances, const NoiseModelOptions& options = {});

}  // namespace procsim
