#include "taxonomy/export/tree_text.hpp"

#include <algorithm>
#include <set>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "data/base/letters.hpp"
#include "taxonomy/tree/display_tree.hpp"

namespace procsim::taxonomy {
namespace {

// A line is as long as its node is deep: a chain of 100,000 nodes would take gigabytes.
constexpr std::uint32_t kDeepestShown = 500;

std::set<std::int32_t> path_to(const ClassTree& tree, std::int32_t label) {
  std::set<std::int32_t> path;
  for (auto index = tree.leaf_of.at(static_cast<std::size_t>(label)); index != ClassTree::kNone;
       index = tree.nodes[static_cast<std::size_t>(index)].parent) {
    path.insert(index);
  }
  return path;
}

}  // namespace

std::string tree_text(const Taxonomy& taxonomy, const ClassTree& tree, const TreeTextOptions& options) {
  struct Line {
    std::int32_t index;
    std::uint32_t level;
    bool last;
    std::string before;  // what stands left of the children's branches
  };
  const auto counts = count_classes(tree);
  std::set<std::int32_t> open;
  if (options.path_to) open = path_to(tree, *options.path_to);

  std::string text;
  std::vector<Line> waiting{{options.from, 0, true, ""}};
  while (!waiting.empty()) {
    const auto line = std::move(waiting.back());
    waiting.pop_back();
    const auto& node = tree.nodes[static_cast<std::size_t>(line.index)];
    const bool is_top = line.level == 0;
    if (!is_top) text += line.before + (line.last ? "└── " : "├── ");
    text += printable(taxonomy.display_name(node.origin));
    if (node.label != ClassTree::kNone) {
      text += options.path_to == node.label ? "  ◀\n" : "\n";
      continue;
    }
    const bool opened = line.level < std::min(options.depth.value_or(kDeepestShown), kDeepestShown) &&
                        (!options.path_to || open.count(line.index) > 0);
    const auto count = counts[static_cast<std::size_t>(line.index)];
    text += fmt::format(" ({} {}){}\n", count, count == 1 ? "class" : "classes", opened ? "" : " …");
    if (!opened) continue;
    const auto before = is_top ? std::string{} : line.before + (line.last ? "    " : "│   ");
    for (std::size_t i = node.children.size(); i > 0; --i) {
      waiting.push_back({node.children[i - 1], line.level + 1, i == node.children.size(), before});
    }
  }
  return text;
}

}  // namespace procsim::taxonomy
