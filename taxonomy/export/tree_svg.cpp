#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>

#include <fmt/format.h>

#include "data/base/markup.hpp"
#include "taxonomy/export/tree_drawing.hpp"
#include "taxonomy/export/tree_export.hpp"

namespace procsim::taxonomy {
namespace {

// Distinct for people with any colour vision when next to each other, dark enough for text on white.
constexpr std::array<std::string_view, 10> kFamilyColours{"#1f6fb2", "#b8470f", "#2d7f3e", "#8a4fa3",
                                                          "#97700a", "#b3345b", "#0d7f80", "#5a5fc8",
                                                          "#7a5a3a", "#4b7a12"};
constexpr std::string_view kPlainColour = "#5f6670";  // outside of all families

struct Point {
  double x = 0, y = 0;
};

class Drawer {
 public:
  Drawer(const Taxonomy& taxonomy, const ClassTree& tree, const TreeDrawing& drawing)
      : taxonomy_(taxonomy), tree_(tree), drawing_(drawing) {
    for (const auto& item : drawing.items) last_family_ = std::max(last_family_, item.family);
  }

  std::string draw() {
    open();
    text_ += "<g class=\"branches\">\n";
    for (std::size_t i = 0; i < tree_.nodes.size(); ++i) {
      stem(i);
      branch(i);
    }
    text_ += "</g>\n<g class=\"nodes\">\n";
    for (std::size_t i = tree_.nodes.size(); i > 0; --i) node(i - 1);  // the root last, on top
    text_ += "</g>\n</svg>\n";
    return std::move(text_);
  }

 private:
  bool is_class(std::size_t i) const { return tree_.nodes[i].label != ClassTree::kNone; }
  bool is_radial() const { return drawing_.layout == Layout::kRadial; }
  double angle(std::size_t i) const {
    return drawing_.items[i].row * drawing_.row_step - std::numbers::pi / 2;
  }

  std::string_view colour(std::size_t i) const {
    const auto family = drawing_.items[i].family;
    if (family < 0) return kPlainColour;
    auto which = static_cast<std::size_t>(family) % kFamilyColours.size();
    // The last family lies beside the first one on the circle.
    if (which == 0 && family > 0 && family == last_family_) which = kFamilyColours.size() / 2;
    return kFamilyColours[which];
  }

  void open() {
    const auto name = markup_text(taxonomy_.dataset());
    text_ += fmt::format(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{0:.0f}\" height=\"{1:.0f}\" viewBox=\"0 0 "
        "{0:.0f} {1:.0f}\" "
        "role=\"img\">\n<title>{2}: {3} classes</title>\n",
        drawing_.width, drawing_.height, name, taxonomy_.class_count());
    text_ += fmt::format(
        "<style>\n"
        "text {{ font: {:g}px Helvetica, Arial, 'Liberation Sans', 'DejaVu Sans', sans-serif; fill: #1d2126; "
        "}}\n"
        ".inner {{ font-style: italic; paint-order: stroke; stroke: #fff; stroke-width: 3px; }}\n"
        ".root {{ font-weight: bold; paint-order: stroke; stroke: #fff; stroke-width: 5px; }}\n"
        ".branches path {{ fill: none; stroke-width: 1.2; }}\n"
        "</style>\n<rect width=\"100%\" height=\"100%\" fill=\"#fff\"/>\n",
        drawing_.font_size);
  }

  Point on_ring(double radius, double row) const {
    const double turned = row * drawing_.row_step - std::numbers::pi / 2;
    return {drawing_.width / 2 + radius * std::cos(turned), drawing_.height / 2 + radius * std::sin(turned)};
  }

  // From one row to another on a ring.
  std::string arc(double radius, double from_row, double to_row) const {
    if (from_row == to_row || radius == 0) return {};
    const auto from = on_ring(radius, from_row), to = on_ring(radius, to_row);
    const double turn = (to_row - from_row) * drawing_.row_step;
    return fmt::format("M{0:.1f},{1:.1f}A{2:.1f},{2:.1f} 0 {3} {4} {5:.1f},{6:.1f}", from.x, from.y, radius,
                       std::abs(turn) > std::numbers::pi ? 1 : 0, turn > 0 ? 1 : 0, to.x, to.y);
  }

  // What an inner node's children share: a line along its ring or column, from the first to the last of them.
  void stem(std::size_t i) {
    if (is_class(i)) return;
    const auto& node = drawing_.items[i];
    const auto& first = drawing_.items[static_cast<std::size_t>(tree_.nodes[i].children.front())];
    const auto& last = drawing_.items[static_cast<std::size_t>(tree_.nodes[i].children.back())];
    const auto path = is_radial()
                          ? arc(node.across, first.row, node.row) + arc(node.across, node.row, last.row)
                          : fmt::format("M{:.1f},{:.1f}V{:.1f}", node.x, first.y, last.y);
    if (!path.empty()) text_ += fmt::format("<path d=\"{}\" stroke=\"{}\"/>\n", path, colour(i));
  }

  // From the parent's ring or column straight to the node.
  void branch(std::size_t i) {
    if (i == 0) return;
    const auto& parent = drawing_.items[static_cast<std::size_t>(tree_.nodes[i].parent)];
    const auto& node = drawing_.items[i];
    const auto from = is_radial() ? on_ring(parent.across, node.row) : Point{parent.x, node.y};
    text_ += fmt::format("<path d=\"M{:.1f},{:.1f}L{:.1f},{:.1f}\" stroke=\"{}\"/>\n", from.x, from.y, node.x,
                         node.y, colour(i));
  }

  std::string tooltip(std::size_t i) const {
    if (is_class(i)) {
      const auto& c = taxonomy_.class_at(tree_.nodes[i].label);
      return markup_text(fmt::format("{} (class {}, below {})", c.name, tree_.nodes[i].label, c.node));
    }
    const auto& origin = taxonomy_.node(tree_.nodes[i].origin);
    return markup_text(origin.gloss.empty() ? origin.id : fmt::format("{}: {}", origin.id, origin.gloss));
  }

  void node(std::size_t i) {
    const auto& item = drawing_.items[i];
    text_ += fmt::format("<g><title>{}</title>", tooltip(i));
    if (!is_class(i)) {
      text_ += fmt::format("<circle cx=\"{:.1f}\" cy=\"{:.1f}\" r=\"2.5\" fill=\"{}\"/>", item.x, item.y,
                           colour(i));
    }
    label(i);
    text_ += "</g>\n";
  }

  void label(std::size_t i) {
    const auto& item = drawing_.items[i];
    const auto text = markup_text(item.text);
    if (is_radial() && i == 0 && !is_class(0)) {
      text_ += fmt::format("<text class=\"root\" x=\"{:.1f}\" y=\"{:.1f}\" text-anchor=\"middle\">{}</text>",
                           item.x, item.y - 5, text);
      return;
    }
    const char* style = i == 0 ? "root" : item.label_above ? "inner" : "leaf";
    const auto fill =
        item.label_above && i > 0 ? fmt::format(" style=\"fill:{}\"", colour(i)) : std::string{};
    const double lift = item.label_above && i > 0 ? -3.5 : 3.8;  // above the branch, or centred on it
    if (!is_radial()) {
      text_ += fmt::format("<text class=\"{}\" x=\"{:.1f}\" y=\"{:.1f}\"{}>{}</text>", style, item.label_from,
                           item.y + lift, fill, text);
      return;
    }
    const double centre = drawing_.width / 2;
    const bool turned =
        std::cos(angle(i)) < -1e-9;  // left half: turn round so that no text stands on its head
    const double degrees = angle(i) * 180 / std::numbers::pi + (turned ? 180 : 0);
    // Anchored at the node's end, so that a viewer's other font changes only the free end.
    const bool anchor_end = item.label_above != turned;
    const double x = (turned ? -1 : 1) * (item.label_above ? item.label_to : item.label_from);
    text_ += fmt::format(
        "<text class=\"{}\" transform=\"translate({:.1f} {:.1f}) rotate({:.2f})\" x=\"{:.1f}\" "
        "y=\"{:.1f}\"{}{}>{}</text>",
        style, centre, centre, degrees, x, lift, anchor_end ? " text-anchor=\"end\"" : "", fill, text);
  }

  const Taxonomy& taxonomy_;
  const ClassTree& tree_;
  const TreeDrawing& drawing_;
  std::int32_t last_family_ = -1;
  std::string text_;
};

}  // namespace

std::string svg(const Taxonomy& taxonomy, const ClassTree& tree, const TreeDrawing& drawing) {
  return Drawer(taxonomy, tree, drawing).draw();
}

}  // namespace procsim::taxonomy
