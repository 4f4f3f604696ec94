#include "data/workspace/workspace.hpp"

#include <chrono>
#include <cstdlib>
#include <ctime>

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include "data/base/digest.hpp"
#include "data/base/error.hpp"
#include "data/workspace/sqlite.hpp"

namespace procsim {
namespace fs = std::filesystem;
namespace {

constexpr const char* kHomeName = ".procsim";
constexpr const char* kDatabaseName = "workspace.db";

// The schema, a step per version: user_version says how many steps a database has seen. Steps are never
// changed, only added: databases of users have gone through them.
constexpr const char* kMigrations[] = {
    R"sql(
CREATE TABLE datasets (
  name TEXT PRIMARY KEY, kind TEXT NOT NULL, source TEXT NOT NULL, root TEXT NOT NULL,
  classes INTEGER NOT NULL, samples INTEGER NOT NULL, options TEXT NOT NULL, used INTEGER NOT NULL);
CREATE TABLE taxonomies (
  id INTEGER PRIMARY KEY, dataset TEXT NOT NULL, path TEXT NOT NULL, digest TEXT NOT NULL UNIQUE,
  used INTEGER NOT NULL);
CREATE TABLE taxonomy_nodes (
  taxonomy INTEGER NOT NULL REFERENCES taxonomies(id) ON DELETE CASCADE, node INTEGER NOT NULL,
  node_id TEXT NOT NULL, name TEXT NOT NULL, gloss TEXT NOT NULL, sense_key TEXT NOT NULL,
  PRIMARY KEY (taxonomy, node)) WITHOUT ROWID;
CREATE TABLE taxonomy_edges (
  taxonomy INTEGER NOT NULL, child INTEGER NOT NULL, parent INTEGER NOT NULL, in_tree INTEGER NOT NULL,
  PRIMARY KEY (taxonomy, child, parent),
  FOREIGN KEY (taxonomy, child) REFERENCES taxonomy_nodes(taxonomy, node) ON DELETE CASCADE,
  FOREIGN KEY (taxonomy, parent) REFERENCES taxonomy_nodes(taxonomy, node) ON DELETE CASCADE) WITHOUT ROWID;
CREATE TABLE taxonomy_classes (
  taxonomy INTEGER NOT NULL, label INTEGER NOT NULL, name TEXT NOT NULL, node INTEGER NOT NULL, how TEXT NOT NULL,
  PRIMARY KEY (taxonomy, label),
  FOREIGN KEY (taxonomy, node) REFERENCES taxonomy_nodes(taxonomy, node) ON DELETE CASCADE) WITHOUT ROWID;
CREATE TABLE label_sets (
  id INTEGER PRIMARY KEY, dataset TEXT NOT NULL, path TEXT NOT NULL, digest TEXT NOT NULL, kind TEXT NOT NULL,
  summary TEXT NOT NULL, rows INTEGER NOT NULL, changed INTEGER NOT NULL, used INTEGER NOT NULL,
  UNIQUE (path, digest));
CREATE TABLE runs (
  id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE, dataset TEXT NOT NULL,
  label_set INTEGER NOT NULL REFERENCES label_sets(id), path TEXT NOT NULL, scores TEXT NOT NULL,
  status TEXT NOT NULL, config TEXT NOT NULL);
CREATE TABLE metrics (
  run INTEGER NOT NULL REFERENCES runs(id) ON DELETE CASCADE, epoch INTEGER NOT NULL, name TEXT NOT NULL,
  value REAL, PRIMARY KEY (run, epoch, name)) WITHOUT ROWID;
CREATE TABLE decisions (
  id INTEGER PRIMARY KEY AUTOINCREMENT, label_set TEXT NOT NULL, sample INTEGER NOT NULL, reviewer TEXT NOT NULL,
  verdict TEXT NOT NULL, new_label INTEGER, new_node TEXT NOT NULL, source TEXT NOT NULL, time TEXT NOT NULL,
  previous TEXT NOT NULL, hash TEXT NOT NULL);
CREATE INDEX decisions_by_set ON decisions(label_set, sample);
CREATE TRIGGER decisions_stay_unchanged BEFORE UPDATE ON decisions
  BEGIN SELECT RAISE(ABORT, 'decisions are append-only'); END;
CREATE TRIGGER decisions_stay BEFORE DELETE ON decisions
  BEGIN SELECT RAISE(ABORT, 'decisions are append-only'); END;
CREATE TABLE clock (ticks INTEGER NOT NULL);
INSERT INTO clock VALUES (0);
)sql"};
constexpr std::int64_t kNewestVersion = std::size(kMigrations);

void migrate(Database& database) {
  const auto version_of = [&] {
    Statement statement(database, "PRAGMA user_version");
    statement.step();
    return statement.integer(0);
  };
  if (const auto version = version_of(); version > kNewestVersion) {
    throw Error(
        fmt::format("{} is a workspace of version {}, this program reads up to {}. Use a newer program.",
                    database.path().string(), version, kNewestVersion));
  } else if (version < 0) {
    throw Error(fmt::format("{} is not a database of ours (version {}). Move it away.",
                            database.path().string(), version));
  } else if (version == kNewestVersion) {
    return;
  }
  Transaction transaction(database);
  const auto version = version_of();  // again, now that nobody else can migrate
  for (auto step = version; step < kNewestVersion; ++step) database.execute(kMigrations[step]);
  database.execute(fmt::format("PRAGMA user_version = {}", kNewestVersion));
  transaction.commit();
}

// A counter, not the time: "newest" must not depend on clocks. Call inside a transaction.
std::int64_t tick(Database& database) {
  database.execute("UPDATE clock SET ticks = ticks + 1");
  Statement statement(database, "SELECT ticks FROM clock");
  statement.step();
  return statement.integer(0);
}

// Records of files that stood under `path` before this one follow them to where they are kept.
void move_replaced(Database& database, std::string_view table, const std::string& path,
                   const std::string& digest) {
  std::vector<std::pair<std::int64_t, std::string>> replaced;
  Statement others(database, fmt::format("SELECT id, digest FROM {} WHERE path = ? AND digest <> ?", table));
  others.bind(path).bind(digest);
  while (others.step()) replaced.emplace_back(others.integer(0), others.text(1));
  Statement move(database, fmt::format("UPDATE OR IGNORE {} SET path = ? WHERE id = ?", table));
  for (const auto& [id, old_digest] : replaced)
    move.bind(kept_path(path, old_digest).string()).bind(id).run();
}

std::string utc_now() {
  const auto now = std::chrono::floor<std::chrono::milliseconds>(std::chrono::system_clock::now());
  const auto seconds = std::chrono::system_clock::to_time_t(now);
  std::tm parts{};
  ::gmtime_r(&seconds, &parts);
  return fmt::format("{:04}-{:02}-{:02}T{:02}:{:02}:{:02}.{:03}Z", parts.tm_year + 1900, parts.tm_mon + 1,
                     parts.tm_mday, parts.tm_hour, parts.tm_min, parts.tm_sec,
                     now.time_since_epoch().count() % 1000);
}

DatasetRecord dataset_from(const Statement& row) {
  return {row.text(0), row.text(1), row.text(2), row.text(3), row.integer(4), row.integer(5), row.text(6)};
}
constexpr const char* kDatasetColumns =
    "SELECT name, kind, source, root, classes, samples, options FROM datasets ";

LabelSetRecord label_set_from(const Statement& row) {
  return {row.integer(0), row.text(1), row.text(2),    row.text(3),
          row.text(4),    row.text(5), row.integer(6), row.integer(7)};
}
constexpr const char* kLabelSetColumns =
    "SELECT id, dataset, path, digest, kind, summary, rows, changed FROM label_sets ";

RunRecord run_from(const Statement& row) {
  return {row.integer(0), row.text(1), row.text(2), row.integer(3),
          row.text(4),    row.text(5), row.text(6), row.text(7)};
}
constexpr const char* kRunColumns =
    "SELECT id, name, dataset, label_set, path, scores, status, config FROM runs ";

template <typename Convert>
auto first_of(Statement& statement, Convert convert) -> std::optional<decltype(convert(statement))> {
  if (!statement.step()) return std::nullopt;
  return convert(statement);
}

template <typename Convert>
auto all_of(Statement& statement, Convert convert) {
  std::vector<decltype(convert(statement))> found;
  while (statement.step()) found.push_back(convert(statement));
  return found;
}

// SQLite takes an empty file for a new database. False when it was there, or cannot be made, which SQLite
// then says.
bool make_empty(const fs::path& file) {
  const int descriptor = ::open(file.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
  if (descriptor < 0) return false;
  ::close(descriptor);
  return true;
}

// With the folders that it leaves empty.
void remove_database(const fs::path& home) {
  std::error_code ignored;
  for (const char* end : {"-wal", "-shm", ""}) fs::remove(home / (std::string(kDatabaseName) + end), ignored);
  std::vector<fs::path> folders;
  for (const auto& entry : fs::directory_iterator(home, ignored)) {
    if (entry.is_directory(ignored)) folders.push_back(entry.path());
  }
  folders.push_back(home);
  for (const auto& folder : folders) {
    if (fs::is_empty(folder, ignored)) fs::remove(folder, ignored);
  }
}

}  // namespace

fs::path kept_path(const fs::path& path, std::string_view digest) {
  return path.parent_path() /
         fmt::format("{}-{}{}", path.stem().string(), digest.substr(0, 8), path.extension().string());
}

struct Workspace::State {
  explicit State(fs::path folder, bool made_now = false)
      : home(std::move(folder)), is_new(made_now), database(home / kDatabaseName) {
    database.execute("PRAGMA foreign_keys = ON");
    migrate(database);
    if (!database.is_read_only()) database.execute("PRAGMA journal_mode = WAL");
  }
  fs::path home;
  bool is_new;
  mutable Database database;
};

Workspace::Workspace(std::unique_ptr<State> state) : state_(std::move(state)) {}
Workspace::~Workspace() = default;
Workspace::Workspace(Workspace&&) noexcept = default;
Workspace& Workspace::operator=(Workspace&&) noexcept = default;

std::optional<fs::path> Workspace::find(const std::optional<fs::path>& explicit_folder) {
  if (explicit_folder) return explicit_folder;
  if (const char* folder = std::getenv("PROCSIM_WORKSPACE"); folder != nullptr && *folder != '\0')
    return folder;
  for (auto folder = fs::current_path();; folder = folder.parent_path()) {
    if (exists_in(folder)) return folder;
    if (folder == folder.parent_path()) return std::nullopt;
  }
}

fs::path Workspace::home_in(const fs::path& folder) { return fs::absolute(folder) / kHomeName; }

bool Workspace::exists_in(const fs::path& folder) { return fs::exists(home_in(folder) / kDatabaseName); }

Workspace Workspace::open(const fs::path& folder) {
  if (!exists_in(folder)) {
    throw Error(fmt::format("{} holds no workspace (no {}/{}). Make one with 'taxo build <data set>'.",
                            folder.string(), kHomeName, kDatabaseName));
  }
  return Workspace(std::make_unique<State>(home_in(folder)));
}

Workspace Workspace::open_or_create(const fs::path& folder) {
  const auto home = home_in(folder);
  std::error_code code;
  fs::create_directories(home, code);
  if (code) throw Error(fmt::format("cannot create folder {}: {}", home.string(), code.message()));
  const bool is_new = make_empty(home / kDatabaseName);
  try {
    return Workspace(std::make_unique<State>(home, is_new));
  } catch (...) {
    if (is_new) remove_database(home);
    throw;
  }
}

bool Workspace::is_new() const { return state_->is_new; }

void Workspace::discard_unused() {
  const Transaction lock(state_->database);
  if (!current_dataset()) remove_database(state_->home);
}

bool Workspace::is_writable() const { return !state_->database.is_read_only(); }

void Workspace::require_writable() const { state_->database.require_writable(); }

const fs::path& Workspace::home() const { return state_->home; }

fs::path Workspace::resolve(std::string_view stored_path) const { return state_->home / stored_path; }

std::string Workspace::stored_path(const fs::path& path) const {
  const auto absolute = fs::absolute(path).lexically_normal();
  const auto relative = absolute.lexically_relative(state_->home.lexically_normal());
  const bool is_inside = !relative.empty() && *relative.begin() != "..";
  return is_inside ? relative.string() : absolute.string();
}

void Workspace::put_together(const std::function<void()>& puts) {
  Transaction transaction(state_->database);
  puts();
  transaction.commit();
}

void Workspace::put_dataset(const DatasetRecord& record) {
  Transaction transaction(state_->database);
  Statement(state_->database, "INSERT OR REPLACE INTO datasets VALUES (?,?,?,?,?,?,?,?)")
      .bind(record.name)
      .bind(record.kind)
      .bind(record.source)
      .bind(record.root)
      .bind(record.classes)
      .bind(record.samples)
      .bind(record.options)
      .bind(tick(state_->database))
      .run();
  transaction.commit();
}

std::optional<DatasetRecord> Workspace::dataset(std::string_view name) const {
  Statement statement(state_->database, std::string(kDatasetColumns) + "WHERE name = ?");
  statement.bind(name);
  return first_of(statement, dataset_from);
}

std::optional<DatasetRecord> Workspace::current_dataset() const {
  Statement statement(state_->database, std::string(kDatasetColumns) + "ORDER BY used DESC LIMIT 1");
  return first_of(statement, dataset_from);
}

std::int64_t Workspace::put_taxonomy(const TaxonomyRecord& record,
                                     const std::vector<TaxonomyNodeRecord>& nodes,
                                     const std::vector<TaxonomyEdgeRecord>& edges,
                                     const std::vector<TaxonomyClassRecord>& classes) {
  auto& database = state_->database;
  Transaction transaction(database);
  move_replaced(database, "taxonomies", record.path, record.digest);
  Statement existing(database, "UPDATE taxonomies SET path = ?, used = ? WHERE digest = ? RETURNING id");
  existing.bind(record.path).bind(tick(database)).bind(record.digest);
  if (existing.step()) {
    const auto id = existing.integer(0);
    existing.step();
    transaction.commit();
    return id;
  }
  Statement(database, "INSERT INTO taxonomies (dataset, path, digest, used) VALUES (?,?,?,?)")
      .bind(record.dataset)
      .bind(record.path)
      .bind(record.digest)
      .bind(tick(database))
      .run();
  const auto id = database.last_row();
  Statement put_node(database, "INSERT INTO taxonomy_nodes VALUES (?,?,?,?,?,?)");
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    const auto& node = nodes[i];
    put_node.bind(id).bind(static_cast<std::int64_t>(i)).bind(node.id).bind(node.name).bind(node.gloss);
    put_node.bind(node.sense_key).run();
  }
  Statement put_edge(database, "INSERT INTO taxonomy_edges VALUES (?,?,?,?)");
  for (const auto& edge : edges) {
    put_edge.bind(id).bind(edge.child).bind(edge.parent).bind(std::int64_t{edge.in_tree}).run();
  }
  Statement put_class(database, "INSERT INTO taxonomy_classes VALUES (?,?,?,?,?)");
  for (const auto& entry : classes) {
    put_class.bind(id).bind(entry.label).bind(entry.name).bind(entry.node).bind(entry.how).run();
  }
  transaction.commit();
  return id;
}

std::optional<TaxonomyRecord> Workspace::newest_taxonomy(std::string_view dataset) const {
  Statement statement(
      state_->database,
      "SELECT id, dataset, path, digest FROM taxonomies WHERE dataset = ? ORDER BY used DESC LIMIT 1");
  statement.bind(dataset);
  return first_of(statement, [](const Statement& row) {
    return TaxonomyRecord{row.integer(0), row.text(1), row.text(2), row.text(3)};
  });
}

std::int64_t Workspace::put_label_set(const LabelSetRecord& record) {
  auto& database = state_->database;
  Transaction transaction(database);
  move_replaced(database, "label_sets", record.path, record.digest);
  // One that was kept aside and is back under its name stays the same row: runs refer to it.
  Statement(database, "UPDATE OR IGNORE label_sets SET path = ? WHERE path = ? AND digest = ?")
      .bind(record.path)
      .bind(kept_path(record.path, record.digest).string())
      .bind(record.digest)
      .run();
  Statement statement(
      database,
      "INSERT INTO label_sets (dataset, path, digest, kind, summary, rows, changed, used) "
      "VALUES (?,?,?,?,?,?,?,?) ON CONFLICT (path, digest) DO UPDATE SET used = excluded.used "
      "RETURNING id");
  statement.bind(record.dataset).bind(record.path).bind(record.digest).bind(record.kind).bind(record.summary);
  statement.bind(record.rows).bind(record.changed).bind(tick(database));
  statement.step();
  const auto id = statement.integer(0);
  statement.step();
  transaction.commit();
  return id;
}

std::optional<LabelSetRecord> Workspace::newest_label_set(std::string_view dataset,
                                                          std::string_view kind) const {
  Statement statement(state_->database,
                      std::string(kLabelSetColumns) +
                          "WHERE dataset = ?1 AND (?2 = '' OR kind = ?2) ORDER BY used DESC LIMIT 1");
  statement.bind(dataset).bind(kind);
  return first_of(statement, label_set_from);
}

std::optional<LabelSetRecord> Workspace::label_set_by_digest(std::string_view digest) const {
  Statement statement(state_->database,
                      std::string(kLabelSetColumns) + "WHERE digest = ? ORDER BY used DESC LIMIT 1");
  statement.bind(digest);
  return first_of(statement, label_set_from);
}

std::vector<LabelSetRecord> Workspace::label_sets(std::string_view dataset) const {
  Statement statement(state_->database,
                      std::string(kLabelSetColumns) + "WHERE dataset = ? ORDER BY used DESC");
  statement.bind(dataset);
  return all_of(statement, label_set_from);
}

std::int64_t Workspace::put_run(const RunRecord& record) {
  Transaction transaction(state_->database);
  Statement statement(
      state_->database,
      "INSERT INTO runs (name, dataset, label_set, path, scores, status, config) VALUES (?,?,?,?,?,?,?)");
  statement.bind(record.name)
      .bind(record.dataset)
      .bind(record.label_set)
      .bind(record.path)
      .bind(record.scores);
  statement.bind(record.status).bind(record.config).run();
  const auto id = state_->database.last_row();
  transaction.commit();
  return id;
}

void Workspace::update_run(const RunRecord& record) {
  Statement statement(
      state_->database,
      "UPDATE runs SET name = ?, dataset = ?, label_set = ?, path = ?, scores = ?, status = ?, "
      "config = ? WHERE id = ?");
  statement.bind(record.name)
      .bind(record.dataset)
      .bind(record.label_set)
      .bind(record.path)
      .bind(record.scores);
  statement.bind(record.status).bind(record.config).bind(record.id).run();
}

void Workspace::remove_run(std::int64_t id) {
  Statement statement(state_->database, "DELETE FROM runs WHERE id = ?");
  statement.bind(id).run();
}

std::optional<RunRecord> Workspace::newest_run(std::string_view dataset) const {
  Statement statement(state_->database,
                      std::string(kRunColumns) + "WHERE dataset = ? ORDER BY id DESC LIMIT 1");
  statement.bind(dataset);
  return first_of(statement, run_from);
}

std::optional<RunRecord> Workspace::run(std::string_view name) const {
  Statement statement(state_->database, std::string(kRunColumns) + "WHERE name = ?");
  statement.bind(name);
  return first_of(statement, run_from);
}

std::vector<RunRecord> Workspace::runs() const {
  Statement statement(state_->database, std::string(kRunColumns) + "ORDER BY id DESC");
  return all_of(statement, run_from);
}

void Workspace::put_metrics(const std::vector<MetricRecord>& metrics) {
  Transaction transaction(state_->database);
  Statement statement(state_->database, "INSERT OR REPLACE INTO metrics VALUES (?,?,?,?)");
  for (const auto& metric : metrics) {
    statement.bind(metric.run).bind(metric.epoch).bind(metric.name).bind(metric.value).run();
  }
  transaction.commit();
}

std::vector<MetricRecord> Workspace::metrics(std::int64_t run) const {
  Statement statement(state_->database,
                      "SELECT run, epoch, name, value FROM metrics WHERE run = ? ORDER BY epoch, name");
  statement.bind(run);
  return all_of(statement, [](const Statement& row) {
    return MetricRecord{row.integer(0), row.integer(1), row.text(2), row.real(3)};
  });
}

std::string decision_hash(const DecisionRecord& decision) {
  // Lengths before values: no two different rows give the same text.
  const auto label = decision.new_label ? std::to_string(*decision.new_label) : std::string("none");
  std::string text;
  for (const auto& field :
       {decision.label_set, std::to_string(decision.sample), decision.reviewer, decision.verdict, label,
        decision.new_node, decision.source, decision.time, decision.previous}) {
    text += fmt::format("{}:{}\n", field.size(), field);
  }
  return sha256_hex(text);
}

DecisionRecord Workspace::append_decision(DecisionRecord decision) {
  auto& database = state_->database;
  Transaction transaction(database);
  {
    Statement last(database, "SELECT hash FROM decisions ORDER BY id DESC LIMIT 1");
    decision.previous = last.step() ? last.text(0) : std::string{};
  }
  if (decision.time.empty()) decision.time = utc_now();
  decision.hash = decision_hash(decision);
  Statement statement(
      database,
      "INSERT INTO decisions (label_set, sample, reviewer, verdict, new_label, new_node, source, time, "
      "previous, hash) VALUES (?,?,?,?,?,?,?,?,?,?)");
  statement.bind(decision.label_set).bind(decision.sample).bind(decision.reviewer).bind(decision.verdict);
  statement.bind(decision.new_label).bind(decision.new_node).bind(decision.source).bind(decision.time);
  statement.bind(decision.previous).bind(decision.hash).run();
  decision.id = database.last_row();
  transaction.commit();
  return decision;
}

std::vector<DecisionRecord> Workspace::decisions(std::string_view label_set) const {
  Statement statement(
      state_->database,
      "SELECT id, label_set, sample, reviewer, verdict, new_label, new_node, source, time, previous, "
      "hash FROM decisions WHERE ?1 = '' OR label_set = ?1 ORDER BY id");
  statement.bind(label_set);
  return all_of(statement, [](const Statement& row) {
    DecisionRecord decision;
    decision.id = row.integer(0);
    decision.label_set = row.text(1);
    decision.sample = row.integer(2);
    decision.reviewer = row.text(3);
    decision.verdict = row.text(4);
    if (!row.is_null(5)) decision.new_label = row.integer(5);
    decision.new_node = row.text(6);
    decision.source = row.text(7);
    decision.time = row.text(8);
    decision.previous = row.text(9);
    decision.hash = row.text(10);
    return decision;
  });
}

}  // namespace procsim
