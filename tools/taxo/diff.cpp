#include "taxonomy/tree/diff.hpp"

#include <memory>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "tools/program/print_safely.hpp"
#include "tools/program/taxonomy_store.hpp"
#include "tools/taxo/commands.hpp"

namespace procsim::tools {
namespace diff_command {
namespace {

using nlohmann::ordered_json;

struct Options {
  std::filesystem::path before;
  std::optional<std::filesystem::path> after;
};

ordered_json changes_json(const std::vector<taxonomy::TaxonomyDiff::Change>& changes) {
  ordered_json list = ordered_json::array();
  for (const auto& change : changes) {
    list.push_back({{"subject", change.subject}, {"from", change.from}, {"to", change.to}});
  }
  return list;
}

void print_json(const taxonomy::TaxonomyDiff& diff) {
  const ordered_json all{{"same", diff.same()},
                         {"classes_added", diff.classes_added},
                         {"classes_removed", diff.classes_removed},
                         {"moved", changes_json(diff.moved)},
                         {"relabelled", changes_json(diff.relabelled)},
                         {"resolved", changes_json(diff.resolved)},
                         {"nodes_added", diff.nodes_added},
                         {"nodes_removed", diff.nodes_removed},
                         {"reparented", changes_json(diff.reparented)}};
  fmt::print("{}\n", all.dump(2));
}

void print_text(const taxonomy::TaxonomyDiff& diff) {
  const auto names = [](std::string_view sign, std::string_view what, const std::vector<std::string>& list) {
    for (const auto& name : list) print_safely("{} {} {}\n", sign, what, name);
  };
  const auto changes = [](std::string_view what, const std::vector<taxonomy::TaxonomyDiff::Change>& list) {
    for (const auto& change : list) {
      print_safely("~ {}: {} → {}\n", fmt::format(fmt::runtime(what), change.subject),
                   change.from.empty() ? "(root)" : change.from, change.to.empty() ? "(root)" : change.to);
    }
  };
  names("-", "class", diff.classes_removed);
  names("+", "class", diff.classes_added);
  changes("class {} moved", diff.moved);
  changes("class {} has another label", diff.relabelled);
  changes("class {} resolved differently", diff.resolved);
  names("-", "node", diff.nodes_removed);
  names("+", "node", diff.nodes_added);
  changes("node {} has another parent", diff.reparented);
  if (diff.same()) fmt::print("no differences\n");
}

int run(const Options& options, const GlobalOptions& global) {
  const auto before = read_taxonomy(options.before);
  const auto diff = taxonomy::compare(before, load_taxonomy(global, options.after));
  (global.json ? print_json : print_text)(diff);
  return 0;
}

}  // namespace
}  // namespace diff_command

void add_taxo_diff(Program& program) {
  using namespace diff_command;
  auto options = std::make_shared<Options>();
  auto* command =
      program.add("diff", "What changed from one taxonomy to another", "taxo diff before.json after.json");
  command->add_option("before", options->before, "Taxonomy file")->required()->type_name("FILE");
  command->add_option("after", options->after, "Taxonomy file (default: the workspace's newest)")
      ->type_name("FILE");
  program.on(command, options, run);
}

}  // namespace procsim::tools
