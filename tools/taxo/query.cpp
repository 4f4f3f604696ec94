#include <memory>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "data/base/error.hpp"
#include "taxonomy/tree/places.hpp"
#include "taxonomy/tree/queries.hpp"
#include "tools/program/print_safely.hpp"
#include "tools/program/taxonomy_store.hpp"
#include "tools/program/validators.hpp"
#include "tools/taxo/commands.hpp"

namespace procsim::tools {
namespace query_command {
namespace {

using nlohmann::ordered_json;

struct Options {
  TaxonomyChoice taxonomy;
  std::vector<std::string> places;
  std::string measure;
};

ordered_json place_json(const taxonomy::Taxonomy& taxonomy, taxonomy::NodeIndex place) {
  if (taxonomy.is_leaf(place)) {
    const auto label = taxonomy.label_of_leaf(place);
    return {{"class", taxonomy.class_at(label).name}, {"label", label}};
  }
  const auto& node = taxonomy.node(place);
  return {{"node", node.id}, {"name", node.name}, {"classes", taxonomy.class_count_below(place)}};
}

// "sparrow (21 classes, sparrow.n.01)", or a class's name
std::string place_text(const taxonomy::Taxonomy& taxonomy, taxonomy::NodeIndex place) {
  if (taxonomy.is_leaf(place)) return std::string(taxonomy.display_name(place));
  const auto count = taxonomy.class_count_below(place);
  return fmt::format("{} ({} {}, {})", taxonomy.display_name(place), count, count == 1 ? "class" : "classes",
                     taxonomy.node(place).id);
}

void print_places(const taxonomy::Taxonomy& taxonomy, const std::vector<taxonomy::NodeIndex>& places,
                  const GlobalOptions& global) {
  if (!global.json) {
    for (const auto place : places) print_safely("{}\n", place_text(taxonomy, place));
    return;
  }
  auto list = ordered_json::array();
  for (const auto place : places) list.push_back(place_json(taxonomy, place));
  fmt::print("{}\n", list.dump(2));
}

int query_siblings(const Options& options, const GlobalOptions& global) {
  const auto taxonomy = load_taxonomy(global, options.taxonomy);
  const auto label = taxonomy.find_class(options.places.at(0));
  const auto tree = taxonomy::prune(taxonomy);
  std::vector<taxonomy::NodeIndex> places;
  for (const auto sibling : taxonomy::siblings(tree, label)) {
    places.push_back(tree.nodes[static_cast<std::size_t>(sibling)].origin);
  }
  print_places(taxonomy, places, global);
  return 0;
}

int query_ancestors(const Options& options, const GlobalOptions& global) {
  const auto taxonomy = load_taxonomy(global, options.taxonomy);
  print_places(taxonomy, taxonomy::ancestors(taxonomy, taxonomy::find_place(taxonomy, options.places.at(0))),
               global);
  return 0;
}

int query_leaves(const Options& options, const GlobalOptions& global) {
  const auto taxonomy = load_taxonomy(global, options.taxonomy);
  std::vector<taxonomy::NodeIndex> places;
  for (const auto label : taxonomy.classes_below(
           taxonomy::find_place(taxonomy, options.places.at(0), taxonomy::LookFirst::kNodes))) {
    places.push_back(taxonomy.leaf(label));
  }
  print_places(taxonomy, places, global);
  return 0;
}

int query_lca(const Options& options, const GlobalOptions& global) {
  const auto taxonomy = load_taxonomy(global, options.taxonomy);
  auto common = taxonomy::find_place(taxonomy, options.places.at(0));
  for (const auto& name : options.places) {
    common = taxonomy::lowest_common_ancestor(taxonomy, common, taxonomy::find_place(taxonomy, name));
  }
  if (global.json) {
    fmt::print("{}\n", place_json(taxonomy, common).dump(2));
  } else {
    print_safely("{}\n", place_text(taxonomy, common));
  }
  return 0;
}

int query_distance(const Options& options, const GlobalOptions& global) {
  const auto taxonomy = load_taxonomy(global, options.taxonomy);
  const auto a = taxonomy::find_place(taxonomy, options.places.at(0)),
             b = taxonomy::find_place(taxonomy, options.places.at(1));
  const auto edges = taxonomy::distance(taxonomy, a, b);
  if (global.json) {
    const auto common = place_json(taxonomy, taxonomy::lowest_common_ancestor(taxonomy, a, b));
    fmt::print("{}\n", ordered_json{{"distance", edges}, {"lowest_common_ancestor", common}}.dump(2));
  } else {
    print_safely("{}\n", edges);
  }
  return 0;
}

int query_similarity(const Options& options, const GlobalOptions& global) {
  std::vector<taxonomy::Measure> wanted{taxonomy::Measure::kPath, taxonomy::Measure::kWuPalmer,
                                        taxonomy::Measure::kLeacockChodorow};
  if (!options.measure.empty()) wanted = {taxonomy::measure_from_string(options.measure)};
  const auto taxonomy = load_taxonomy(global, options.taxonomy);
  const auto a = taxonomy::find_place(taxonomy, options.places.at(0)),
             b = taxonomy::find_place(taxonomy, options.places.at(1));
  ordered_json values;
  for (const auto which : wanted) {
    const auto value = taxonomy::measure(taxonomy, which, a, b);
    values[std::string(to_string(which))] = value;
    if (!global.json) print_safely("{:<17} {:.6f}\n", to_string(which), value);
  }
  if (global.json) fmt::print("{}\n", values.dump(2));
  return 0;
}

}  // namespace
}  // namespace query_command

void add_taxo_query(Program& program) {
  using namespace query_command;
  auto* query = program.add("query", "Questions about the tree", "taxo query siblings \"House Sparrow\"");
  using Run = int (*)(const Options&, const GlobalOptions&);
  const auto add = [&](const char* name, const char* description, const char* example, int least, int most,
                       Run run) {
    auto options = std::make_shared<Options>();
    auto* command = program.add(name, description, example, query);
    command->add_option("place", options->places, "Class (name, published name, label) or node (id, name)")
        ->required()
        ->expected(least, most);
    add_taxonomy_options(command, options->taxonomy);
    program.on(command, options, run);
    return std::pair(command, options);
  };
  add("siblings",
      "What semantic noise draws from: the class's neighbours in the tree without single-child nodes",
      "taxo query siblings \"House Sparrow\"", 1, 1, query_siblings);
  add("ancestors", "The nodes above, up to the root", "taxo query ancestors \"House Sparrow\"", 1, 1,
      query_ancestors);
  add("lca", "The lowest node above all of them", "taxo query lca \"House Sparrow\" \"Fox Sparrow\"", 2, 1000,
      query_lca);
  add("distance", "Edges between two places of the full tree",
      "taxo query distance \"House Sparrow\" \"Ivory Gull\"", 2, 2, query_distance);
  add("leaves", "The classes below a node", "taxo query leaves sparrow.n.01", 1, 1, query_leaves);
  const auto [similarity, options] =
      add("similarity", "Path, Wu-Palmer and Leacock-Chodorow similarity of two places",
          "taxo query similarity \"House Sparrow\" \"Fox Sparrow\"", 2, 2, query_similarity);
  similarity->add_option("--measure", options->measure, "Only this one")
      ->check(one_of(taxonomy::measure_names()));
}

}  // namespace procsim::tools
