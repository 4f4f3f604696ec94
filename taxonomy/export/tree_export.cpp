#include "taxonomy/export/tree_export.hpp"

#include <algorithm>
#include <unordered_set>
#include <vector>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "data/base/letters.hpp"
#include "data/base/markup.hpp"
#include "taxonomy/tree/display_tree.hpp"

namespace procsim::taxonomy {
namespace {

// Indentation is for people; deeper than anybody reads it would make a file grow with the square of the
// depth.
constexpr std::size_t kDeepestIndented = 100;

using nlohmann::ordered_json;

const ClassTree::Node& at(const ClassTree& tree, std::int32_t index) {
  return tree.nodes[static_cast<std::size_t>(index)];
}
bool is_class(const ClassTree::Node& node) { return node.label != ClassTree::kNone; }

std::string json_text(std::string_view text) { return ordered_json(text).dump(); }

std::string dot_text(std::string_view text) {
  std::string quoted = "\"";
  for (const char c : printable(text)) {
    if (c == '"' || c == '\\') quoted += '\\';
    if (c == '&') {  // Graphviz reads HTML entities in labels
      quoted += "&amp;";
    } else {
      quoted += c;
    }
  }
  return quoted + "\"";
}

std::string newick_text(std::string_view text) {
  constexpr std::string_view kPlain = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789.-";
  if (!text.empty() && text.find_first_not_of(kPlain) == std::string_view::npos) return std::string(text);
  std::string quoted = "'";
  for (const char c : text) quoted += c == '\'' ? std::string("''") : std::string(1, c);
  return quoted + "'";
}

}  // namespace

std::string nested_json(const Taxonomy& taxonomy, const ClassTree& tree, std::int32_t from) {
  std::string text;
  walk(
      tree, from,
      [&](std::int32_t index, bool) {
        const auto& node = at(tree, index);
        if (is_class(node)) {
          const auto& c = taxonomy.class_at(node.label);
          text += fmt::format("{{\"name\": {}, \"label\": {}, \"published\": {}", json_text(c.name),
                              node.label, json_text(c.published));
          return;
        }
        const auto& origin = taxonomy.node(node.origin);
        text += fmt::format("{{\"name\": {}, \"id\": {}, \"gloss\": {}, \"children\": [\n",
                            json_text(taxonomy.display_name(node.origin)), json_text(origin.id),
                            json_text(origin.gloss));
      },
      [&](std::int32_t index, bool is_last) {
        text += is_class(at(tree, index)) ? "}" : "]}";
        text += is_last || index == from ? "\n" : ",\n";
      });
  return text;
}

std::string dot_graph(const Taxonomy& taxonomy, const ClassTree& tree) {
  std::string text =
      fmt::format("digraph {} {{\n  rankdir=LR;\n  node [fontname=\"Helvetica\", fontsize=10];\n",
                  dot_text(taxonomy.dataset()));
  std::vector<std::int32_t> shown(taxonomy.node_count(), ClassTree::kNone);
  for (std::size_t i = 0; i < tree.nodes.size(); ++i) {
    const auto& node = tree.nodes[i];
    if (!is_class(node)) shown[node.origin] = static_cast<std::int32_t>(i);
    text += fmt::format("  n{} [label={}, shape={}];\n", i, dot_text(taxonomy.display_name(node.origin)),
                        is_class(node) ? "box" : "ellipse");
  }
  for (std::size_t i = 0; i < tree.nodes.size(); ++i) {
    const auto& node = tree.nodes[i];
    if (node.parent != ClassTree::kNone) text += fmt::format("  n{} -> n{};\n", node.parent, i);
    if (is_class(node)) continue;
    for (const auto parent : taxonomy.parents(node.origin)) {
      const bool is_further = taxonomy.parent(node.origin) != parent && shown[parent] != ClassTree::kNone;
      if (is_further)
        text += fmt::format("  n{} -> n{} [style=dashed, constraint=false];\n", shown[parent], i);
    }
  }
  return text + "}\n";
}

std::string newick(const Taxonomy& taxonomy, const ClassTree& tree) {
  std::string text;
  walk(
      tree, 0,
      [&](std::int32_t index, bool) {
        if (!is_class(at(tree, index))) text += '(';
      },
      [&](std::int32_t index, bool is_last) {
        const auto& node = at(tree, index);
        if (!is_class(node)) text += ')';
        text += newick_text(taxonomy.display_name(node.origin));
        if (node.parent == ClassTree::kNone) return;
        text +=
            fmt::format(":{}", taxonomy.depth(node.origin) - taxonomy.depth(at(tree, node.parent).origin));
        if (!is_last) text += ',';
      });
  return text + ";\n";
}

std::string label_studio_config(const Taxonomy& taxonomy, const ClassTree& tree) {
  std::string text =
      "<View>\n"
      "  <Image name=\"image\" value=\"$image\"/>\n"
      "  <Taxonomy name=\"class\" toName=\"image\" leafsOnly=\"true\" maxUsages=\"1\" showFullPath=\"true\" "
      "pathSeparator=\" › \">\n";
  std::size_t level = 2;
  const auto indentation = [&level] { return std::string(2 * std::min(level, kDeepestIndented), ' '); };
  walk(
      tree, 0,
      [&](std::int32_t index, bool) {
        const auto& node = at(tree, index);
        text += indentation();
        ++level;
        text += fmt::format("<Choice value=\"{}\"", markup_text(taxonomy.display_name(node.origin)));
        if (!is_class(node)) {
          text += ">\n";
          return;
        }
        const auto& published = taxonomy.class_at(node.label).published;
        if (!published.empty()) text += fmt::format(" alias=\"{}\"", markup_text(published));
        text += "/>\n";
      },
      [&](std::int32_t index, bool) {
        --level;
        if (is_class(at(tree, index))) return;
        text += indentation();
        text += "</Choice>\n";
      });
  return text + "  </Taxonomy>\n</View>\n";
}

std::string datumaro_categories(const Taxonomy& taxonomy, const ClassTree& tree) {
  std::unordered_set<std::string> taken;
  const auto unique_name = [&](const std::string& wanted, const std::string& otherwise, std::size_t number) {
    for (const auto& name : {wanted, otherwise, fmt::format("{} #{}", wanted, number)}) {
      if (!name.empty() && taken.insert(name).second) return name;
    }
    auto name = fmt::format("{} #{}", wanted, number);
    while (!taken.insert(name).second) name += '\'';
    return name;
  };
  std::vector<std::string> names(tree.nodes.size());
  std::vector<std::size_t> order;  // classes by label, then inner nodes
  for (std::int32_t label = 0; label < taxonomy.class_count(); ++label) {
    order.push_back(static_cast<std::size_t>(tree.leaf_of[static_cast<std::size_t>(label)]));
    const auto& c = taxonomy.class_at(label);
    names[order.back()] = unique_name(c.name, c.published, static_cast<std::size_t>(label));
  }
  for (std::size_t i = 0; i < tree.nodes.size(); ++i) {
    if (is_class(tree.nodes[i])) continue;
    order.push_back(i);
    const auto origin = tree.nodes[i].origin;
    names[i] = unique_name(std::string(taxonomy.display_name(origin)), taxonomy.node(origin).id, i);
  }
  ordered_json labels = ordered_json::array();
  for (const auto i : order) {
    const auto parent = tree.nodes[i].parent;
    labels.push_back(
        {{"name", names[i]},
         {"parent", parent == ClassTree::kNone ? std::string{} : names[static_cast<std::size_t>(parent)]},
         {"attributes", ordered_json::array()}});
  }
  const ordered_json all{
      {"info", ordered_json::object()},
      {"categories", {{"label", {{"labels", labels}, {"attributes", ordered_json::array()}}}}},
      {"items", ordered_json::array()}};
  return all.dump(2) + "\n";
}

}  // namespace procsim::taxonomy
