#include "tools/program/score_record.hpp"

#include <fmt/format.h>

#include "data/files/file_name.hpp"

namespace procsim::tools {
namespace {

void say_not_recorded(const GlobalOptions& global, std::string_view why,
                      const std::filesystem::path& scores) {
  say(global,
      fmt::format("scores: not recorded, {}; go on with: curate report --scores {}", why, scores.string()));
}

constexpr std::string_view kReadOnly = "the workspace cannot be written";

// Whether the name stands for a run, or for scores in another file.
bool is_taken(const Workspace& workspace, const ScoresRecord& record) {
  if (workspace.run(record.name)) return true;
  const auto known = workspace.scores_named(record.name);
  return known && known->path != record.path;
}

}  // namespace

void store_scores(std::optional<Workspace>& workspace, FileChanges& files, std::string_view labels,
                  const WrittenScores& scores, const std::string& name, std::string_view made_by,
                  const GlobalOptions& global) {
  const auto label_set = workspace ? workspace->label_set_by_digest(labels) : std::nullopt;
  if (!workspace || !workspace->is_writable() || !label_set) {
    files.replace();
    files.keep();
    if (workspace)
      say_not_recorded(global,
                       workspace->is_writable() ? "the workspace does not know these labels" : kReadOnly,
                       scores.path);
    return;
  }
  ScoresRecord record;
  record.name = name;
  record.label_set = label_set->id;
  record.path = workspace->stored_path(scores.path);
  record.digest = scores.digest;
  record.made_by = made_by;
  workspace->put_together(files, [&] {
    for (int number = 2; is_taken(*workspace, record); ++number)
      record.name = fmt::format("{}-{}", name, number);
    workspace->put_scores(record);
  });
}

void remember_scores_of_run(Workspace& workspace, const RunRecord& run, const std::filesystem::path& scores,
                            std::string_view made_by) {
  workspace.put_scores({0, run.name, run.dataset, run.label_set, workspace.stored_path(scores),
                        parts_digest(scores), std::string(made_by), run.id});
}

void store_scores_of_run(std::optional<Workspace>& workspace, FileChanges& files, const RunRecord& run,
                         const WrittenScores& scores, const GlobalOptions& global) {
  if (workspace && workspace->is_writable()) {
    workspace->put_together(files, [&] {
      workspace->put_scores({0, run.name, run.dataset, run.label_set, workspace->stored_path(scores.path),
                             scores.digest, "score", run.id});
    });
    return;
  }
  files.replace();
  files.keep();
  if (workspace) say_not_recorded(global, kReadOnly, scores.path);
}

}  // namespace procsim::tools
