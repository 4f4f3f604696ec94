#include "curate/report/sample_map.hpp"

#include <algorithm>
#include <cmath>

namespace procsim::curate {
namespace {

struct Extent {
  double least_x = 0, least_y = 0, side = 1;
};

bool has_place(const ScoreTable& table, std::uint32_t row) {
  return std::isfinite(table.map_x()[row]) && std::isfinite(table.map_y()[row]);
}

Extent extent_of(const ScoreTable& table, std::span<const std::uint32_t> rows) {
  double most_x = 0, most_y = 0;
  Extent extent;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const double x = table.map_x()[rows[i]], y = table.map_y()[rows[i]];
    extent.least_x = i == 0 ? x : std::min(extent.least_x, x);
    extent.least_y = i == 0 ? y : std::min(extent.least_y, y);
    most_x = i == 0 ? x : std::max(most_x, x);
    most_y = i == 0 ? y : std::max(most_y, y);
  }
  extent.side = std::max({most_x - extent.least_x, most_y - extent.least_y, 1e-12});
  return extent;
}

}  // namespace

SampleMap make_sample_map(const ScoreTable& table, std::span<const std::uint32_t> first,
                          std::span<const double> wrong, std::size_t most) {
  SampleMap map;
  if (table.map_x().empty() || std::ranges::any_of(first, [&](auto row) { return !has_place(table, row); }))
    return map;
  std::vector<bool> taken(table.size(), false);
  for (const auto row : first) taken[row] = true;
  std::vector<std::uint32_t> others;
  for (std::uint32_t row = 0; row < table.size(); ++row)
    if (!taken[row] && has_place(table, row)) others.push_back(row);
  map.all = first.size() + others.size();

  std::vector<std::uint32_t> rows(first.begin(), first.end());
  const auto room = most > rows.size() ? std::min(most - rows.size(), others.size()) : 0;
  for (std::size_t i = 0; i < room; ++i) rows.push_back(others[i * others.size() / room]);
  const auto extent = extent_of(table, rows);
  const auto scaled = [&](double value, double least) {
    return static_cast<std::uint16_t>(std::lround((value - least) / extent.side * 65535));
  };
  for (const auto row : rows) {
    map.x.push_back(scaled(table.map_x()[row], extent.least_x));
    map.y.push_back(scaled(table.map_y()[row], extent.least_y));
    map.label.push_back(table.labels()[row]);
    const double p = wrong.empty() ? table.p_mislabelled()[row] : wrong[row];
    map.p.push_back(static_cast<std::uint8_t>(std::lround(p * 255)));
  }
  return map;
}

}  // namespace procsim::curate
