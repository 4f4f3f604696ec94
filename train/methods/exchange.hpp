#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace procsim::train {

// Of the samples `among`, the `count` with the smallest losses, smallest first; ties by place.
std::vector<std::int64_t> smallest_losses(std::span<const double> losses, std::span<const std::int64_t> among,
                                          std::int64_t count);

// What each of two networks picks of a batch for the other to learn from.
struct Exchange {
  std::vector<std::int64_t> by_first, by_second;
};

// The share 1 − `rate` with the smallest losses, at least one (co-teaching).
Exchange exchange_of(std::span<const double> first, std::span<const double> second, double rate);

// The same among samples that the two take for different classes, all of these where none would be left; the
// whole batch where they agree on every sample (co-teaching+).
Exchange exchange_of_apart(std::span<const double> first, std::span<const double> second,
                           std::span<const std::int64_t> classes_first,
                           std::span<const std::int64_t> classes_second, double rate);

// The share that is dropped in an epoch, counted from 0: rises to `rate` within `epochs` of them, as the
// power `exponent` of `rate` says.
double dropped_in_epoch(double rate, std::int64_t epoch, std::int64_t epochs, double exponent);

}  // namespace procsim::train
