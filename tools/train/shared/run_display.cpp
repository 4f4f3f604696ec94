#include "tools/train/shared/run_display.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "tools/program/print_safely.hpp"

namespace procsim::tools {
namespace {

std::string duration(double seconds) {
  const auto whole = static_cast<std::int64_t>(std::lround(seconds));
  if (whole < 3600) return fmt::format("{}:{:02}", whole / 60, whole % 60);
  return fmt::format("{}:{:02}:{:02}", whole / 3600, whole / 60 % 60, whole % 60);
}

}  // namespace

void draw_step(const train::StepReport& step) {
  constexpr int width = 20;
  const int filled = static_cast<int>(width * step.step / std::max<std::int64_t>(1, step.steps));
  std::string means;
  for (const auto& [quantity, mean] : step.means)
    if (!quantity->symbol.empty()) means += fmt::format("  {} {:.3f}", quantity->symbol, mean);
  fmt::print(stderr, "\r\033[Kepoch {}/{} [{:=<{}}{: <{}}] {:.0f} images/s  loss {:.4f}{}  {} left",
             step.epoch, step.epochs, "", filled, "", width - filled, step.images_per_second, step.loss,
             means, duration(step.seconds_left));
}

std::string epoch_line(const train::EpochRecord& record, std::span<const train::Quantity> quantities,
                       const train::TrainConfig& config) {
  std::string line = record.epoch == 0 ? "start    " : fmt::format("epoch {:<3}", record.epoch);
  const auto add = [&](const std::string& metric, std::string_view shown) {
    if (const double* value = record.find(metric)) line += fmt::format("  {} {:.4f}", shown, *value);
  };
  add("loss", "loss");
  for (const auto& quantity : quantities)
    if (!quantity.symbol.empty()) add(quantity.name, quantity.symbol);
  add("detection_auroc", "AUROC");
  if (!config.recall_at.empty()) {
    const auto first = "recall@" + std::to_string(config.recall_at.front());
    add(first, first);
  }
  add("map@r", "mAP@R");
  return line;
}

void print_result(const GlobalOptions& global, const RunPlan& plan, const train::TrainResult& result) {
  const auto& last = result.records.back();
  const auto& best = *std::find_if(result.records.begin(), result.records.end(),
                                   [&](const auto& record) { return record.epoch == result.best_epoch; });
  if (global.json) {
    nlohmann::ordered_json json{{"run", plan.record.name},
                                {"folder", plan.files.folder.string()},
                                {"scores", plan.files.scores().string()},
                                {"epochs", last.epoch},
                                {"best_epoch", result.best_epoch}};
    for (const auto& [name, value] : last.metrics) json["last"][name] = value;
    for (const auto& [name, value] : best.metrics) json["best"][name] = value;
    fmt::print("{}\n", json.dump());
    return;
  }
  print_safely("run     {}\n", plan.record.name);
  if (!plan.config.recall_at.empty()) {
    const auto metric = "recall@" + std::to_string(plan.config.recall_at.front());
    if (last.find(metric) != nullptr)
      print_safely("{}  {:.4f} last (epoch {}), {:.4f} best (epoch {})\n", metric, *last.find(metric),
                   last.epoch, *best.find(metric), best.epoch);
  }
  print_safely("scores  {}\npage    {}\n", plan.files.scores().string(), plan.files.page().string());
}

}  // namespace procsim::tools
