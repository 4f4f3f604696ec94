#include "tools/curate/shared/reviewed_labels.hpp"

#include <fmt/format.h>

#include "data/base/error.hpp"
#include "data/files/file_name.hpp"
#include "data/labels/label_set.hpp"
#include "tools/program/workspace_choice.hpp"

namespace procsim::tools {

ReviewedLabels pick_reviewed_labels(const std::optional<std::filesystem::path>& given,
                                    const std::optional<std::string>& dataset,
                                    const std::optional<Workspace>& workspace, const GlobalOptions& global) {
  if (given) return {*given, parts_digest(*given)};
  if (!workspace) throw Error("no label set: give a file with --labels, or run inside a workspace");
  const auto pick = [&](const LabelSetRecord& record) -> ReviewedLabels {
    const auto file = unchanged_label_file(*workspace, record);
    say(global, fmt::format("labels: {} {} ({})", record.dataset, record.summary, file.string()));
    return {file, record.digest};
  };
  const auto name = chosen_dataset(*workspace, dataset);
  for (const auto& scores : workspace->scores(name)) {
    if (!std::filesystem::exists(workspace->resolve(scores.path))) continue;
    for (const auto& record : workspace->label_sets(scores.dataset))
      if (record.id == scores.label_set) return pick(record);
  }
  const auto all = workspace->decisions("");
  for (auto last = all.rbegin(); last != all.rend(); ++last)
    if (const auto record = workspace->label_set_by_digest(last->label_set))
      if (name.empty() || record->dataset == name) return pick(*record);
  throw Error(
      fmt::format("no reviewed label set in {}: give a file with --labels", workspace->home().string()));
}

}  // namespace procsim::tools
