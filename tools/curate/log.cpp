#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "curate/decisions/decisions.hpp"
#include "data/base/error.hpp"
#include "data/base/letters.hpp"
#include "tools/curate/commands.hpp"
#include "tools/program/print_safely.hpp"
#include "tools/program/workspace_choice.hpp"

namespace procsim::tools {

namespace log_command {
namespace {

struct Options {
  bool verify = false;
  std::optional<std::string> reviewer;
  std::optional<std::int64_t> sample;
};

nlohmann::ordered_json row(const DecisionRecord& record) {
  nlohmann::ordered_json json{{"id", record.id},
                              {"time", record.time},
                              {"reviewer", record.reviewer},
                              {"sample", record.sample},
                              {"verdict", record.verdict}};
  if (record.new_label) json["label"] = *record.new_label;
  if (!record.new_node.empty()) json["node"] = record.new_node;
  json["source"] = record.source;
  json["label_set"] = record.label_set;
  json["previous"] = record.previous;
  json["hash"] = record.hash;
  return json;
}

int verify(const Workspace& workspace, const std::vector<DecisionRecord>& records,
           const GlobalOptions& global) {
  const auto fault = curate::log_fault(records, workspace.decisions_head());
  if (global.json) {
    nlohmann::ordered_json json{{"decisions", records.size()}, {"intact", fault.empty()}};
    if (const auto broken = curate::first_broken_link(records)) json["first_broken"] = *broken;
    if (!fault.empty()) json["fault"] = fault;
    if (!records.empty()) json["head"] = records.back().hash;
    fmt::print("{}\n", json.dump(1));
    return fault.empty() ? 0 : 1;
  }
  if (!fault.empty()) throw Error(fault);
  print_safely("{} decisions, every one follows from the one before{}\n", records.size(),
               records.empty() ? "" : fmt::format("; head {}", records.back().hash));
  return 0;
}

int run(const Options& options, const GlobalOptions& global) {
  const auto workspace = open_workspace(global);
  const auto records = workspace.decisions("");
  if (options.verify) return verify(workspace, records, global);
  for (const auto& record : records) {
    if (options.reviewer && record.reviewer != *options.reviewer) continue;
    if (options.sample && record.sample != *options.sample) continue;
    if (global.json) {
      fmt::print("{}\n", row(record).dump(-1, ' ', false, nlohmann::ordered_json::error_handler_t::replace));
      continue;
    }
    const auto what = record.new_label          ? fmt::format(" {}", *record.new_label)
                      : record.new_node.empty() ? std::string()
                                                : fmt::format(" {}", record.new_node);
    print_safely("{}\t{}\t{}\tsample {}\t{}{}\t{}\t{}\n", record.id, record.time, record.reviewer,
                 record.sample, record.verdict, what, record.source, record.hash.substr(0, 12));
  }
  return 0;
}

}  // namespace
}  // namespace log_command

void add_curate_log(Program& program) {
  using namespace log_command;
  auto options = std::make_shared<Options>();
  auto* command =
      program.add("log", "Every decision that was ever made, oldest first", "curate log --verify");
  command->add_flag("--verify", options->verify,
                    "Check the chain of hashes instead; exit 1 when it is broken");
  command->add_option("--reviewer", options->reviewer, "Only this reviewer's")->type_name("NAME");
  command->add_option("--sample", options->sample, "Only on this sample")->type_name("ID");
  program.on(command, options, run);
}

}  // namespace procsim::tools
