#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace procsim::train {

// Plots as inline SVG for the pages of runs. Colours come from the page's CSS classes series-0, series-1, …
// so that they follow light and dark mode.
constexpr int kPlotColours = 6;  // further series begin again with the first

struct PlotSeries {
  std::string name;
  std::vector<std::pair<double, double>> points;
};

struct PlotFrame {
  std::string title;
  std::string x_label;
  int width = 460;
  int height = 240;
  bool from_zero = false;  // the value axis starts at 0
};

// Lines with a legend, ticks at round values and a tooltip per point. Empty text when there is no point.
std::string line_plot(const PlotFrame& frame, const std::vector<PlotSeries>& series);

struct HistogramRow {
  std::string label;  // "epoch 3"
  double from = 0, to = 1;
  std::vector<std::vector<std::int64_t>> counts;  // a list of bins per series
  double marker = -1;                             // a vertical line, where from ≤ marker ≤ to
};

// Histograms one below another over a shared axis, the series of a row drawn over each other, to see a
// distribution move.
std::string histogram_rows(const PlotFrame& frame, const std::vector<std::string>& names,
                           const std::vector<HistogramRow>& rows, const std::string& marker_name);

// Ticks at 1, 2 or 5 times a power of ten, at most about `count`.
std::vector<double> round_ticks(double from, double to, int count);

}  // namespace procsim::train
