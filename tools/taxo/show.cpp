#include <memory>
#include <optional>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "data/base/error.hpp"
#include "taxonomy/export/tree_export.hpp"
#include "taxonomy/export/tree_text.hpp"
#include "taxonomy/tree/display_tree.hpp"
#include "taxonomy/tree/places.hpp"
#include "tools/program/taxonomy_store.hpp"
#include "tools/taxo/commands.hpp"

namespace procsim::tools {
namespace show_command {
namespace {

struct Options {
  TaxonomyChoice taxonomy;
  std::optional<std::uint32_t> depth;
  std::string place;
  bool full = false;
};

// Where the tree shows a node: at its own item, or at the one that a collapsed chain ends in.
std::int32_t item_of(const taxonomy::Taxonomy& taxonomy, const taxonomy::ClassTree& tree,
                     taxonomy::NodeIndex node) {
  for (;;) {
    for (std::size_t i = 0; i < tree.nodes.size(); ++i) {
      if (tree.nodes[i].origin == node) return static_cast<std::int32_t>(i);
    }
    const auto children = taxonomy.children(node);
    const auto next = std::find_if(children.begin(), children.end(), [&](taxonomy::NodeIndex child) {
      return taxonomy.class_count_below(child) > 0;
    });
    if (next == children.end()) {
      throw Error(fmt::format("'{}' has no classes below it", taxonomy.display_name(node)));
    }
    node = *next;
  }
}

int show(const Options& options, const GlobalOptions& global) {
  const auto taxonomy = load_taxonomy(global, options.taxonomy);
  const auto tree =
      taxonomy::display_tree(taxonomy, options.full ? taxonomy::Chains::kKeep : taxonomy::Chains::kCollapse);
  taxonomy::TreeTextOptions text;
  text.depth = options.depth;
  if (!options.place.empty()) {
    const auto place = taxonomy::find_place(taxonomy, options.place);
    if (taxonomy.is_leaf(place)) {
      text.path_to = taxonomy.label_of_leaf(place);
    } else {
      text.from = item_of(taxonomy, tree, place);
    }
  }
  if (global.json) {
    fmt::print("{}", taxonomy::nested_json(taxonomy, tree, text.from));
  } else {
    fmt::print("{}", taxonomy::tree_text(taxonomy, tree, text));
  }
  return 0;
}

}  // namespace
}  // namespace show_command

void add_taxo_show(Program& program) {
  using namespace show_command;
  auto options = std::make_shared<Options>();
  auto* command =
      program.add("show", "The class tree as text, with counts; nodes with a single child are left out",
                  "taxo show --depth 2\n  taxo show --class \"House Sparrow\"");
  add_taxonomy_options(command, options->taxonomy);
  command->add_option("--depth", options->depth, "Levels to open (default: all)")->type_name("N");
  command->add_option("--class", options->place, "A class: open only the way to it. A node: start there")
      ->type_name("NAME");
  command->add_flag("--full", options->full, "Show nodes with a single child too");
  program.on(command, options, show);
}

}  // namespace procsim::tools
