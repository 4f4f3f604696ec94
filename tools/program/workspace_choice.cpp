#include "tools/program/workspace_choice.hpp"

#include <fmt/format.h>

#include "data/base/error.hpp"
#include "data/base/suggest.hpp"
#include "data/files/file_name.hpp"
#include "data/labels/label_set.hpp"

namespace procsim::tools {
namespace {

std::string shown_as(const LabelSetRecord& record) {
  return record.summary.empty() ? record.kind : record.summary;
}

std::string no_workspace(std::string_view instead) {
  return fmt::format(
      "no workspace in this folder or above it. Make one with 'taxo build <data set>', or give {}.", instead);
}

}  // namespace

Workspace open_workspace(const GlobalOptions& global) {
  auto workspace = find_workspace(global);
  if (!workspace) throw Error(no_workspace("--workspace DIR"));
  return std::move(*workspace);
}

std::optional<Workspace> find_workspace(const GlobalOptions& global) {
  const auto folder = Workspace::find(global.workspace);
  if (!folder) return std::nullopt;
  return Workspace::open(*folder);
}

DatasetRecord require_dataset(const Workspace& workspace, std::string_view instead) {
  if (auto current = workspace.current_dataset()) return std::move(*current);
  throw Error(fmt::format("the workspace has no data set yet. Make one with 'taxo build <data set>'{}{}.",
                          instead.empty() ? "" : ", or give ", instead));
}

std::string chosen_dataset(const Workspace& workspace, const std::optional<std::string>& named) {
  if (!named) {
    const auto current = workspace.current_dataset();
    return current ? current->name : std::string();
  }
  if (workspace.dataset(*named)) return *named;
  const auto known = workspace.dataset_names();
  throw Error(fmt::format("the workspace has no data set '{}'; it has: {}{}", *named, fmt::join(known, ", "),
                          did_you_mean(*named, known)));
}

LabelSetRecord require_labels(const GlobalOptions& global, const Workspace& workspace,
                              const std::string& dataset, std::string_view kind) {
  auto record = workspace.newest_label_set(dataset, kind);
  if (!record) {
    throw Error(fmt::format(
        "the workspace has no {0}{1}label set of '{2}'. Make one with 'taxo build {2}', or give --labels "
        "FILE.",
        kind, kind.empty() ? "" : " ", dataset));
  }
  say(global, fmt::format("labels: {} {} ({})", dataset, shown_as(*record), record->path));
  return std::move(*record);
}

std::filesystem::path label_file(const Workspace& workspace, const LabelSetRecord& record) {
  auto file = workspace.resolve(record.path);
  std::error_code ignored;
  if (std::filesystem::exists(file, ignored)) return file;
  throw Error(
      fmt::format("{} was replaced or deleted: it held the label set '{}' of {}. Make it again, or give "
                  "another one on the command line.",
                  file.string(), shown_as(record), record.dataset));
}

std::filesystem::path unchanged_label_file(const Workspace& workspace, const LabelSetRecord& record) {
  auto file = label_file(workspace, record);
  if (parts_digest(file) == record.digest) return file;
  throw Error(fmt::format(
      "{} has changed since it was recorded as the label set '{}' of {}. Give the one that is meant with "
      "--labels FILE.",
      file.string(), shown_as(record), record.dataset));
}

std::filesystem::path choose_labels(const GlobalOptions& global, const LabelChoice& choice,
                                    std::string_view kind) {
  if (choice.file) {
    if (std::filesystem::exists(*choice.file)) return *choice.file;
    throw Error(fmt::format("{} does not exist", choice.file->string()));
  }
  const auto workspace = find_workspace(global);
  if (!workspace) throw Error(no_workspace("--labels FILE"));
  const auto dataset = choice.dataset ? *choice.dataset : require_dataset(*workspace, "--labels FILE").name;
  return label_file(*workspace, require_labels(global, *workspace, dataset, kind));
}

std::optional<std::filesystem::path> find_root(const std::optional<Workspace>& workspace,
                                               const std::optional<std::filesystem::path>& given,
                                               const std::string& dataset) {
  if (given) return given;
  const auto record = workspace ? workspace->dataset(dataset) : std::nullopt;
  if (!record || record->root.empty()) return std::nullopt;
  return std::filesystem::path(record->root);
}

LabelledImages find_labelled_images(const GlobalOptions& global,
                                    const std::optional<std::filesystem::path>& labels,
                                    const std::optional<std::filesystem::path>& root) {
  const auto workspace = find_workspace(global);
  if (!workspace) {
    if (labels) return {*labels, root.value_or(""), std::nullopt};
    throw Error(no_workspace("--labels FILE"));
  }
  if (labels && root) return {*labels, *root, workspace->home()};
  const auto dataset = labels ? workspace->current_dataset() : require_dataset(*workspace, "--labels FILE");
  const auto known = dataset ? std::filesystem::path(dataset->root) : std::filesystem::path();
  return {labels ? *labels : label_file(*workspace, require_labels(global, *workspace, dataset->name)),
          root.value_or(known), workspace->home()};
}

}  // namespace procsim::tools
