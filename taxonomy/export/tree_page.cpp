#include "taxonomy/export/tree_page.hpp"

#include "embedded/tree_page_template.hpp"
#include <nlohmann/json.hpp>

#include "data/base/markup.hpp"
#include "taxonomy/export/tree_export.hpp"
#include "taxonomy/tree/display_tree.hpp"

namespace procsim::taxonomy {
namespace {

using nlohmann::ordered_json;

// Short keys: a page may hold 20,000 nodes. What the script in web/tree.html reads.
ordered_json page_data(const Taxonomy& taxonomy, const ClassTree& tree) {
  const auto counts = count_classes(tree);
  const auto family = families(tree);
  ordered_json nodes = ordered_json::array();
  for (std::size_t i = 0; i < tree.nodes.size(); ++i) {
    const auto& node = tree.nodes[i];
    ordered_json entry{{"n", taxonomy.display_name(node.origin)}, {"p", node.parent}};
    if (family[i] >= 0) entry["f"] = family[i];
    if (node.label == ClassTree::kNone) {
      const auto& origin = taxonomy.node(node.origin);
      entry.update({{"c", counts[i]}, {"i", origin.id}, {"g", origin.gloss}, {"s", origin.sense_key}});
    } else {
      const auto& c = taxonomy.class_at(node.label);
      entry.update({{"l", node.label},
                    {"u", c.published},
                    {"h", c.node},
                    {"w", to_string(c.how)},
                    {"m", c.matched},
                    {"r", c.reason}});
    }
    nodes.push_back(std::move(entry));
  }
  return {{"dataset", taxonomy.dataset()}, {"classes", taxonomy.class_count()}, {"nodes", std::move(nodes)}};
}

}  // namespace

std::string html_page(const Taxonomy& taxonomy, const ClassTree& tree) {
  std::string page(embedded::tree_page_template());
  replace_mark(page, "@data@", script_json(page_data(taxonomy, tree)));
  replace_mark(page, "@title@", markup_text(taxonomy.dataset()));
  return page;
}

}  // namespace procsim::taxonomy
