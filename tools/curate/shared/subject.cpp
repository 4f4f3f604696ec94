#include "tools/curate/shared/subject.hpp"

#include <fmt/format.h>

#include "data/base/error.hpp"
#include "data/files/file_name.hpp"
#include "data/labels/label_set.hpp"
#include "tools/program/option_groups.hpp"
#include "tools/program/taxonomy_store.hpp"
#include "tools/program/workspace_choice.hpp"

namespace procsim::tools {

namespace fs = std::filesystem;

namespace {

struct Picked {
  fs::path file;
  std::string name;
  std::int64_t label_set = 0;  // id in the workspace, 0 when unknown
};

// Of the run of this name, else those that were made without a training under it.
ScoresRecord named_scores(const Workspace& workspace, const std::string& name) {
  const auto run = workspace.run(name);
  auto scores = run ? workspace.scores_of_run(run->id) : workspace.scores_named(name);
  if (scores) return std::move(*scores);
  if (!run) throw Error(fmt::format("no run '{}' in {}", name, workspace.home().string()));
  throw Error(fmt::format("run '{}' has no scores yet; its status is {}", run->name, run->status));
}

// The current data set's newest that are still there; says which ones are not.
ScoresRecord newest_scores(const Workspace& workspace, const std::optional<std::string>& named,
                           const GlobalOptions& global) {
  const auto dataset = chosen_dataset(workspace, named);
  for (auto& candidate : workspace.scores(dataset)) {
    const auto file = workspace.resolve(candidate.path);
    if (fs::exists(file)) return std::move(candidate);
    say(global, fmt::format("scores: those of run {} are not there any more ({}) and it is passed over",
                            candidate.name, file.string()));
  }
  // Those of another data set are not taken for it, but whoever looks for them is told.
  for (const auto& other : workspace.scores("")) {
    if (dataset.empty() || other.dataset == dataset) continue;
    throw Error(
        fmt::format("no scores of '{}' in {}, but of '{}': name the data set with --dataset, or run "
                    "procsim-train (or 'procsim-train score') first",
                    dataset, workspace.home().string(), other.dataset));
  }
  throw Error(
      fmt::format("no run with scores in {}: run procsim-train (or 'procsim-train score') first, or give "
                  "a file with --scores",
                  workspace.home().string()));
}

Picked pick_scores(const SubjectOptions& options, const std::optional<Workspace>& workspace,
                   const GlobalOptions& global) {
  if (options.scores) return {*options.scores, options.scores->stem().string(), 0};
  if (!workspace)
    throw Error(
        "no scores: give a file with --scores, or run inside a workspace (taxo build makes one) after "
        "procsim-train");
  const auto scores = options.run ? named_scores(*workspace, *options.run)
                                  : newest_scores(*workspace, options.dataset, global);
  return {workspace->resolve(scores.path), scores.name, scores.label_set};
}

std::optional<LabelSetRecord> find_labels(const std::optional<Workspace>& workspace, const ScoresInfo& info,
                                          std::int64_t id) {
  if (!workspace) return std::nullopt;
  for (const auto& record : workspace->label_sets(info.dataset))
    if (id != 0 && record.id == id) return record;
  const auto& digest = info.provenance.label_set;
  return digest.empty() ? std::nullopt : workspace->label_set_by_digest(digest);
}

}  // namespace

void add_subject_options(CLI::App* command, SubjectOptions& options) {
  command->add_option("--scores", options.scores, "Scores file (default: the newest run's)")
      ->type_name("FILE");
  command->add_option("--run", options.run, "The scores of this run")
      ->type_name("NAME")
      ->excludes("--scores");
  add_dataset_option(command, options.dataset);
  add_taxonomy_file_option(command, options.taxonomy);
}

std::optional<Workspace> find_workspace_to_be(const GlobalOptions& global) {
  const auto folder = Workspace::find(global.workspace);
  if (!folder || !fs::exists(*folder / ".procsim")) return std::nullopt;
  return Workspace::open(*folder);
}

Workspace take_workspace(Subject& subject, const GlobalOptions& global) {
  if (subject.workspace) return std::move(*subject.workspace);
  const auto folder = Workspace::find(global.workspace).value_or(fs::current_path());
  say(global, fmt::format("decisions: kept in a new workspace in {}", folder.string()));
  return Workspace::open_or_create(folder);
}

curate::ClassFamilies open_families(const std::optional<fs::path>& file,
                                    const std::optional<Workspace>& workspace, const std::string& dataset,
                                    const std::vector<LabelClass>& classes) {
  const auto found = find_taxonomy_file(workspace, file, dataset);
  if (!found) return {};
  return {read_taxonomy(found->file), classes};
}

std::vector<DecisionRecord> Subject::decisions() const {
  if (!workspace) return {};
  return curate::decisions_on(*workspace, source.label_set, source.made_from);
}

std::vector<std::uint32_t> Subject::suspects() const {
  auto records = decisions();
  std::erase_if(records, [&](const auto& record) { return record.label_set == source.label_set; });
  const auto before = curate::fold_decisions(records);
  auto rows = scores.ranking();
  std::erase_if(rows, [&](std::uint32_t row) {
    const auto opinions = before.standing().find(scores.sample_ids()[row]);
    return opinions != before.standing().end() &&
           settle(opinions->second, scores.labels()[row], 1).reviewers > 0;
  });
  return rows;
}

Subject open_subject(const SubjectOptions& options, const GlobalOptions& global) {
  return open_subject(options, global, find_workspace(global));
}

Subject open_subject(const SubjectOptions& options, const GlobalOptions& global,
                     std::optional<Workspace> workspace) {
  const auto picked = pick_scores(options, workspace, global);
  if (!options.scores) say(global, fmt::format("scores: run {} ({})", picked.name, picked.file.string()));
  auto table = curate::read_scores(picked.file, progress_bar(global, "reading scores"));
  curate::ReportSource source;
  source.scores = parts_digest(picked.file);
  auto labels = find_labels(workspace, table.info(), picked.label_set);
  source.label_set = labels ? labels->digest : table.info().provenance.label_set;
  if (source.label_set.empty())
    source.label_set = source.scores;  // scores made elsewhere stand for themselves
  if (labels) {
    source.labels = labels->summary;
    const auto file = workspace->resolve(labels->path);
    if (labels->kind == "apply" && fs::exists(file))
      source.made_from = curate::applied_from(LabelSetReader(file).info().provenance);
  }
  auto families = open_families(options.taxonomy, workspace, table.info().dataset, table.info().classes);
  auto root = find_root(workspace, options.root, table.info().dataset);
  return {std::move(workspace), picked.name,       picked.file,         std::move(table),
          std::move(source),    std::move(labels), std::move(families), std::move(root)};
}

}  // namespace procsim::tools
