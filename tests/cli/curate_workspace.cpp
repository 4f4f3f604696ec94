#include "tests/cli/curate_workspace.hpp"

#include <gtest/gtest.h>

#include "data/base/digest.hpp"
#include "data/files/atomic_file.hpp"
#include "tests/curate/scored_birds.hpp"

namespace procsim::test {

CurateWorkspace::CurateWorkspace() {
  for (int i = 0; i < 60; ++i) {
    const auto truth = i % 6;
    const bool wrong = i % 5 == 0;
    auto row = scored(i, wrong ? (truth + 1) % 6 : truth, wrong ? truth : (truth + 1) % 6,
                      wrong ? 0.9 : 0.05 + 0.0001 * i);
    row.path = "images/" + std::to_string(i) + ".jpg";
    row.true_label = truth;
    row.near_given = {(i + 6) % 60, (i + 12) % 60};
    row.near_suggested = {(i + 1) % 60};
    rows_.push_back(row);
    write_image(folder_ / row.path, truth);
  }
  digest_ = write_bird_labels(labels(), rows_);
  auto info = bird_info();
  info.provenance.program = "test";
  info.provenance.label_set = digest_;
  write_scores(scores(), rows_, info);
  auto workspace = Workspace::open_or_create(folder_.path());
  workspace.put_dataset({"birds", "folder", folder_.path().string(), folder_.path().string(), 6, 60, "{}"});
  const auto taxonomy = bird_taxonomy().to_json();
  write_file(folder_ / ".procsim/taxonomy.json", taxonomy, IfExists::kReplace);
  workspace.put_taxonomy(
      {0, "birds", workspace.stored_path(folder_ / ".procsim/taxonomy.json"), sha256_hex(taxonomy)});
  const auto id = workspace.put_label_set(
      {0, "birds", workspace.stored_path(labels()), digest_, "inject", "every fifth", 60, 12});
  add_run("run-1", id, scores());
}

void CurateWorkspace::add_run(const std::string& name, std::int64_t label_set,
                              const std::filesystem::path& scores) const {
  auto workspace = open();
  const auto run = workspace.put_run({0, name, "birds", label_set, "runs/" + name, "done", "{}"});
  workspace.put_scores({0, name, "birds", label_set, workspace.stored_path(scores), "", "train", run});
}

void CurateWorkspace::decide(std::int64_t sample, const std::string& reviewer, const std::string& verdict,
                             std::optional<std::int64_t> label, const std::string& node,
                             const std::string& source) {
  DecisionRecord record;
  record.label_set = digest_;
  record.sample = sample;
  record.reviewer = reviewer;
  record.verdict = verdict;
  record.new_label = label;
  record.new_node = node;
  record.source = source;
  record.time = "2026-01-01T00:00:00Z";
  open().append_decision(record);
}

ProgramResult CurateWorkspace::curate(std::vector<std::string> arguments) const {
  ProgramOptions options;
  options.folder = folder_.path();
  return run_program("curate", arguments, options);
}

nlohmann::json CurateWorkspace::curate_json(std::vector<std::string> arguments) const {
  arguments.emplace_back("--json");
  const auto result = curate(std::move(arguments));
  EXPECT_EQ(result.exit_code, 0) << result.err;
  return nlohmann::json::parse(result.out);
}

}  // namespace procsim::test
