#include "curate/evidence/hierarchy.hpp"

#include <fmt/format.h>

#include "curate/decisions/findings.hpp"
#include "data/base/error.hpp"
#include "tools/curate/commands.hpp"
#include "tools/curate/shared/subject.hpp"
#include "tools/program/option_groups.hpp"
#include "tools/program/print_safely.hpp"

namespace procsim::tools {

namespace hierarchy_command {
namespace {

using Json = nlohmann::ordered_json;

struct Options {
  SubjectOptions subject;
  std::size_t top = 15;
};

Json to_json(const curate::HierarchyErrors& errors, const curate::ClassFamilies& families) {
  Json json;
  auto& nodes = json["nodes"] = Json::array();
  for (const auto& node : errors.nodes)
    nodes.push_back({{"node", families.id(node.node)},
                     {"name", families.name(node.node)},
                     {"classes", node.classes},
                     {"samples", node.samples},
                     {"wrong", node.wrong},
                     {"between_children", node.here},
                     {"rate", node.rate()}});
  auto& siblings = json["siblings"] = Json::array();
  for (const auto& pair : errors.siblings)
    siblings.push_back({{"parent", families.name(pair.parent)},
                        {"first", families.name(pair.first)},
                        {"second", families.name(pair.second)},
                        {"samples", pair.samples},
                        {"first_as_second", pair.first_as_second},
                        {"second_as_first", pair.second_as_first},
                        {"rate", pair.rate()},
                        {"balance", pair.balance()},
                        {"advice", curate::advice(pair)}});
  json["unplaced"] = errors.unplaced;
  return json;
}

int run(const Options& options, const GlobalOptions& global) {
  const auto subject = open_subject(options.subject, global);
  if (!subject.families.known())
    throw Error(
        "hierarchy needs a taxonomy of these classes: give a file with --taxonomy, or build one with taxo "
        "build");
  const auto decisions = curate::fold_decisions(subject.decisions());
  const auto findings = curate::find_out(subject.scores, decisions, curate::AuditDesign(subject.scores, 0));
  const auto errors = curate::roll_up(subject.scores, subject.families, findings.wrong);
  if (global.json) {
    fmt::print("{}\n", to_json(errors, subject.families).dump(1, ' ', false, Json::error_handler_t::replace));
    return 0;
  }
  print_safely("{:>10} {:>8} {:>8}  {}\n", "wrong", "samples", "rate", "where the two labels part");
  for (std::size_t i = 0; i < std::min(options.top, errors.nodes.size()); ++i) {
    const auto& node = errors.nodes[i];
    print_safely("{:>10.1f} {:>8} {:>6.1f} %  {} ({} classes)\n", node.here, node.samples, 100 * node.rate(),
                 subject.families.name(node.node), node.classes);
  }
  print_safely("\n{:>8} {:>9}  {}\n", "rate", "both ways", "siblings taken for one another");
  for (std::size_t i = 0; i < std::min(options.top, errors.siblings.size()); ++i) {
    const auto& pair = errors.siblings[i];
    const auto words = curate::advice(pair);
    print_safely("{:>6.1f} % {:>7.0f} %  {} / {} (under {}){}{}\n", 100 * pair.rate(), 200 * pair.balance(),
                 subject.families.name(pair.first), subject.families.name(pair.second),
                 subject.families.name(pair.parent), words.empty() ? "" : ": ", words);
  }
  if (errors.unplaced > 0)
    print_safely("\n{:.1f} expected errors are between classes that the taxonomy does not have\n",
                 errors.unplaced);
  return 0;
}

}  // namespace
}  // namespace hierarchy_command

void add_curate_hierarchy(Program& program) {
  using namespace hierarchy_command;
  auto options = std::make_shared<Options>();
  auto* command =
      program.add("hierarchy", "Mistakes rolled up the tree: where they concentrate, what to merge",
                  "curate hierarchy --top 30");
  add_subject_options(command, options->subject);
  add_top_option(command, options->top, "How many rows of each list");
  program.on(command, options, run);
}

}  // namespace procsim::tools
