#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>

#include "data/workspace/workspace.hpp"
#include "tools/program/option_groups.hpp"
#include "tools/program/program.hpp"

namespace procsim::tools {

// What a command takes from the workspace when the command line does not name it.

// The workspace of the command line; throws Error with what to do where there is none.
Workspace open_workspace(const GlobalOptions& global);
// The same for commands that also work on files alone.
std::optional<Workspace> find_workspace(const GlobalOptions& global);

// The workspace's current data set. Throws Error where it has none; `instead` is what could be given in its
// place ("--labels FILE").
DatasetRecord require_dataset(const Workspace& workspace, std::string_view instead = "");

// The name of the data set that --dataset names, else of the current one; empty where the workspace has none.
// Throws Error with those that it has.
std::string chosen_dataset(const Workspace& workspace, const std::optional<std::string>& named);

// The data set's newest label set of a kind ("base", any when empty); says which one it is. Throws Error with
// what to do where there is none.
LabelSetRecord require_labels(const GlobalOptions& global, const Workspace& workspace,
                              const std::string& dataset, std::string_view kind = "");

// The file of a label set that the workspace has recorded. Throws Error when it is not there any more.
std::filesystem::path label_file(const Workspace& workspace, const LabelSetRecord& record);
// The same for commands that write the recorded digest into what they make: throws Error also when the file
// is another one. Reads all of it.
std::filesystem::path unchanged_label_file(const Workspace& workspace, const LabelSetRecord& record);

// The label set that a command was told to read; says which one it is when it was not given as a file. Throws
// Error with what to do where there is none, and where the file does not exist.
std::filesystem::path choose_labels(const GlobalOptions& global, const LabelChoice& choice,
                                    std::string_view kind = "");

// Where the images of a data set are: what was given, else what the workspace knows.
std::optional<std::filesystem::path> find_root(const std::optional<Workspace>& workspace,
                                               const std::optional<std::filesystem::path>& given,
                                               const std::string& dataset);

// Where labels and their images are: what was given, else what the workspace holds.
struct LabelledImages {
  std::filesystem::path labels;
  std::filesystem::path root;                 // empty: neither given nor known
  std::optional<std::filesystem::path> home;  // of the workspace, where there is one
};
LabelledImages find_labelled_images(const GlobalOptions& global,
                                    const std::optional<std::filesystem::path>& labels,
                                    const std::optional<std::filesystem::path>& root);

}  // namespace procsim::tools
