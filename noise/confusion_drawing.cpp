#include "noise/confusion_drawing.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <map>
#include <unordered_map>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "data/base/letters.hpp"
#include "data/base/markup.hpp"
#include "data/files/table.hpp"
#include "taxonomy/tree/class_tree.hpp"

namespace procsim::noise {
namespace {

constexpr double kSide = 840;  // of the matrix, in pixels
constexpr double kLeft = 190;  // room for names
constexpr double kTop = 84;    // room for the title and the key
constexpr double kRight = 24;
constexpr double kBottom = 40;
constexpr double kSmallestText = 7.5;

// Light to dark, for shares of a true class above the bounds. One hue, so that darkness alone carries the
// order.
struct Shade {
  double above;
  const char* colour;
};
constexpr std::array<Shade, 6> kShades{{{0.0, "#c6dbef"},
                                        {0.01, "#9ecae1"},
                                        {0.03, "#6baed6"},
                                        {0.1, "#3182bd"},
                                        {0.3, "#08519c"},
                                        {0.6, "#08306b"}}};
constexpr const char* kDiagonal = "#d9d9d9";

const std::string& name_of(const ConfusionCounts& counts, std::int32_t label) {
  return counts.info.classes[static_cast<std::size_t>(label)].name;
}

std::map<std::int32_t, std::int64_t> totals_by_truth(const ConfusionCounts& counts) {
  std::map<std::int32_t, std::int64_t> totals;
  for (const auto& [pair, count] : counts.pairs) totals[pair.first] += count;
  return totals;
}

struct Cell {
  std::size_t row = 0, column = 0;
  std::int32_t truth = 0, given = 0;
  std::int64_t count = 0;
  double share = 0;
};

// In reading order.
std::vector<Cell> cells_of(const ConfusionCounts& counts, const ClassOrder& order) {
  std::unordered_map<std::int32_t, std::size_t> place;
  for (std::size_t i = 0; i < order.labels.size(); ++i) place[order.labels[i]] = i;
  const auto totals = totals_by_truth(counts);
  std::vector<Cell> cells;
  for (const auto& [pair, count] : counts.pairs) {
    cells.push_back({place.at(pair.first), place.at(pair.second), pair.first, pair.second, count,
                     static_cast<double>(count) / static_cast<double>(totals.at(pair.first))});
  }
  std::sort(cells.begin(), cells.end(), [](const auto& a, const auto& b) {
    return std::pair(a.row, a.column) < std::pair(b.row, b.column);
  });
  return cells;
}

// Two digits after the point are a hundredth of a pixel.
std::string pixels(double value) { return fmt::format("{:g}", std::round(value * 100) / 100); }

std::string square(double x, double y, double size) {
  return fmt::format("M{} {}h{}v{}h-{}z", pixels(x), pixels(y), pixels(size), pixels(size), pixels(size));
}

class Drawing {
 public:
  Drawing(const ConfusionCounts& counts, const ClassOrder& order)
      : counts_(counts), order_(order), cell_(kSide / static_cast<double>(order.labels.size())) {}

  std::string svg() {
    out_ = fmt::format(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {0} {1}\" width=\"{0}\" height=\"{1}\" "
        "font-family=\"Helvetica, Arial, sans-serif\" role=\"img\">\n<rect width=\"100%\" height=\"100%\" "
        "fill=\"#fff\"/>\n",
        kLeft + kSide + kRight, kTop + kSide + kBottom);
    title();
    key();
    cells();
    frames();
    names();
    out_ += fmt::format(
        "<rect x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\" fill=\"none\" stroke=\"#333\" "
        "stroke-width=\"1\"/>\n",
        kLeft, kTop, kSide, kSide);
    out_ += "</svg>\n";
    return std::move(out_);
  }

 private:
  void text(double x, double y, double size, std::string_view words, std::string_view more = {}) {
    out_ += fmt::format("<text x=\"{}\" y=\"{}\" font-size=\"{}\"{}{}>{}</text>\n", pixels(x), pixels(y),
                        pixels(size), more.empty() ? "" : " ", more, markup_text(words));
  }

  void title() {
    const auto compared = counts_.compared();
    const auto wrong = counts_.wrong();
    const auto& provenance = counts_.info.provenance;
    const auto made = provenance.contains("summary") && provenance.at("summary").is_string()
                          ? " · " + provenance.at("summary").get<std::string>()
                          : "";
    text(
        kLeft, 26, 17,
        fmt::format("{} · {}{} · {} of {} labels wrong ({:.1f} %)", counts_.info.dataset, counts_.split, made,
                    wrong, compared,
                    compared == 0 ? 0.0 : 100.0 * static_cast<double>(wrong) / static_cast<double>(compared)),
        "font-weight=\"bold\" fill=\"#222\"");
    text(kLeft + kSide / 2, kTop + kSide + 24, 13, "given label", "text-anchor=\"middle\" fill=\"#444\"");
    text(16, kTop + kSide / 2, 13, "true class",
         fmt::format("text-anchor=\"middle\" fill=\"#444\" transform=\"rotate(-90 16 {})\"",
                     pixels(kTop + kSide / 2)));
  }

  void key() {
    double x = kLeft;
    const auto entry = [&](const char* colour, const std::string& words) {
      out_ += fmt::format("<rect x=\"{}\" y=\"42\" width=\"13\" height=\"13\" fill=\"{}\"/>\n", pixels(x),
                          colour);
      text(x + 18, 53, 11.5, words, "fill=\"#444\"");
      x += 32 + 6.3 * static_cast<double>(words.size());
    };
    entry(kDiagonal, "right label");
    text(x, 53, 11.5, "wrong, share of the true class:", "fill=\"#444\"");
    x += 192;
    for (std::size_t i = 0; i < kShades.size(); ++i) {
      entry(kShades[i].colour, i + 1 < kShades.size() ? fmt::format("{:g}-{:g} %", 100 * kShades[i].above,
                                                                    100 * kShades[i + 1].above)
                                                      : fmt::format("> {:g} %", 100 * kShades[i].above));
    }
  }

  void cells() {
    std::array<std::string, kShades.size() + 1> paths;
    const double drawn = std::max(cell_, 0.9);  // thousands of classes: a cell stays visible
    for (const auto& cell : cells_of(counts_, order_)) {
      std::size_t shade = kShades.size();
      if (cell.row != cell.column) {
        shade = 0;
        while (shade + 1 < kShades.size() && cell.share > kShades[shade + 1].above) ++shade;
      }
      paths[shade] += square(kLeft + cell_ * static_cast<double>(cell.column),
                             kTop + cell_ * static_cast<double>(cell.row), drawn);
    }
    for (std::size_t shade = 0; shade < paths.size(); ++shade) {
      if (paths[shade].empty()) continue;
      out_ += fmt::format("<path fill=\"{}\" d=\"{}\"/>\n",
                          shade == kShades.size() ? kDiagonal : kShades[shade].colour, paths[shade]);
    }
  }

  void frames() {
    std::string outer, inner;
    for (const auto& group : order_.groups) {
      const double start = cell_ * static_cast<double>(group.begin);
      const double size = cell_ * static_cast<double>(group.end - group.begin);
      (group.depth == 1 ? outer : inner) += square(kLeft + start, kTop + start, size);
    }
    if (!inner.empty()) {
      out_ += fmt::format("<path fill=\"none\" stroke=\"#bdbdbd\" stroke-width=\"0.6\" d=\"{}\"/>\n", inner);
    }
    if (!outer.empty()) {
      out_ += fmt::format("<path fill=\"none\" stroke=\"#e6550d\" stroke-width=\"1.2\" d=\"{}\"/>\n", outer);
    }
  }

  // Class names where there is room for each; else the names of the outer groups that have room.
  void names() {
    const double size = std::min(12.0, cell_ * 0.9);
    if (size >= kSmallestText) {
      for (std::size_t i = 0; i < order_.labels.size(); ++i) {
        text(kLeft - 6, kTop + cell_ * (static_cast<double>(i) + 0.5) + size * 0.35, size,
             shortened(name_of(counts_, order_.labels[i]), 27), "text-anchor=\"end\" fill=\"#333\"");
      }
      return;
    }
    double free_from = kTop;
    for (const auto& group : order_.groups) {
      if (group.depth != 1) continue;
      const double middle = kTop + cell_ * static_cast<double>(group.begin + group.end) / 2;
      if (middle - 6 < free_from) continue;
      text(kLeft - 6, middle + 4, 11, shortened(group.name, 25), "text-anchor=\"end\" fill=\"#333\"");
      free_from = middle + 7;
    }
  }

  const ConfusionCounts& counts_;
  const ClassOrder& order_;
  double cell_;
  std::string out_;
};

std::string top_errors(const ConfusionCounts& counts, const ClassOrder& order) {
  auto cells = cells_of(counts, order);
  std::erase_if(cells, [](const auto& cell) { return cell.row == cell.column; });
  std::stable_sort(cells.begin(), cells.end(),
                   [](const auto& a, const auto& b) { return a.count > b.count; });
  if (cells.size() > 25) cells.resize(25);
  std::string rows;
  for (const auto& cell : cells) {
    rows += fmt::format("<tr><td>{}</td><td>{}</td><td>{}</td><td>{:.1f} %</td></tr>\n",
                        markup_text(name_of(counts, cell.truth)), markup_text(name_of(counts, cell.given)),
                        cell.count, 100 * cell.share);
  }
  return rows;
}

}  // namespace

ClassOrder order_classes(const ConfusionCounts& counts, const taxonomy::Taxonomy* taxonomy) {
  ClassOrder order;
  const auto classes = counts.classes();
  if (taxonomy == nullptr || classes.empty()) {
    order.labels = classes;
    return order;
  }
  const auto tree = taxonomy::prune(*taxonomy, classes);
  const std::function<void(std::int32_t, std::int32_t)> visit = [&](std::int32_t index, std::int32_t depth) {
    const auto& node = tree.nodes[static_cast<std::size_t>(index)];
    if (node.children.empty()) {
      order.labels.push_back(node.label);
      return;
    }
    const auto group = order.groups.size();
    order.groups.push_back({std::string(taxonomy->display_name(node.origin)), order.labels.size(), 0, depth});
    for (const auto child : node.children) visit(child, depth + 1);
    order.groups[group].end = order.labels.size();
  };
  visit(0, 0);
  std::erase_if(order.groups, [](const auto& group) { return group.depth == 0; });
  return order;
}

std::string confusion_csv(const ConfusionCounts& counts, const ClassOrder& order) {
  std::string out = "true_label,true_class,label,class,count,share\n";
  for (const auto& cell : cells_of(counts, order)) {
    out += fmt::format("{},{},{},{},{},{:.6f}\n", cell.truth, csv_field(name_of(counts, cell.truth)),
                       cell.given, csv_field(name_of(counts, cell.given)), cell.count, cell.share);
  }
  return out;
}

std::string confusion_svg(const ConfusionCounts& counts, const ClassOrder& order) {
  return Drawing(counts, order).svg();
}

std::string confusion_html(const ConfusionCounts& counts, const ClassOrder& order) {
  nlohmann::ordered_json names = nlohmann::ordered_json::array();
  for (const auto label : order.labels) names.push_back(name_of(counts, label));
  nlohmann::ordered_json cells = nlohmann::ordered_json::array();
  for (const auto& cell : cells_of(counts, order)) cells.push_back({cell.row, cell.column, cell.count});
  const auto safe = [](const nlohmann::ordered_json& json) {
    auto text = json.dump(-1, ' ', false, nlohmann::ordered_json::error_handler_t::replace);
    for (std::size_t at = 0; (at = text.find("</", at)) != std::string::npos; at += 3)
      text.replace(at, 2, "<\\/");
    return text;
  };
  return fmt::format(R"html(<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>{0}: confusion</title>
<style>
body{{margin:24px;font:14px Helvetica,Arial,sans-serif;color:#222;background:#fff}}
figure{{margin:0;position:relative;display:inline-block}}
#tip{{position:fixed;display:none;padding:6px 9px;background:#222;color:#fff;border-radius:4px;font-size:12px;
pointer-events:none;max-width:340px}}
table{{border-collapse:collapse;margin-top:16px}}th,td{{padding:3px 14px 3px 0;text-align:left}}
td:nth-child(n+3){{text-align:right;font-variant-numeric:tabular-nums}}tr+tr{{border-top:1px solid #ddd}}
</style></head><body>
<figure>{1}</figure><div id="tip"></div>
<h2>Most frequent errors</h2>
<table><tr><th>true class</th><th>label</th><th>samples</th><th>share</th></tr>
{2}</table>
<script>
const names={3},cells={4},n=names.length,left={5},top_={6},side={7};
const counts=new Map(cells.map(c=>[c[0]*n+c[1],c[2]]));
const picture=document.querySelector('svg'),tip=document.getElementById('tip');
picture.addEventListener('mousemove',e=>{{
  const box=picture.getBoundingClientRect(),scale=picture.viewBox.baseVal.width/box.width;
  const column=Math.floor(((e.clientX-box.left)*scale-left)/side*n),row=Math.floor(((e.clientY-box.top)*scale-top_)/side*n);
  if(row<0||column<0||row>=n||column>=n){{tip.style.display='none';return}}
  tip.textContent=names[row]+' → '+names[column]+': '+(counts.get(row*n+column)||0);
  tip.style.display='block';tip.style.left=(e.clientX+14)+'px';tip.style.top=(e.clientY+14)+'px';
}});
picture.addEventListener('mouseleave',()=>tip.style.display='none');
</script></body></html>
)html",
                     markup_text(counts.info.dataset), confusion_svg(counts, order),
                     top_errors(counts, order), safe(names), safe(cells), kLeft, kTop, kSide);
}

}  // namespace procsim::noise
