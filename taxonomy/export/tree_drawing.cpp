#include "taxonomy/export/tree_drawing.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

#include "data/base/letters.hpp"
#include "data/base/utf8.hpp"
#include "taxonomy/tree/display_tree.hpp"

namespace procsim::taxonomy {
namespace {

constexpr double kLineHeight = 14;   // between leaves
constexpr double kLabelHeight = 12;  // what an inner label needs
constexpr double kLeafBranch = 26;   // from a leaf to its parent's ring, at least
constexpr double kPadding = 12;      // between a label and the next ring
constexpr double kBesideLeaf = 6;    // between a leaf and its label
constexpr double kMargin = 16;
constexpr std::size_t kLongestInner = 36;
constexpr std::size_t kLongestLeaf = 64;

// Pixels that a text takes, a little more than Helvetica and about DejaVu Sans: drawings must not depend on
// the font that a viewer has.
double text_width(std::string_view text, double font_size) {
  double ems = 0;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const auto c = static_cast<unsigned char>(text[i]);
    if (is_continuation(text[i])) continue;
    if (c >= 0xE1)
      ems += 1.05;  // CJK, emoji
    else if (c >= 0x80)
      ems += 0.68;  // accented, Greek, Cyrillic
    else if (std::string_view("iljtfI.,;:'|!()[] -").find(text[i]) != std::string_view::npos)
      ems += 0.37;
    else if (std::string_view("mwMW@%").find(text[i]) != std::string_view::npos)
      ems += 0.95;
    else if (c >= 'A' && c <= 'Z')
      ems += 0.72;
    else
      ems += 0.61;
  }
  return ems * font_size;
}

struct Shape {
  std::vector<int> height;          // steps to the deepest leaf below
  std::vector<double> first, last;  // rows of the first and the last leaf below
  int leaves = 0;
};

Shape measure_shape(const ClassTree& tree) {
  Shape shape;
  const auto count = tree.nodes.size();
  shape.height.assign(count, 0);
  shape.first.assign(count, std::numeric_limits<double>::max());
  shape.last.assign(count, -1);
  for (std::size_t i = 0; i < count;
       ++i) {  // parents first and children in order: leaves appear in drawing order
    if (tree.nodes[i].label != ClassTree::kNone) shape.first[i] = shape.last[i] = shape.leaves++;
  }
  for (std::size_t i = count; i > 1; --i) {
    const auto parent = static_cast<std::size_t>(tree.nodes[i - 1].parent);
    shape.height[parent] = std::max(shape.height[parent], shape.height[i - 1] + 1);
    shape.first[parent] = std::min(shape.first[parent], shape.first[i - 1]);
    shape.last[parent] = std::max(shape.last[parent], shape.last[i - 1]);
  }
  return shape;
}

// For each ring the smallest number of rows between a label on it and the next label or branch that passes
// it.
std::vector<double> nearest_rows(const ClassTree& tree, const Shape& shape, const std::vector<double>& rows) {
  const auto rings = static_cast<std::size_t>(shape.height.front());
  std::vector<double> nearest(rings + 1, std::numeric_limits<double>::infinity());
  std::vector<double> previous(rings + 1, -1), opening(rings + 1, -1);
  std::vector<bool> previous_is_label(rings + 1, false), opening_is_label(rings + 1, false);
  std::vector<std::size_t> order(tree.nodes.size());
  for (std::size_t i = 0; i < order.size(); ++i) order[i] = i;
  std::ranges::stable_sort(order, {}, [&](std::size_t i) { return rows[i]; });
  for (const auto i : order) {
    if (i == 0) continue;
    const auto to = static_cast<std::size_t>(shape.height[static_cast<std::size_t>(tree.nodes[i].parent)]);
    for (auto ring = std::max<std::size_t>(1, static_cast<std::size_t>(shape.height[i])); ring < to; ++ring) {
      const bool is_label = static_cast<std::size_t>(shape.height[i]) == ring;
      if (previous[ring] < 0) {
        opening[ring] = rows[i];
        opening_is_label[ring] = is_label;
      } else if (is_label || previous_is_label[ring]) {
        nearest[ring] = std::min(nearest[ring], rows[i] - previous[ring]);
      }
      previous[ring] = rows[i];
      previous_is_label[ring] = is_label;
    }
  }
  for (std::size_t ring = 1; ring <= rings; ++ring) {  // around the circle
    const bool matters =
        previous[ring] > opening[ring] && (previous_is_label[ring] || opening_is_label[ring]);
    if (matters) nearest[ring] = std::min(nearest[ring], opening[ring] + shape.leaves - previous[ring]);
  }
  return nearest;
}

// The widest label on each ring.
std::vector<double> label_widths(const ClassTree& tree, const Shape& shape, const TreeDrawing& drawing) {
  std::vector<double> widths(static_cast<std::size_t>(shape.height.front()) + 1, 0);
  for (std::size_t i = 0; i < tree.nodes.size(); ++i) {
    auto& widest = widths[static_cast<std::size_t>(shape.height[i])];
    widest = std::max(widest, text_width(drawing.items[i].text, drawing.font_size));
  }
  return widths;
}

void name_items(const Taxonomy& taxonomy, const ClassTree& tree, TreeDrawing& drawing) {
  const auto family = families(tree);
  for (std::size_t i = 0; i < tree.nodes.size(); ++i) {
    const auto& node = tree.nodes[i];
    auto& item = drawing.items[i];
    const bool is_leaf = node.label != ClassTree::kNone;
    item.text =
        shortened(printable(taxonomy.display_name(node.origin)), is_leaf ? kLongestLeaf : kLongestInner);
    item.label_above = !is_leaf;
    item.family = family[i];
  }
}

void place_label(TreeDrawing::Item& item, double font_size) {
  const auto width = text_width(item.text, font_size);
  if (item.label_above) {
    item.label_to = item.across - 4;
    item.label_from = item.label_to - width;
  } else {
    item.label_from = item.across + kBesideLeaf;
    item.label_to = item.label_from + width;
  }
}

void place_radially(const ClassTree& tree, const Shape& shape, const std::vector<double>& widths,
                    TreeDrawing& drawing) {
  std::vector<double> rows;
  for (const auto& item : drawing.items) rows.push_back(item.row);
  const auto nearest = nearest_rows(tree, shape, rows);
  const auto root = static_cast<std::size_t>(shape.height.front());
  drawing.row_step = 2 * std::numbers::pi / shape.leaves;

  std::vector<double> radius(root + 1, 0);
  double inner = widths[root] / 2 + kPadding;  // the root's own label lies across the centre
  for (auto ring = root; ring-- > 0;) {
    if (ring == 0) {
      radius[0] = inner + kLeafBranch;
    } else {
      const double needed = kLabelHeight / (nearest[ring] * drawing.row_step);  // where the labels begin
      radius[ring] = std::max(inner, needed) + widths[ring] + kPadding;
      inner = radius[ring];
    }
  }
  const double slack = kLineHeight / drawing.row_step - radius[0];
  if (slack > 0 && root > 0) {
    for (std::size_t ring = 0; ring < root; ++ring) {
      radius[ring] += slack * static_cast<double>(root - ring) / static_cast<double>(root);
    }
  }
  const double size = 2 * (radius[0] + kBesideLeaf + widths[0] + kMargin);
  drawing.width = drawing.height = size;
  for (std::size_t i = 0; i < drawing.items.size(); ++i) {
    auto& item = drawing.items[i];
    item.across = radius[static_cast<std::size_t>(shape.height[i])];
    const double angle = item.row * drawing.row_step - std::numbers::pi / 2;
    item.x = size / 2 + item.across * std::cos(angle);
    item.y = size / 2 + item.across * std::sin(angle);
    place_label(item, drawing.font_size);
  }
}

void place_in_layers(const Shape& shape, const std::vector<double>& widths, TreeDrawing& drawing) {
  drawing.row_step = kLineHeight;
  const auto root = static_cast<std::size_t>(shape.height.front());
  std::vector<double> across(root + 1, 0);
  across[root] = kMargin + (root > 0 ? widths[root] + 4 : 0);
  for (auto ring = root; ring-- > 0;)
    across[ring] = across[ring + 1] + (ring == 0 ? kLeafBranch : widths[ring] + kPadding);
  drawing.width = across[0] + kBesideLeaf + widths[0] + kMargin;
  drawing.height = kLineHeight * shape.leaves + 2 * kMargin;
  for (std::size_t i = 0; i < drawing.items.size(); ++i) {
    auto& item = drawing.items[i];
    item.across = item.x = across[static_cast<std::size_t>(shape.height[i])];
    item.y = kMargin + kLineHeight * (item.row + 0.5);
    place_label(item, drawing.font_size);
  }
}

}  // namespace

TreeDrawing lay_out(const Taxonomy& taxonomy, const ClassTree& tree, Layout layout) {
  TreeDrawing drawing;
  drawing.layout = layout;
  drawing.items.resize(tree.nodes.size());
  name_items(taxonomy, tree, drawing);
  const auto shape = measure_shape(tree);
  for (std::size_t i = 0; i < tree.nodes.size(); ++i)
    drawing.items[i].row = (shape.first[i] + shape.last[i]) / 2;
  const auto widths = label_widths(tree, shape, drawing);
  if (layout == Layout::kRadial) {
    place_radially(tree, shape, widths, drawing);
  } else {
    place_in_layers(shape, widths, drawing);
  }
  return drawing;
}

}  // namespace procsim::taxonomy
