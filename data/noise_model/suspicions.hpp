#pragma once

#include <span>
#include <vector>

#include "data/labels/scores.hpp"
#include "data/noise_model/scoring_options.hpp"

namespace procsim {

// What becomes of probabilities once every label has been judged. Suspicion is their log-odds; within the
// samples that a step treats alike, order stays.

// Moves every suspicion by the same amount, so that the probabilities add up to `wanted`.
void move_to(std::span<ScoreRow> rows, double wanted);

// A label is right only where another doubt (0 … 1), independent of the suspicion, does not hold either.
// Exact in the log-odds, where the probability has no digits left.
void add_suspicion(ScoreRow& row, double doubt);

// Temperature scaling: where many probabilities are neither near 0 nor near 1, the others are too sure of
// themselves too: what they rest on, the class means, was made from labels that could not be told apart. The
// sum stays.
void scale_temperature(std::span<ScoreRow> rows, const TemperatureOptions& options = {});

// In a class of few labels a wrong one also casts suspicion on the right ones: of two that disagree, each
// accuses the other. `sizes` holds the number of labels of each row's class. For the classes of two and of
// three labels, where there are enough of them, the share that is said to be wrong becomes the rate that
// would lead to so much suspicion; a sample that is alone in its class gets the rate of all others.
void correct_small_classes(std::span<ScoreRow> rows, std::span<const std::int64_t> sizes,
                           const SmallClassOptions& options = {});

// The share of labels that are suspected in classes of `size` labels when `rate` of them are wrong: those,
// and right ones most of whose companions are wrong (half of them where it is half).
double suspected_share(std::int64_t size, double rate);

}  // namespace procsim
