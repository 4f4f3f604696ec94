#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace procsim {

class FileChanges;

struct DatasetRecord {
  std::string name;
  std::string kind;
  std::string source;  // what open_dataset was called with: a known name, or a path
  std::string root;    // absolute, so that commands work from any folder
  std::int64_t classes = 0;
  std::int64_t samples = 0;
  std::string options;  // JSON: split policy, columns
};

struct TaxonomyRecord {
  std::int64_t id = 0;
  std::string dataset;
  std::string path;    // relative to the workspace folder
  std::string digest;  // SHA-256 of the file
};

struct LabelSetRecord {
  std::int64_t id = 0;
  std::string dataset;
  std::string path;     // relative to the workspace folder when inside it, else absolute
  std::string digest;   // SHA-256 of the file
  std::string kind;     // base, inject, apply, import
  std::string summary;  // "semantic 0.2 seed 1": what a person is told was picked
  std::int64_t rows = 0;
  std::int64_t changed = 0;
};

struct RunRecord {
  std::int64_t id = 0;
  std::string name;
  std::string dataset;
  std::int64_t label_set = 0;  // id
  std::string path;            // the run's folder, relative to the workspace folder
  std::string status;          // running, done, interrupted (also: its process is gone), failed
  std::string config;          // JSON
  std::string process{};       // that trains it or did last (data/base/process.hpp); "" when not known
};

struct MetricRecord {
  std::int64_t run = 0;
  std::int64_t epoch = 0;
  std::string name;
  double value = 0;
};

// A scores file: what a training left, or what was made without one. It stands for itself in the order of
// what was made when, and goes with its run when that is removed.
struct ScoresRecord {
  std::int64_t id = 0;
  std::string name;                 // what people call them: the run's name where they are a run's
  std::string dataset;              // the label set's; not stored again
  std::int64_t label_set = 0;       // id
  std::string path;                 // relative to the workspace folder when inside it, else absolute
  std::string digest;               // SHA-256 of the file; empty when an older program recorded it
  std::string made_by;              // the command: train, score, import-scores
  std::optional<std::int64_t> run;  // id; empty: no training made them
};

struct DecisionRecord {
  std::int64_t id = 0;
  std::string label_set;  // digest of the reviewed label set
  std::int64_t sample = 0;
  std::string reviewer;
  std::string verdict;  // a word of the reviewers' program; only stored here
  std::optional<std::int64_t> new_label;
  std::string new_node;
  std::string source;    // likewise
  std::string time;      // UTC, ISO 8601
  std::string previous;  // hash of the row before, empty for the first
  std::string hash;      // over all of the above
};

// A file or folder that a record names.
struct RecordedFile {
  std::string kind;  // taxonomy, label set, scores, run
  std::string name;
  std::string path;    // as stored
  std::string digest;  // empty: not known, or a folder
};

// Where the chain of decisions ends, kept apart from it: rows that are missing at its end are noticed.
struct DecisionsHead {
  std::int64_t rows = 0;
  std::string hash;  // of the last; empty where there is none
};

// Where a file stays when another one takes its name: beside it, under a name with its digest.
std::filesystem::path kept_path(const std::filesystem::path& path, std::string_view digest);

// The folder `.procsim` with its database (SQLite, write-ahead log). Large columns stay in Parquet; the
// database holds paths and digests. Every put is one transaction. Errors of SQLite become Error with the
// database's path.
//
// One object per thread; several processes may use a workspace at once.
class Workspace {
 public:
  // The workspace a command works on: `explicit_folder` (--workspace), else PROCSIM_WORKSPACE, else the
  // nearest parent of the current folder that has one. Empty when there is none. The folder is the one that
  // holds `.procsim`.
  static std::optional<std::filesystem::path> find(
      const std::optional<std::filesystem::path>& explicit_folder);

  // Where the workspace of a folder lives, whether it is there or not, and whether it is.
  static std::filesystem::path home_in(const std::filesystem::path& folder);
  static bool exists_in(const std::filesystem::path& folder);

  // Opens the workspace in `folder`; throws Error when there is none or its version is newer than this
  // program. One of an older version is brought up to date. Where its folder cannot be written it is read
  // only: what puts something throws Error.
  static Workspace open(const std::filesystem::path& folder);
  // Opens it, made first where there is none.
  static Workspace open_or_create(const std::filesystem::path& folder);

  // Whether open_or_create made it. Of several programs at once only one does.
  bool is_new() const;
  // Removes a workspace that holds no data set, for a program that made it and then failed. Nothing may be
  // called afterwards.
  void discard_unused();

  ~Workspace();
  Workspace(Workspace&&) noexcept;
  Workspace& operator=(Workspace&&) noexcept;

  bool is_writable() const;
  // Throws Error where it is not: for commands that would find out late.
  void require_writable() const;
  const std::filesystem::path& home() const;                          // …/.procsim
  std::filesystem::path resolve(std::string_view stored_path) const;  // stored → usable
  std::string stored_path(const std::filesystem::path& path) const;   // usable → stored

  // What `puts` puts is recorded together, or not at all when it throws.
  void put_together(const std::function<void()>& puts);
  // The same with prepared files: all appear and are recorded, or none, whatever fails on the way. Of a
  // process that is killed meanwhile, whoever opens the workspace next brings back the files that were there
  // before.
  void put_together(FileChanges& files, const std::function<void()>& puts);

  // The data set put last is the current one.
  void put_dataset(const DatasetRecord& record);
  std::optional<DatasetRecord> dataset(std::string_view name) const;
  std::optional<DatasetRecord> current_dataset() const;
  std::vector<std::string> dataset_names() const;  // used last first

  // Replaces nothing: every put is a new row; the newest counts. Putting the same digest again refreshes its
  // age. A path holds one file: records of others that stood there before are moved to their kept_path, which
  // is where the file is if it was kept.
  std::int64_t put_taxonomy(const TaxonomyRecord& record);
  std::optional<TaxonomyRecord> newest_taxonomy(std::string_view dataset) const;

  std::int64_t put_label_set(const LabelSetRecord& record);
  std::optional<LabelSetRecord> newest_label_set(std::string_view dataset, std::string_view kind = {}) const;
  std::optional<LabelSetRecord> label_set_by_digest(std::string_view digest) const;
  std::vector<LabelSetRecord> label_sets(std::string_view dataset) const;  // newest first

  std::int64_t put_run(const RunRecord& record);
  void update_run(const RunRecord& record);  // by id
  void remove_run(std::int64_t id);          // with its metrics and scores; its files stay
  std::optional<RunRecord> run(std::string_view name) const;
  std::vector<RunRecord> runs() const;  // newest first
  void put_metrics(const std::vector<MetricRecord>& metrics);
  std::vector<MetricRecord> metrics(std::int64_t run) const;

  // The scores put last are the newest. A file holds one set of scores: putting its path again replaces what
  // was recorded of it.
  std::int64_t put_scores(const ScoresRecord& record);
  std::optional<ScoresRecord> newest_scores(std::string_view dataset) const;
  std::optional<ScoresRecord> scores_of_run(std::int64_t run) const;
  std::optional<ScoresRecord> scores_named(std::string_view name) const;  // the newest of that name
  std::vector<ScoresRecord> scores(std::string_view dataset) const;       // newest first; all when empty

  // Appends to the hash chain of decisions and returns the row as stored (id, previous and hash filled in).
  // Safe from several processes at once.
  DecisionRecord append_decision(DecisionRecord decision);
  std::vector<DecisionRecord> decisions(std::string_view label_set) const;  // oldest first; all when empty
  DecisionsHead decisions_head() const;

  // What SQLite finds wrong with the database itself; empty when nothing.
  std::vector<std::string> damage() const;
  // Every file and folder that a record names.
  std::vector<RecordedFile> recorded_files() const;
  // Runs that are recorded as running and whose process is gone: records that, and returns their names.
  std::vector<std::string> mark_interrupted_runs();
  // A copy in `folder`, which must hold no workspace: database and files as they are at one moment, while
  // others go on. Others wait only while names are noted, not while bytes are copied.
  void back_up(const std::filesystem::path& folder);

 private:
  struct State;
  explicit Workspace(std::unique_ptr<State> state);
  std::unique_ptr<State> state_;
};

// The hash that `append_decision` stores: SHA-256 over the other fields.
std::string decision_hash(const DecisionRecord& decision);

}  // namespace procsim
