#pragma once

#include <filesystem>
#include <optional>
#include <string>

#include "curate/evidence/kinship.hpp"
#include "curate/evidence/score_table.hpp"
#include "curate/report/image_store.hpp"
#include "curate/report/report.hpp"
#include "data/workspace/workspace.hpp"
#include "tools/program/program.hpp"

namespace procsim::tools {

// Which scores a command of `curate` works on, and what belongs to them.
struct SubjectOptions {
  std::optional<std::filesystem::path> scores;    // --scores; else the newest run's
  std::optional<std::string> run;                 // --run: that run's
  std::optional<std::string> dataset;             // --dataset: the newest of this one; else of the current
  std::optional<std::filesystem::path> taxonomy;  // --taxonomy; else the workspace's
  std::optional<std::filesystem::path> root;      // --root of the images; else the workspace's
};
void add_subject_options(CLI::App* command, SubjectOptions& options);

struct Subject {
  std::optional<Workspace> workspace;  // empty when the files were given and there is none around
  std::string name;                    // of the run, or of the scores file: names what is made from it
  std::filesystem::path scores_file;
  curate::ScoreTable scores;
  curate::ReportSource source;
  std::optional<LabelSetRecord> labels;  // as the workspace knows it
  curate::ClassFamilies families;
  std::optional<std::filesystem::path> root;

  // On these labels and those they were made from; none without a workspace.
  std::vector<DecisionRecord> decisions() const;
  // Rows from the most to the least suspect, without what was judged in the labels that these were made from.
  std::vector<std::uint32_t> suspects() const;
};

// Reads the scores and finds the rest; says what it picked by itself. Throws Error with what to do when there
// are no scores to be found.
Subject open_subject(const SubjectOptions& options, const GlobalOptions& global);
Subject open_subject(const SubjectOptions& options, const GlobalOptions& global,
                     std::optional<Workspace> workspace);

// The taxonomy of a data set: the file, else the workspace's newest; unknown families when there is neither.
curate::ClassFamilies open_families(const std::optional<std::filesystem::path>& file,
                                    const std::optional<Workspace>& workspace, const std::string& dataset,
                                    const std::vector<LabelClass>& classes);

// find_workspace for commands that make one where there is none: a folder named with --workspace need not
// hold one yet.
std::optional<Workspace> find_workspace_to_be(const GlobalOptions& global);
// The subject's workspace, taken out of it; a new one where it has none, and says so.
Workspace take_workspace(Subject& subject, const GlobalOptions& global);

}  // namespace procsim::tools
