#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "data/base/digest.hpp"
#include "data/workspace/workspace.hpp"
#include "tests/support/run_program.hpp"
#include "tests/train/tiny_dataset.hpp"

namespace procsim::test {

// A workspace with a tiny data set and one label set, and procsim-train on it.
struct TrainWorkspace {
  TinyDataset dataset;

  TrainWorkspace() {
    auto workspace = Workspace::open_or_create(dataset.folder.path());
    workspace.put_dataset({.name = "tiny",
                           .kind = "folder",
                           .source = "tiny",
                           .root = dataset.root().string(),
                           .classes = TinyDataset::kClasses,
                           .samples = TinyDataset::kClasses * TinyDataset::kPerClass,
                           .options = "{}"});
    LabelSetRecord labels;
    labels.dataset = "tiny";
    labels.path = workspace.stored_path(dataset.label_file());
    labels.digest = sha256_file(dataset.label_file());
    labels.kind = "inject";
    labels.summary = "uniform 0.1 seed 1";
    labels.rows = 96;
    labels.changed = 6;
    workspace.put_label_set(labels);
  }

  std::filesystem::path home() const { return dataset.folder / ".procsim"; }
  std::filesystem::path run_folder(const std::string& name) const { return home() / "runs" / name; }

  ProgramResult run(const std::vector<std::string>& arguments,
                    const std::string& program = "procsim-train") const {
    return run_program(program, arguments, {.folder = dataset.folder.path(), .environment = {}, .input = {}});
  }

  // Settings that train in a second.
  std::vector<std::string> quick(std::vector<std::string> more = {}) const {
    std::vector<std::string> words{"--image-size", "32",    "--dimension", "16", "--batch",   "12",
                                   "--lr",         "0.002", "--epochs",    "2",  "--weights", "none",
                                   "--device",     "cpu",   "--threads",   "1"};
    words.insert(words.end(), more.begin(), more.end());
    return words;
  }
};

}  // namespace procsim::test
