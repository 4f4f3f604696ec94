#pragma once

#include <string>
#include <vector>

#include <nlohmann/json.hpp>

#include "data/labels/scores.hpp"
#include "data/workspace/workspace.hpp"
#include "tests/support/run_program.hpp"
#include "tests/support/test_files.hpp"

namespace procsim::test {

// A workspace as taxo, noise and procsim-train leave it: birds with 60 images, every fifth label wrong, a run
// with scores that rank the wrong ones first.
class CurateWorkspace {
 public:
  CurateWorkspace();

  const std::filesystem::path& folder() const { return folder_.path(); }
  std::filesystem::path labels() const { return folder_.path() / "labels.parquet"; }
  std::filesystem::path scores() const { return folder_.path() / "scores.parquet"; }
  const std::vector<ScoreRow>& rows() const { return rows_; }
  const std::string& labels_digest() const { return digest_; }
  Workspace open() const { return Workspace::open(folder_.path()); }

  // A run with this scores file: the newest.
  void add_run(const std::string& name, std::int64_t label_set, const std::filesystem::path& scores) const;

  void decide(std::int64_t sample, const std::string& reviewer, const std::string& verdict,
              std::optional<std::int64_t> label = {}, const std::string& node = {},
              const std::string& source = "queue");

  // Runs `curate` in the folder.
  ProgramResult curate(std::vector<std::string> arguments) const;
  // The same, which must succeed, with --json.
  nlohmann::json curate_json(std::vector<std::string> arguments) const;

 private:
  TemporaryFolder folder_;
  std::vector<ScoreRow> rows_;
  std::string digest_;
};

}  // namespace procsim::test
