#include "train/methods/exchange.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "train/trust/prism.hpp"

namespace procsim::train {

std::vector<std::int64_t> smallest_losses(std::span<const double> losses, std::span<const std::int64_t> among,
                                          std::int64_t count) {
  std::vector<std::int64_t> order(among.begin(), among.end());
  std::stable_sort(order.begin(), order.end(), [&](std::int64_t a, std::int64_t b) {
    return losses[static_cast<std::size_t>(a)] < losses[static_cast<std::size_t>(b)];
  });
  order.resize(std::min(order.size(), static_cast<std::size_t>(count)));
  return order;
}

Exchange exchange_of(std::span<const double> first, std::span<const double> second, double rate) {
  std::vector<std::int64_t> all(first.size());
  std::iota(all.begin(), all.end(), 0);
  const auto size = static_cast<std::int64_t>(all.size());
  const auto count = std::max<std::int64_t>(1, size - dropped_of(rate, size));
  return {smallest_losses(first, all, count), smallest_losses(second, all, count)};
}

Exchange exchange_of_apart(std::span<const double> first, std::span<const double> second,
                           std::span<const std::int64_t> classes_first,
                           std::span<const std::int64_t> classes_second, double rate) {
  std::vector<std::int64_t> apart;
  for (std::size_t i = 0; i < first.size(); ++i)
    if (classes_first[i] != classes_second[i]) apart.push_back(static_cast<std::int64_t>(i));
  const auto size = static_cast<std::int64_t>(apart.size());
  if (size == 0) return exchange_of(first, second, 0);
  auto count = size - dropped_of(rate, size);
  if (count == 0) count = size;
  return {smallest_losses(first, apart, count), smallest_losses(second, apart, count)};
}

double dropped_in_epoch(double rate, std::int64_t epoch, std::int64_t epochs, double exponent) {
  if (epochs <= 1 || epoch >= epochs) return rate;
  const double part = static_cast<double>(epoch) / static_cast<double>(epochs - 1);
  return std::min(rate, std::pow(rate, exponent) * part);
}

}  // namespace procsim::train
