#include "taxonomy/export/tree_drawing.hpp"

#include <array>
#include <cmath>
#include <numbers>
#include <string>

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "data/base/keyed_random.hpp"
#include "taxonomy/tree/display_tree.hpp"
#include "tests/taxonomy/sample_trees.hpp"

namespace procsim::taxonomy {
namespace {

using test::birds;
using test::make_parts;
using testing::HasSubstr;
using testing::Not;

struct Point {
  double x, y;
};
using Box = std::array<Point, 4>;

// The rectangle that a label covers on the page, from the numbers that the drawing states.
Box label_box(const TreeDrawing& drawing, const TreeDrawing::Item& item) {
  constexpr double kAbove = 11, kOn = 5.5;  // how far letters of 11 px reach from the branch
  if (drawing.layout == Layout::kLayered) {
    const double top = item.label_above ? item.y - kAbove : item.y - kOn;
    const double bottom = item.label_above ? item.y - 1 : item.y + kOn;
    return {
        {{item.label_from, top}, {item.label_to, top}, {item.label_to, bottom}, {item.label_from, bottom}}};
  }
  const double angle = item.row * drawing.row_step - std::numbers::pi / 2;
  const double side =
      std::cos(angle) < -1e-9 ? 1 : -1;  // turned labels lie on the other side of their branch
  const double near = item.label_above ? side * 1 : -kOn, far = item.label_above ? side * kAbove : kOn;
  const auto at = [&](double along, double beside) {
    return Point{drawing.width / 2 + along * std::cos(angle) - beside * std::sin(angle),
                 drawing.height / 2 + along * std::sin(angle) + beside * std::cos(angle)};
  };
  return {at(item.label_from, near), at(item.label_to, near), at(item.label_to, far),
          at(item.label_from, far)};
}

// Separating axes: two convex shapes are apart when some edge's normal tells them apart.
bool overlap(const Box& a, const Box& b) {
  for (const auto* box : {&a, &b}) {
    for (std::size_t i = 0; i < 4; ++i) {
      const auto& from = (*box)[i];
      const auto& to = (*box)[(i + 1) % 4];
      const double nx = to.y - from.y, ny = from.x - to.x;
      const auto range = [&](const Box& shape) {
        double low = 1e300, high = -1e300;
        for (const auto& point : shape) {
          low = std::min(low, nx * point.x + ny * point.y);
          high = std::max(high, nx * point.x + ny * point.y);
        }
        return std::pair(low, high);
      };
      const auto [a_low, a_high] = range(a);
      const auto [b_low, b_high] = range(b);
      if (a_high <= b_low + 1e-6 || b_high <= a_low + 1e-6) return false;
    }
  }
  return true;
}

std::string first_overlap(const TreeDrawing& drawing) {
  std::vector<Box> boxes;
  for (const auto& item : drawing.items) boxes.push_back(label_box(drawing, item));
  for (std::size_t i = drawing.layout == Layout::kRadial ? 1 : 0; i < boxes.size(); ++i) {
    for (std::size_t j = i + 1; j < boxes.size(); ++j) {
      if (overlap(boxes[i], boxes[j])) return drawing.items[i].text + " and " + drawing.items[j].text;
    }
  }
  return "";
}

// Trees like those of real data sets: families of very different size, classes at any level, long names.
Taxonomy random_taxonomy(std::uint64_t seed, std::uint64_t nodes, std::uint64_t leaves) {
  auto draws = KeyedRandom(seed, "drawing-test").for_id(0);
  std::vector<std::pair<std::string, std::string>> edges, classes;
  const auto name = [](std::uint64_t i) {
    return i == 0 ? std::string("root") : fmt::format("family number {}", i);
  };
  for (std::uint64_t i = 1; i < nodes; ++i)
    edges.emplace_back(name(i), name(draws.below(std::min(i, 1 + draws.below(i)))));
  for (std::uint64_t i = 0; i < leaves; ++i) {
    classes.emplace_back(fmt::format("Class {} {}", i, std::string(draws.below(20), 'n')),
                         name(draws.below(nodes)));
  }
  return Taxonomy(make_parts(edges, classes));
}

TEST(TreeDrawing, KeepsLabelsApartInBothLayouts) {
  for (const auto& [nodes, leaves] : {std::pair{3, 5}, {20, 60}, {60, 200}, {150, 400}, {1, 30}, {30, 2}}) {
    for (std::uint64_t seed = 0; seed < 6; ++seed) {
      const auto taxonomy =
          random_taxonomy(seed, static_cast<std::uint64_t>(nodes), static_cast<std::uint64_t>(leaves));
      const auto tree = display_tree(taxonomy, Chains::kCollapse);
      EXPECT_EQ(first_overlap(lay_out(taxonomy, tree, Layout::kRadial)), "")
          << nodes << " " << leaves << " " << seed;
      EXPECT_EQ(first_overlap(lay_out(taxonomy, tree, Layout::kLayered)), "")
          << nodes << " " << leaves << " " << seed;
      const auto full = display_tree(taxonomy, Chains::kKeep);
      EXPECT_EQ(first_overlap(lay_out(taxonomy, full, Layout::kLayered)), "")
          << nodes << " " << leaves << " " << seed;
    }
  }
}

TEST(TreeDrawing, StaysOnThePage) {
  const auto taxonomy = random_taxonomy(1, 40, 150);
  const auto tree = display_tree(taxonomy, Chains::kCollapse);
  for (const auto layout : {Layout::kRadial, Layout::kLayered}) {
    const auto drawing = lay_out(taxonomy, tree, layout);
    for (const auto& item : drawing.items) {
      for (const auto& point : label_box(drawing, item)) {
        EXPECT_TRUE(point.x >= 0 && point.x <= drawing.width && point.y >= 0 && point.y <= drawing.height)
            << item.text;
      }
    }
  }
}

TEST(TreeDrawing, PutsLeavesOnTheOutsideInTreeOrder) {
  const auto taxonomy = birds();
  const auto tree = display_tree(taxonomy, Chains::kCollapse);
  const auto drawing = lay_out(taxonomy, tree, Layout::kRadial);
  double row = 0;
  for (std::size_t i = 0; i < tree.nodes.size(); ++i) {
    if (tree.nodes[i].label == ClassTree::kNone) {
      EXPECT_LT(drawing.items[i].across, drawing.items.back().across);
      continue;
    }
    EXPECT_DOUBLE_EQ(drawing.items[i].across, drawing.items.back().across);
    EXPECT_DOUBLE_EQ(drawing.items[i].row, row++);
  }
  EXPECT_DOUBLE_EQ(drawing.items[0].across, 0);
}

TEST(TreeSvg, HoldsEveryNameAsTextAndNoScript) {
  const Taxonomy taxonomy(make_parts({{"a & b", "top"}}, {{"<script>alert(1)</script>", "a & b"},
                                                          {"it's \"quoted\"", "a & b"},
                                                          {std::string("bell\x07", 5), "top"}}));
  const auto tree = display_tree(taxonomy, Chains::kCollapse);
  for (const auto layout : {Layout::kRadial, Layout::kLayered}) {
    const auto text = svg(taxonomy, tree, lay_out(taxonomy, tree, layout));
    EXPECT_THAT(text, HasSubstr(">&lt;script&gt;alert(1)&lt;/script&gt;</text>"));
    EXPECT_THAT(text, HasSubstr(">a &amp; b</text>"));
    EXPECT_THAT(text, Not(HasSubstr("<script")));
    EXPECT_THAT(text, Not(HasSubstr("\x07")));
    EXPECT_EQ(text, svg(taxonomy, tree, lay_out(taxonomy, tree, layout)));
  }
}

TEST(TreeSvg, DrawsASingleClass) {
  const Taxonomy taxonomy(make_parts({}, {{"only", "top"}}));
  const auto tree = display_tree(taxonomy, Chains::kCollapse);
  for (const auto layout : {Layout::kRadial, Layout::kLayered}) {
    EXPECT_THAT(svg(taxonomy, tree, lay_out(taxonomy, tree, layout)),
                testing::AllOf(HasSubstr(">only</text>"), Not(HasSubstr("nan"))));
  }
}

}  // namespace
}  // namespace procsim::taxonomy
