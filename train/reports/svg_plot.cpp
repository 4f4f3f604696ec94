#include "train/reports/svg_plot.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "data/base/letters.hpp"
#include "data/base/markup.hpp"

namespace procsim::train {
namespace {

struct Range {
  double from = 0, to = 1;

  double place(double value) const { return to > from ? (value - from) / (to - from) : 0.5; }
};

constexpr double kLeft = 48;
constexpr double kRight = 12;
constexpr double kTop = 34;
constexpr double kBottom = 34;

std::string open_svg(const PlotFrame& frame) {
  return fmt::format(
      "<svg viewBox=\"0 0 {0} {1}\" width=\"{0}\" height=\"{1}\" role=\"img\" aria-label=\"{2}\">"
      "<text class=\"title\" x=\"{3}\" y=\"14\">{2}</text>",
      frame.width, frame.height, markup_text(frame.title), kLeft);
}

std::string legend(const std::vector<std::string>& names) {
  std::string text;
  double x = kLeft;
  for (std::size_t i = 0; i < names.size(); ++i) {
    text += fmt::format(
        "<rect class=\"fill-{}\" x=\"{:.1f}\" y=\"20\" width=\"9\" height=\"9\"/><text x=\"{:.1f}\" "
        "y=\"28\">{}</text>",
        i % kPlotColours, x, x + 12, markup_text(names[i]));
    x += 26 + 6.8 * static_cast<double>(count_letters(names[i]));
  }
  return text;
}

Range range_of(const std::vector<PlotSeries>& series, bool horizontal) {
  Range range{HUGE_VAL, -HUGE_VAL};
  for (const auto& line : series) {
    for (const auto& [x, y] : line.points) {
      range.from = std::min(range.from, horizontal ? x : y);
      range.to = std::max(range.to, horizontal ? x : y);
    }
  }
  return range;
}

}  // namespace

std::vector<double> round_ticks(double from, double to, int count) {
  if (!(to > from)) return {from};
  const double raw = (to - from) / count;
  const double power = std::pow(10, std::floor(std::log10(raw)));
  double step = 10 * power;
  for (const double factor : {1.0, 2.0, 5.0})
    if (factor * power >= raw) {
      step = factor * power;
      break;
    }
  std::vector<double> ticks;
  const auto last = std::llround(std::floor(to / step + 1e-9));
  for (auto i = std::llround(std::ceil(from / step - 1e-9)); i <= last; ++i)
    ticks.push_back(static_cast<double>(i) * step);  // no minus before zero
  return ticks;
}

std::string line_plot(const PlotFrame& frame, const std::vector<PlotSeries>& series) {
  const bool empty =
      std::all_of(series.begin(), series.end(), [](const auto& line) { return line.points.empty(); });
  if (empty) return {};
  const auto x_range = range_of(series, true);
  auto y_range = range_of(series, false);
  if (frame.from_zero) y_range.from = std::min(0.0, y_range.from);
  if (y_range.to <= y_range.from) y_range.to = y_range.from + 1;
  const double width = frame.width - kLeft - kRight;
  const double height = frame.height - kTop - kBottom;
  const auto x_of = [&](double x) { return kLeft + width * x_range.place(x); };
  const auto y_of = [&](double y) { return kTop + height * (1 - y_range.place(y)); };

  auto svg = open_svg(frame);
  for (const double tick : round_ticks(y_range.from, y_range.to, 4))
    svg += fmt::format(
        "<line class=\"grid\" x1=\"{:.1f}\" x2=\"{:.1f}\" y1=\"{:.1f}\" y2=\"{:.1f}\"/>"
        "<text class=\"tick\" text-anchor=\"end\" x=\"{:.1f}\" y=\"{:.1f}\">{:.4g}</text>",
        kLeft, kLeft + width, y_of(tick), y_of(tick), kLeft - 5, y_of(tick) + 4, tick);
  for (const double tick : round_ticks(x_range.from, x_range.to, 6))
    svg += fmt::format("<text class=\"tick\" text-anchor=\"middle\" x=\"{:.1f}\" y=\"{:.1f}\">{:.4g}</text>",
                       x_of(tick), kTop + height + 14, tick);
  svg += fmt::format("<text class=\"tick\" text-anchor=\"middle\" x=\"{:.1f}\" y=\"{}\">{}</text>",
                     kLeft + width / 2, frame.height - 4, markup_text(frame.x_label));
  std::vector<std::string> names;
  for (std::size_t i = 0; i < series.size(); ++i) {
    names.push_back(series[i].name);
    std::string points;
    std::string dots;
    for (const auto& [x, y] : series[i].points) {
      points += fmt::format("{:.1f},{:.1f} ", x_of(x), y_of(y));
      dots += fmt::format(
          "<circle class=\"fill-{}\" cx=\"{:.1f}\" cy=\"{:.1f}\" r=\"2.5\"><title>{} {:.4g}: "
          "{:.5g}</title></circle>",
          i % kPlotColours, x_of(x), y_of(y), markup_text(series[i].name), x, y);
    }
    svg += fmt::format("<polyline class=\"line-{}\" points=\"{}\"/>{}", i % kPlotColours, points, dots);
  }
  return svg + legend(names) + "</svg>";
}

std::string histogram_rows(const PlotFrame& frame, const std::vector<std::string>& names,
                           const std::vector<HistogramRow>& rows, const std::string& marker_name) {
  if (rows.empty()) return {};
  Range axis{HUGE_VAL, -HUGE_VAL};
  for (const auto& row : rows) {
    axis.from = std::min(axis.from, row.from);
    axis.to = std::max(axis.to, row.to);
  }
  if (axis.to <= axis.from) axis.to = axis.from + 1;
  constexpr double row_height = 46;
  auto grown = frame;
  grown.height = static_cast<int>(kTop + kBottom + row_height * static_cast<double>(rows.size()));
  const double width = frame.width - kLeft - kRight;
  const auto x_of = [&](double x) { return kLeft + width * axis.place(x); };
  auto svg = open_svg(grown);
  for (std::size_t r = 0; r < rows.size(); ++r) {
    const auto& row = rows[r];
    const double base = kTop + row_height * static_cast<double>(r + 1);
    std::int64_t tallest = 1;
    for (const auto& bins : row.counts)
      for (const auto count : bins) tallest = std::max(tallest, count);
    for (std::size_t s = 0; s < row.counts.size(); ++s) {
      const auto& bins = row.counts[s];
      const double step = (row.to - row.from) / static_cast<double>(std::max<std::size_t>(1, bins.size()));
      for (std::size_t b = 0; b < bins.size(); ++b) {
        if (bins[b] == 0) continue;
        const double left = x_of(row.from + step * static_cast<double>(b));
        const double right = x_of(row.from + step * static_cast<double>(b + 1));
        const double height = (row_height - 6) * static_cast<double>(bins[b]) / static_cast<double>(tallest);
        svg += fmt::format(
            "<rect class=\"bar fill-{}\" x=\"{:.1f}\" y=\"{:.1f}\" width=\"{:.1f}\" height=\"{:.1f}\"/>", s,
            left, base - height, std::max(0.5, right - left), height);
      }
    }
    if (row.marker >= row.from && row.marker <= row.to)
      svg += fmt::format(
          "<line class=\"marker\" x1=\"{0:.1f}\" x2=\"{0:.1f}\" y1=\"{1:.1f}\" y2=\"{2:.1f}\"><title>{3} "
          "{4:.4g}</title></line>",
          x_of(row.marker), base - row_height + 4, base, markup_text(marker_name), row.marker);
    svg += fmt::format("<line class=\"grid\" x1=\"{:.1f}\" x2=\"{:.1f}\" y1=\"{:.1f}\" y2=\"{:.1f}\"/>",
                       kLeft, kLeft + width, base, base);
    svg += fmt::format("<text class=\"tick\" text-anchor=\"end\" x=\"{:.1f}\" y=\"{:.1f}\">{}</text>",
                       kLeft - 5, base - 4, markup_text(row.label));
  }
  const double bottom = kTop + row_height * static_cast<double>(rows.size());
  for (const double tick : round_ticks(axis.from, axis.to, 6))
    svg += fmt::format("<text class=\"tick\" text-anchor=\"middle\" x=\"{:.1f}\" y=\"{:.1f}\">{:.4g}</text>",
                       x_of(tick), bottom + 14, tick);
  svg += fmt::format("<text class=\"tick\" text-anchor=\"middle\" x=\"{:.1f}\" y=\"{}\">{}</text>",
                     kLeft + width / 2, grown.height - 4, markup_text(frame.x_label));
  return svg + legend(names) + "</svg>";
}

}  // namespace procsim::train
