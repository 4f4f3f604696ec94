#include "train/reports/compare_page.hpp"

#include <algorithm>
#include <cmath>
#include <map>

#include <fmt/format.h>

#include "data/base/markup.hpp"
#include "train/reports/html_page.hpp"
#include "train/reports/noise_columns.hpp"
#include "train/reports/svg_plot.hpp"

namespace procsim::train {
namespace {

constexpr int kWide = 960;  // names of runs are long

// In the order in which the runs report them.
std::vector<std::string> shared_metrics(std::span<const ComparedRun> runs) {
  std::vector<std::string> order;
  std::map<std::string, std::size_t> reported;
  for (const auto& run : runs) {
    std::vector<std::string> own;
    for (const auto& record : run.records)
      for (const auto& [name, value] : record.metrics)
        if (std::find(own.begin(), own.end(), name) == own.end()) own.push_back(name);
    for (const auto& name : own)
      if (reported[name]++ == 0) order.push_back(name);
  }
  const auto wanted = std::min<std::size_t>(2, runs.size());
  std::erase_if(order, [&](const std::string& name) { return reported[name] < wanted; });
  return order;
}

PlotSeries line_of(const ComparedRun& run, const std::string& metric) {
  PlotSeries series{fmt::format("{} ({})", run.name, run.method), {}};
  for (const auto& record : run.records)
    if (const double* value = record.find(metric); value != nullptr && std::isfinite(*value))
      series.points.emplace_back(static_cast<double>(record.epoch), *value);
  return series;
}

std::string last_values(std::span<const ComparedRun> runs, const std::vector<std::string>& metrics) {
  std::string text =
      "<div class=\"scroll\"><table><tr><th>run</th><th>method</th><th>labels</th><th>epochs</th>";
  for (const auto& metric : metrics) text += "<th>" + markup_text(metric) + "</th>";
  text += "</tr>";
  for (const auto& run : runs) {
    text += fmt::format("<tr><td>{}</td><td>{}</td><td>{}</td><td>{}</td>", markup_text(run.name),
                        markup_text(run.method), markup_text(run.labels),
                        run.records.empty() ? 0 : run.records.back().epoch);
    for (const auto& metric : metrics) {
      const auto points = line_of(run, metric).points;
      text += points.empty() ? "<td></td>" : fmt::format("<td>{:.4f}</td>", points.back().second);
    }
    text += "</tr>";
  }
  return text + "</table></div>";
}

// Figures of the test set that are better when they are larger.
bool is_score(const std::string& metric) {
  return metric.starts_with("recall@") || metric == "r_precision" || metric == "map@r" || metric == "nmi";
}

std::string over_noises(std::span<const ComparedRun> runs, const std::vector<std::string>& metrics) {
  std::string rows;
  for (const auto& metric : metrics) {
    if (!is_score(metric)) continue;
    std::vector<NoiseResult> results;
    for (const auto& run : runs)
      if (const auto points = line_of(run, metric).points; !points.empty())
        results.push_back({run.dataset, run.method, run.noise, points.back().second});
    for (const auto& mean : compare_methods(results))
      rows +=
          fmt::format("<tr><td>{}</td><td>{}</td><td>{}</td><td>{:.4f}</td></tr>", markup_text(mean.method),
                      markup_text(mean.over()), markup_text(metric), mean.value);
  }
  if (rows.empty()) return {};
  return "<h2>Harmonic mean over the columns of noise</h2><div class=\"scroll\"><table><tr><th>method</th>"
         "<th>noise</th><th>metric</th><th>harmonic mean</th></tr>" +
         rows + "</table></div>";
}

}  // namespace

std::string compare_page(std::span<const ComparedRun> runs) {
  std::string names;
  for (const auto& run : runs) names += (names.empty() ? "" : ", ") + run.name;
  const auto metrics = shared_metrics(runs);
  std::string body = fmt::format(
      "<h1>Runs compared</h1><p class=\"sub\">{}</p><h2>Last values</h2>{}{}"
      "<h2>Over the epochs</h2><div class=\"plots\">",
      markup_text(names), last_values(runs, metrics), over_noises(runs, metrics));
  for (const auto& metric : metrics) {
    std::vector<PlotSeries> series;
    for (const auto& run : runs)
      if (auto line = line_of(run, metric); !line.points.empty()) series.push_back(std::move(line));
    body += line_plot({.title = metric, .x_label = "epoch", .width = kWide}, series);
  }
  return html_page("Runs compared", body + "</div>");
}

}  // namespace procsim::train
