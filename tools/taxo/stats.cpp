#include "taxonomy/tree/stats.hpp"

#include <memory>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "tools/program/print_safely.hpp"
#include "tools/program/taxonomy_store.hpp"
#include "tools/taxo/commands.hpp"

namespace procsim::tools {
namespace stats_command {
namespace {

using nlohmann::ordered_json;

void print_json(const taxonomy::TaxonomyStats& stats, const std::string& digest) {
  ordered_json families = ordered_json::array();
  for (const auto& family : stats.families) {
    families.push_back({{"node", family.id}, {"name", family.name}, {"classes", family.classes}});
  }
  const ordered_json all{{"dataset", stats.dataset},
                         {"root", stats.root},
                         {"classes", stats.classes},
                         {"nodes", stats.nodes},
                         {"further_edges", stats.further_edges},
                         {"groups", stats.groups},
                         {"deepest", stats.deepest},
                         {"mean_depth", stats.mean_depth},
                         {"mean_children", stats.mean_children},
                         {"mean_siblings", stats.mean_siblings},
                         {"mean_distance", stats.mean_distance},
                         {"lonely", stats.lonely},
                         {"resolutions", stats.resolutions},
                         {"families", families},
                         {"digest", digest}};
  fmt::print("{}\n", all.dump(2));
}

void print_text(const taxonomy::TaxonomyStats& stats, const std::string& digest) {
  const auto line = [](std::string_view what, const std::string& value) {
    print_safely("{:<34} {}\n", what, value);
  };
  line("data set", stats.dataset);
  line("root", stats.root);
  line("classes", fmt::format("{}", stats.classes));
  line("nodes", fmt::format("{}", stats.nodes));
  line("further parents in the graph", fmt::format("{}", stats.further_edges));
  line("groups (two children or more)", fmt::format("{}", stats.groups));
  line("children of a group, mean", fmt::format("{:.2f}", stats.mean_children));
  line("depth of a class, mean / greatest", fmt::format("{:.2f} / {}", stats.mean_depth, stats.deepest));
  line("classes in the nearest group, mean", fmt::format("{:.2f}", stats.mean_siblings));
  line("distance of two classes, mean", fmt::format("{:.2f}", stats.mean_distance));
  line("classes without a family", fmt::format("{}", stats.lonely));
  for (const auto& [how, count] : stats.resolutions)
    line(fmt::format("resolved by {}", how), fmt::format("{}", count));
  line("digest", digest);
  if (stats.families.empty()) return;
  fmt::print("\nfamilies below the root:\n");
  for (const auto& family : stats.families)
    print_safely("{:>7}  {} ({})\n", family.classes, family.name, family.id);
}

int run(const TaxonomyChoice& choice, const GlobalOptions& global) {
  const auto taxonomy = load_taxonomy(global, choice);
  (global.json ? print_json : print_text)(describe(taxonomy), taxonomy.digest());
  return 0;
}

}  // namespace
}  // namespace stats_command

void add_taxo_stats(Program& program) {
  using namespace stats_command;
  auto choice = std::make_shared<TaxonomyChoice>();
  auto* command =
      program.add("stats", "Counts, depths, group sizes and how the classes were resolved", "taxo stats");
  add_taxonomy_options(command, *choice);
  program.on(command, choice, run);
}

}  // namespace procsim::tools
