#include <set>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "curate/report/copies.hpp"
#include "data/base/digest.hpp"
#include "data/base/error.hpp"
#include "data/base/version.hpp"
#include "data/files/file_changes.hpp"
#include "data/files/file_name.hpp"
#include "data/labels/label_set.hpp"
#include "tools/curate/commands.hpp"
#include "tools/curate/shared/label_set_copy.hpp"
#include "tools/program/label_set_record.hpp"
#include "tools/program/option_groups.hpp"
#include "tools/program/print_safely.hpp"
#include "tools/program/validators.hpp"
#include "tools/program/workspace_choice.hpp"

namespace procsim::tools {

namespace duplicates_command {
namespace {

struct Options {
  LabelChoice labels;
  std::optional<std::filesystem::path> root;
  OutputOptions output;
  curate::CopyOptions copies;
  bool exact = false, keep_one = false, drop = false, skip_broken = false;
  std::size_t top = 20;
};

void setup(Options& options) {
  options.copies.near = !options.exact;
  if (options.keep_one && options.drop) throw UsageError("--keep-one or --drop, not both");
  if (options.output.path && !options.keep_one && !options.drop)
    throw UsageError("--output is for the label set that --keep-one or --drop makes");
  check_label_set_ending(options.output);
}

struct Found {
  std::vector<curate::CopySample> samples;
  std::vector<curate::CopyGroup> groups;
  std::vector<curate::DamagedSample> damaged;
};

nlohmann::ordered_json to_json(const Found& found, const LabelSetInfo& info) {
  auto list = nlohmann::ordered_json::array();
  for (const auto& group : found.groups) {
    auto members = nlohmann::ordered_json::array();
    for (const auto i : group.members) {
      const auto& sample = found.samples[i];
      members.push_back({{"id", sample.id},
                         {"path", sample.path},
                         {"label", info.classes[static_cast<std::size_t>(sample.label)].name},
                         {"split", sample.split}});
    }
    list.push_back({{"exact", group.exact},
                    {"labels_differ", group.labels_differ},
                    {"across_splits", group.across_splits},
                    {"samples", std::move(members)}});
  }
  return list;
}

void print(const Found& found, const LabelSetInfo& info, std::size_t top) {
  std::size_t samples = 0, exact = 0, differ = 0, leaks = 0;
  for (const auto& group : found.groups) {
    samples += group.members.size();
    exact += group.exact ? 1 : 0;
    differ += group.labels_differ ? 1 : 0;
    leaks += group.across_splits ? 1 : 0;
  }
  print_safely(
      "{} of {} samples are copies, in {} groups: {} exact, {} near; {} under several labels, {} across "
      "splits\n",
      samples, found.samples.size(), found.groups.size(), exact, found.groups.size() - exact, differ, leaks);
  for (const auto& group : std::span(found.groups).first(std::min(top, found.groups.size()))) {
    print_safely("{}{}{}\n", group.exact ? "the same bytes" : "near copies",
                 group.labels_differ ? ", several labels" : "", group.across_splits ? ", across splits" : "");
    for (const auto i : group.members) {
      const auto& sample = found.samples[i];
      print_safely("  {:>8}  {}  {}  {}\n", sample.id,
                   info.classes[static_cast<std::size_t>(sample.label)].name, sample.split, sample.path);
    }
  }
  if (found.groups.size() > top)
    print_safely("… and {} more groups (--top, --json)\n", found.groups.size() - top);
}

// What could not be looked at may have copies that nobody knows of: an error unless it is allowed.
void name_damaged(const Found& found, const Options& options, const GlobalOptions& global) {
  const auto& damaged = found.damaged;
  if (damaged.empty()) return;
  for (const auto& one : std::span(damaged).first(std::min(options.top, damaged.size())))
    say(global, fmt::format("damaged: {}: {}", one.path, one.why));
  if (damaged.size() > options.top)
    say(global, fmt::format("damaged: … and {} more (--top)", damaged.size() - options.top));
  const auto count = fmt::format("{} of {} images cannot be looked at", damaged.size(), found.samples.size());
  if (!options.skip_broken)
    throw Error(
        fmt::format("{}, the first: {}. Their copies are not found; --skip-broken goes on without them.",
                    count, damaged.front().path));
  say(global, count + ": their copies are not found");
}

// The label set without the copies that are not kept. Returns how many rows were left out.
std::int64_t write_without(const std::filesystem::path& labels, const std::filesystem::path& out,
                           const Found& found, const Options& options, FileChanges& files,
                           LabelSetRecord& record) {
  std::set<std::int64_t> left_out;
  for (const auto& group : found.groups) {
    const auto kept = curate::kept_copy(group, found.samples);
    for (const auto i : group.members)
      if (options.drop || i != kept) left_out.insert(found.samples[i].id);
  }
  LabelSetReader reader(labels);
  LabelSetWriter writer(out, IfExists::kReplace);
  while (const auto batch = reader.next()) {
    std::vector<std::int64_t> rows;
    for (std::int64_t row = 0; row < batch->rows(); ++row)
      if (!left_out.contains(batch->sample_ids()[static_cast<std::size_t>(row)])) rows.push_back(row);
    record.rows += static_cast<std::int64_t>(rows.size());
    if (!rows.empty()) writer.append(batch->select(rows));
  }
  auto info = reader.info();
  info.provenance = {{"program", "curate"},
                     {"version", version()},
                     {"operation", "duplicates"},
                     {"parent_digest", parts_digest(labels)},
                     {"kept", options.drop ? "none" : "one"},
                     {"threshold", options.exact ? 0 : options.copies.threshold},
                     {"groups", found.groups.size()},
                     {"left_out", left_out.size()},
                     {"parent", reader.info().provenance}};
  record.dataset = info.dataset;
  record.digest = writer.finish(info, files);
  return static_cast<std::int64_t>(left_out.size());
}

void write_result_set(const Options& options, const std::filesystem::path& labels, const Found& found,
                      std::optional<Workspace>& workspace, const GlobalOptions& global) {
  const auto what = fmt::format("{} {} {}", parts_digest(labels), options.drop,
                                options.exact ? 0 : options.copies.threshold);
  const auto folder = workspace ? workspace->home() / "labels" : labels.parent_path();
  const auto kept = folder / fmt::format("{}-without-copies-{}.parquet", labels.stem().string(),
                                         sha256_hex(what).substr(0, 8));
  const auto out = options.output.path.value_or(kept);
  FileChanges files;
  LabelSetRecord record;
  const auto left_out = write_without(labels, kept, found, options, files, record);
  if (out != kept) write_copy(files.written(kept), out, options.output.if_exists(), files);
  record.kind = "duplicates";
  record.summary = fmt::format("without {} copies", left_out);
  const auto rows = record.rows;
  store_label_set(workspace, files, kept, std::move(record), global);
  if (!global.json) print_safely("{}\n{} rows left out, {} remain\n", out.string(), left_out, rows);
}

int run(const Options& options, const GlobalOptions& global) {
  refuse_existing(options.output);  // before every image is read
  const auto labels = choose_labels(global, options.labels);
  auto workspace = find_workspace(global);
  const auto info = LabelSetReader(labels).info();
  const auto root = find_root(workspace, options.root, info.dataset);
  if (!root)
    throw Error("copies are sought among the images, and nobody says where they are. Give --root DIR.");
  Found found;
  found.samples = curate::read_copy_samples(labels);
  auto copies = curate::find_copies(found.samples, curate::ImageStore(*root), options.copies,
                                    progress_bar(global, "looking for copies"));
  found.groups = std::move(copies.groups);
  found.damaged = std::move(copies.damaged);
  if (global.json)
    fmt::print("{}\n",
               to_json(found, info).dump(1, ' ', false, nlohmann::ordered_json::error_handler_t::replace));
  else
    print(found, info, options.top);
  name_damaged(found, options, global);
  if (options.keep_one || options.drop) write_result_set(options, labels, found, workspace, global);
  return 0;
}

}  // namespace
}  // namespace duplicates_command

void add_curate_duplicates(Program& program) {
  using namespace duplicates_command;
  auto options = std::make_shared<Options>();
  auto* command = program.add("duplicates", "Copies of the same image, under any label, and across splits",
                              "curate duplicates --keep-one --output unique.parquet");
  add_label_options(command, options->labels, "Label set to look through");
  add_root_option(command, options->root);
  command->add_flag("--exact", options->exact, "Only files of the same bytes");
  command
      ->add_option("--threshold", options->copies.threshold,
                   "How much near copies may differ: root mean square of small grey pictures, white = 1")
      ->type_name("D")
      ->check(CLI::Range(0.001, 0.2));
  command->add_flag(
      "--keep-one", options->keep_one,
      "Write a label set with one of each group: of a test split first, with the commonest label");
  command->add_flag("--drop", options->drop, "Write a label set without any of them");
  command->add_flag("--skip-broken", options->skip_broken,
                    "Go on where images are missing or damaged: they count as nobody's copies and stay");
  add_output_options(command, options->output,
                     "A copy of that label set, .parquet or .csv (default: in the workspace only)");
  add_top_option(command, options->top, "How many groups to print, and how many damaged images to name");
  program.on(command, options, setup, run);
}

}  // namespace procsim::tools
