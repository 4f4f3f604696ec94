#include "taxonomy/tree/places.hpp"

#include <optional>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "data/base/error.hpp"
#include "data/base/suggest.hpp"

namespace procsim::taxonomy {
namespace {

std::optional<NodeIndex> find_node_by_id_or_name(const Taxonomy& taxonomy, std::string_view text) {
  if (const auto node = taxonomy.find_node(text)) return node;
  std::optional<NodeIndex> found;
  for (NodeIndex i = 0; i < taxonomy.node_count(); ++i) {
    if (taxonomy.node(i).name != text) continue;
    if (found) {
      throw Error(fmt::format("several nodes are called '{}': {} and {} among them. Use an id.", text,
                              taxonomy.node(*found).id, taxonomy.node(i).id));
    }
    found = i;
  }
  return found;
}

bool names_a_class(const Taxonomy& taxonomy, std::string_view text) {
  for (const auto& c : taxonomy.classes()) {
    if (c.name == text || c.published == text) return true;
  }
  return !text.empty() && text.find_first_not_of("0123456789") == std::string_view::npos;
}

}  // namespace

NodeIndex find_place(const Taxonomy& taxonomy, std::string_view text, LookFirst first) {
  const bool is_class = names_a_class(taxonomy, text);
  if (is_class && first == LookFirst::kClasses) return taxonomy.leaf(taxonomy.find_class(text));
  if (const auto node = find_node_by_id_or_name(taxonomy, text)) return *node;
  if (is_class) return taxonomy.leaf(taxonomy.find_class(text));
  std::vector<std::string> known;
  for (const auto& c : taxonomy.classes()) known.insert(known.end(), {c.name, c.published});
  for (const auto& node : taxonomy.parts().nodes) known.insert(known.end(), {node.name, node.id});
  throw Error(fmt::format("no class or node is called '{}'{}", text, did_you_mean(text, known)));
}

}  // namespace procsim::taxonomy
