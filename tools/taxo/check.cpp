#include "taxonomy/tree/check.hpp"

#include <algorithm>
#include <memory>
#include <utility>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "data/base/error.hpp"
#include "data/files/atomic_file.hpp"
#include "tools/program/print_safely.hpp"
#include "tools/program/taxonomy_store.hpp"
#include "tools/taxo/commands.hpp"

namespace procsim::tools {
namespace check_command {
namespace {

using nlohmann::ordered_json;

struct Options {
  TaxonomyChoice taxonomy;
  bool strict = false;
};

struct Outcome {
  std::string dataset;
  std::size_t nodes = 0;
  std::size_t classes = 0;
  std::vector<taxonomy::Finding> findings;
};

Outcome examine(const std::filesystem::path& file) {
  Outcome outcome;
  const auto text = read_file(file);
  try {
    auto parts = taxonomy::taxonomy_parts_from_json(text, file.string());
    outcome.dataset = parts.dataset;
    outcome.nodes = parts.nodes.size();
    outcome.classes = parts.classes.size();
    outcome.findings = taxonomy::find_defects(parts);
    if (outcome.findings.empty())
      outcome.findings = taxonomy::find_warnings(taxonomy::Taxonomy(std::move(parts)));
  } catch (const Error& error) {
    outcome.findings.push_back({taxonomy::Finding::Severity::kDefect, "unreadable", error.what(), {}});
  }
  return outcome;
}

using Severity = taxonomy::Finding::Severity;

std::string_view to_string(Severity severity) {
  return severity == Severity::kDefect ? "defect" : severity == Severity::kWarning ? "warning" : "note";
}

std::size_t count(const Outcome& outcome, Severity severity) {
  return static_cast<std::size_t>(
      std::ranges::count(outcome.findings, severity, &taxonomy::Finding::severity));
}

void print_json(const Outcome& outcome) {
  ordered_json findings = ordered_json::array();
  for (const auto& finding : outcome.findings) {
    findings.push_back({{"severity", to_string(finding.severity)},
                        {"kind", finding.kind},
                        {"message", finding.message},
                        {"subjects", finding.subjects}});
  }
  const ordered_json all{{"dataset", outcome.dataset},
                         {"nodes", outcome.nodes},
                         {"classes", outcome.classes},
                         {"sound", count(outcome, Severity::kDefect) == 0},
                         {"findings", findings}};
  fmt::print("{}\n", all.dump(2));
}

void print_text(const Outcome& outcome) {
  for (const auto& finding : outcome.findings) {
    print_safely("{:<7} {}: {}\n", to_string(finding.severity), finding.kind, finding.message);
  }
  const auto counted = [&](Severity severity) {
    const auto number = count(outcome, severity);
    return fmt::format("{} {}{}", number, to_string(severity), number == 1 ? "" : "s");
  };
  print_safely("{}: {} classes, {} nodes, {}, {}, {}\n",
               outcome.dataset.empty() ? "taxonomy" : outcome.dataset, outcome.classes, outcome.nodes,
               counted(Severity::kDefect), counted(Severity::kWarning), counted(Severity::kNote));
}

int check(const Options& options, const GlobalOptions& global) {
  const auto outcome = examine(taxonomy_file(global, options.taxonomy));
  (global.json ? print_json : print_text)(outcome);
  const bool has_failed =
      count(outcome, Severity::kDefect) > 0 || (options.strict && count(outcome, Severity::kWarning) > 0);
  return has_failed ? 1 : 0;
}

}  // namespace
}  // namespace check_command

void add_taxo_check(Program& program) {
  using namespace check_command;
  auto options = std::make_shared<Options>();
  auto* command = program.add(
      "check",
      "Look for defects (exit 1: cycles, orphans, broken references) and for what deserves a look (exit 0)",
      "taxo check --strict");
  add_taxonomy_options(command, options->taxonomy);
  command->add_flag("--strict", options->strict, "Warnings count as defects");
  program.on(command, options, check);
}

}  // namespace procsim::tools
