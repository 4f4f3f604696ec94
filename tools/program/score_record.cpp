#include "tools/program/score_record.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace procsim::tools {
namespace {

void say_not_recorded(const GlobalOptions& global, std::string_view why,
                      const std::filesystem::path& scores) {
  say(global,
      fmt::format("scores: not recorded, {}; go on with: curate report --scores {}", why, scores.string()));
}

constexpr std::string_view kReadOnly = "the workspace cannot be written";

}  // namespace

void remember_scores(std::optional<Workspace>& workspace, std::string_view labels,
                     const std::filesystem::path& scores, const std::string& name, std::string_view made_by,
                     const GlobalOptions& global) {
  if (!workspace) return;
  if (!workspace->is_writable()) return say_not_recorded(global, kReadOnly, scores);
  const auto label_set = workspace->label_set_by_digest(labels);
  if (!label_set) return say_not_recorded(global, "the workspace does not know these labels", scores);
  const auto file = std::filesystem::absolute(scores);
  RunRecord run;
  run.name = name;
  run.dataset = label_set->dataset;
  run.label_set = label_set->id;
  run.path = workspace->stored_path(file.parent_path());
  run.scores = workspace->stored_path(file);
  run.status = "done";
  run.config = nlohmann::ordered_json{{"loss", made_by}, {"confidence", "none"}}.dump();
  for (int number = 2; const auto known = workspace->run(run.name); ++number) {
    if (known->scores == run.scores) {
      workspace->remove_run(known->id);
      break;
    }
    run.name = fmt::format("{}-{}", name, number);
  }
  workspace->put_run(run);
}

void renew_run(std::optional<Workspace>& workspace, RunRecord run, const std::filesystem::path& scores,
               const GlobalOptions& global) {
  if (!workspace) return;
  if (!workspace->is_writable()) return say_not_recorded(global, kReadOnly, scores);
  run.scores = workspace->stored_path(scores);
  workspace->put_together([&] {
    auto metrics = workspace->metrics(run.id);
    workspace->remove_run(run.id);
    const auto id = workspace->put_run(run);
    for (auto& metric : metrics) metric.run = id;
    workspace->put_metrics(metrics);
  });
}

}  // namespace procsim::tools
