#include "train/reports/run_page.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "data/base/markup.hpp"
#include "train/reports/html_page.hpp"
#include "train/reports/matrix_plot.hpp"
#include "train/reports/svg_plot.hpp"

namespace procsim::train {
namespace {

constexpr std::size_t kHistogramEpochs = 8;

PlotSeries series_of(std::span<const EpochRecord> records, const std::string& metric,
                     const std::string& name) {
  PlotSeries series{name, {}};
  for (const auto& record : records)
    if (const double* value = record.find(metric); value != nullptr && std::isfinite(*value))
      series.points.emplace_back(static_cast<double>(record.epoch), *value);
  return series;
}

std::string plot(std::span<const EpochRecord> records, const std::string& title, bool from_zero,
                 const std::vector<std::pair<std::string, std::string>>& metrics) {
  std::vector<PlotSeries> series;
  for (const auto& [metric, name] : metrics) {
    auto line = series_of(records, metric, name);
    if (!line.points.empty()) series.push_back(std::move(line));
  }
  return line_plot({.title = title, .x_label = "epoch", .from_zero = from_zero}, series);
}

// Some epochs, evenly spread, the first and the last among them.
std::vector<const EpochRecord*> shown_epochs(std::span<const EpochRecord> records) {
  std::vector<const EpochRecord*> trained;
  for (const auto& record : records)
    if (record.epoch > 0) trained.push_back(&record);
  if (trained.size() <= kHistogramEpochs) return trained;
  std::vector<const EpochRecord*> shown;
  for (std::size_t i = 0; i < kHistogramEpochs; ++i)
    shown.push_back(trained[i * (trained.size() - 1) / (kHistogramEpochs - 1)]);
  return shown;
}

std::string histograms(std::span<const EpochRecord> records, const Quantity& column, bool truth) {
  std::vector<HistogramRow> rows;
  for (const auto* record : shown_epochs(records)) {
    const auto* histogram = record->histogram(column.name);
    if (histogram == nullptr) continue;
    HistogramRow row{
        fmt::format("ep {}", record->epoch), histogram->from, histogram->to, {histogram->clean}, -1};
    if (truth) row.counts.push_back(histogram->noisy);
    if (const double* marker = record->find(column.marker); marker != nullptr) row.marker = *marker;
    rows.push_back(std::move(row));
  }
  if (rows.empty()) return {};
  const std::vector<std::string> names =
      truth ? std::vector<std::string>{"label right", "label wrong"} : std::vector<std::string>{"samples"};
  return histogram_rows({.title = column.title + " over the epochs", .x_label = column.title}, names, rows,
                        column.marker);
}

// The objective, and what the method reports beside it: a plot for each title, in the order of the
// quantities.
std::string training_plots(std::span<const EpochRecord> records, std::span<const Quantity> quantities) {
  std::vector<std::pair<std::string, std::vector<std::pair<std::string, std::string>>>> plots{
      {"Losses", {{"loss", "objective"}}}};
  for (const auto& quantity : quantities) {
    const auto& title = quantity.plot.empty() ? quantity.title : quantity.plot;
    auto place = std::find_if(plots.begin(), plots.end(), [&](const auto& it) { return it.first == title; });
    if (place == plots.end()) place = plots.insert(plots.end(), {title, {}});
    place->second.emplace_back(quantity.name, quantity.title);
  }
  std::string text;
  for (const auto& [title, lines] : plots) text += plot(records, title, true, lines);
  return text;
}

std::string doubt_section(std::span<const EpochRecord> records, std::span<const Quantity> quantities) {
  const bool truth = std::any_of(records.begin(), records.end(), [](const EpochRecord& record) {
    return record.find("detection_auroc") != nullptr;
  });
  std::string text;
  std::string suspicion;
  std::string weight;
  bool doubts = false;
  for (const auto& quantity : quantities) {
    text += histograms(records, quantity, truth);
    if (quantity.meaning == Quantity::Meaning::kSuspicion && suspicion.empty()) suspicion = quantity.title;
    if (quantity.meaning == Quantity::Meaning::kTrust && weight.empty()) weight = quantity.name;
    doubts = doubts || quantity.meaning == Quantity::Meaning::kKept;
  }
  if (doubts)
    text += plot(records, "Labels doubted", true,
                 {{"doubted", "doubted"}, {"doubted_rightly", "of these, wrong indeed"}});
  if (truth && !weight.empty())
    text += plot(records, "Weight given to labels", true,
                 {{weight + "_of_right", "right labels"}, {weight + "_of_wrong", "wrong labels"}});
  if (truth)
    text +=
        plot(records, "Wrong labels among those doubted", true,
             {{"detection_precision", "precision"}, {"detection_recall", "recall"}, {"detection_f1", "F1"}}) +
        plot(records, "Wrong labels ranked by " + suspicion, false,
             {{"detection_auroc", "AUROC"},
              {"detection_ap", "average precision"},
              {"detection_p_at_errors", "precision at #errors"}});
  if (text.empty()) return {};
  return "<h2>Which labels the method doubts</h2><div class=\"plots\">" + text + "</div>";
}

std::string metric_table(std::span<const EpochRecord> records) {
  std::vector<std::string> names;
  for (const auto& record : records)
    for (const auto& [name, value] : record.metrics)
      if (std::find(names.begin(), names.end(), name) == names.end()) names.push_back(name);
  std::string text = "<div class=\"scroll\"><table><tr><th>epoch</th>";
  for (const auto& name : names) text += "<th>" + markup_text(name) + "</th>";
  text += "</tr>";
  for (const auto& record : records) {
    text += fmt::format("<tr><td>{}</td>", record.epoch);
    for (const auto& name : names) {
      const double* value = record.find(name);
      text += value != nullptr ? fmt::format("<td>{:.4f}</td>", *value) : "<td></td>";
    }
    text += "</tr>";
  }
  return text + "</table></div>";
}

std::string settings_table(const TrainConfig& config) {
  std::string text = "<div class=\"scroll\"><table>";
  const auto settings = to_json(config);
  for (const auto& [name, value] : settings.items())
    text += fmt::format("<tr><td>{}</td><td>{}</td></tr>", markup_text(name),
                        markup_text(value.is_string() ? value.get<std::string>() : value.dump()));
  return text + "</table></div>";
}

constexpr std::size_t kPseudoLabelRows = 30;

std::string pseudo_label_table(const GuidanceView& view) {
  const auto shown = std::min(kPseudoLabelRows, view.classes.size());
  std::string text = fmt::format(
      "<h3>Pseudo-labels</h3><p class=\"sub\">What the ImageNet classifier takes {} for, {}.</p>"
      "<div class=\"scroll\"><table class=\"words\">",
      shown < view.classes.size() ? fmt::format("{} of these classes", shown) : "these classes",
      view.labels_of_samples ? "the most frequent among a class's images first" : "the best first");
  for (std::size_t i = 0; i < shown; ++i) {
    const auto row = i * view.classes.size() / shown;
    std::string labels;
    for (const auto& label : view.pseudo_labels[row]) labels += (labels.empty() ? "" : ", ") + label;
    text +=
        fmt::format("<tr><td>{}</td><td>{}</td></tr>", markup_text(view.classes[row]), markup_text(labels));
  }
  return text + "</table></div>";
}

std::string guidance_section(const GuidanceView& view, std::size_t classes) {
  auto text = fmt::format(
      "<h2>What the guidance believes</h2><p class=\"sub\">How alike {} training classes are, to the "
      "guidance "
      "and to the trained model. Rows and columns follow the taxonomy where there is one.</p>",
      view.classes.size() < classes ? fmt::format("{} of the {}", view.classes.size(), classes)
                                    : fmt::format("the {}", classes));
  text += matrix_plots(view.classes, {{"similarity of the guidance", view.guidance},
                                      {"similarity of the embeddings", view.visual}});
  return view.pseudo_labels.empty() ? text : text + pseudo_label_table(view);
}

std::string summary(const RunSummary& run, const TrainData& data, std::span<const EpochRecord> records,
                    const TrainConfig& config) {
  const std::string recall =
      config.recall_at.empty() ? "" : "recall@" + std::to_string(config.recall_at.front());
  const auto series = series_of(records, recall, recall);
  std::string text =
      fmt::format("{}: {} training samples in {} classes, {} test samples; {}.", data.info.dataset,
                  data.train.size(), data.classes.size(), data.test.size(), run.method);
  if (series.points.empty()) return text;
  const auto best = std::max_element(series.points.begin(), series.points.end(),
                                     [](const auto& a, const auto& b) { return a.second < b.second; });
  return text + fmt::format(" {}: {:.1f} % at the start, {:.1f} % last, {:.1f} % best (epoch {:.0f}).",
                            recall, 100 * series.points.front().second, 100 * series.points.back().second,
                            100 * best->second, best->first);
}

}  // namespace

std::string run_page(const RunSummary& run, const TrainConfig& config, const TrainData& data,
                     std::span<const EpochRecord> records, const GuidanceView* guidance) {
  std::vector<std::pair<std::string, std::string>> recalls;
  for (const auto k : config.recall_at)
    recalls.emplace_back("recall@" + std::to_string(k), "Recall@" + std::to_string(k));
  std::string body = fmt::format("<h1>{}</h1><p class=\"sub\">{}</p>", markup_text(run.name),
                                 markup_text(summary(run, data, records, config)));
  if (!data.test.empty())
    body += "<h2>Retrieval on unseen classes</h2><div class=\"plots\">" +
            plot(records, "Recall@K", false, recalls) +
            plot(records, "Ranking and clustering", false,
                 {{"r_precision", "R-precision"}, {"map@r", "mAP@R"}, {"nmi", "NMI"}}) +
            "</div>";
  body += "<h2>Training</h2><div class=\"plots\">" + training_plots(records, run.quantities) + "</div>";
  body += doubt_section(records, run.quantities);
  if (guidance != nullptr) body += guidance_section(*guidance, data.classes.size());
  body += "<h2>Every epoch</h2>" + metric_table(records) + "<h2>Settings</h2>" + settings_table(config);
  return html_page(run.name, body);
}

}  // namespace procsim::train
