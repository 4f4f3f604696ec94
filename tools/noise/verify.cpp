#include <cstdio>
#include <memory>

#include <fmt/format.h>

#include "data/base/digest.hpp"
#include "data/base/error.hpp"
#include "data/files/file_name.hpp"
#include "noise/lints.hpp"
#include "noise/verification.hpp"
#include "tools/noise/commands.hpp"
#include "tools/noise/shared/noise_files.hpp"
#include "tools/noise/shared/noise_sources.hpp"
#include "tools/program/option_groups.hpp"
#include "tools/program/print_safely.hpp"
#include "tools/program/validators.hpp"
#include "tools/program/workspace_choice.hpp"

namespace procsim::tools {
namespace fs = std::filesystem;
namespace verify_command {
namespace {

struct Options {
  LabelChoice labels;
  std::optional<fs::path> parent;
  SourceFiles files;
  noise::LintOptions lints;
  std::size_t top = 20;
  unsigned threads = 0;
};

std::optional<fs::path> file_with_digest(const fs::path& folder, std::string_view ending,
                                         const std::string& digest) {
  std::error_code ignored;
  for (const auto& entry : fs::directory_iterator(folder.empty() ? fs::path(".") : folder, ignored)) {
    const auto name = entry.path().filename().string();
    if (!entry.is_regular_file() || !name.ends_with(ending) || name.starts_with('.')) continue;
    if (sha256_file(entry.path()) == digest) return entry.path();
  }
  return std::nullopt;
}

// The parent by its digest: the workspace's, else a file beside the label set.
fs::path find_parent(const GlobalOptions& global, const Options& options, const fs::path& file,
                     const std::string& digest) {
  if (options.parent) return *options.parent;
  if (const auto workspace = find_workspace(global)) {
    if (const auto record = workspace->label_set_by_digest(digest)) {
      const auto path = workspace->resolve(record->path);
      if (fs::exists(path) && parts_digest(path) == digest) {
        say(global, fmt::format("parent: {} {} ({})", record->dataset, record->summary, record->path));
        return path;
      }
    }
  }
  const auto folder =
      fs::is_directory(file) ? fs::absolute(file).lexically_normal().parent_path() : file.parent_path();
  if (auto found = file_with_digest(folder, ".parquet", digest)) {
    say(global, fmt::format("parent: {}", shown(*found)));
    return *found;
  }
  throw Error(fmt::format(
      "the parent label set (SHA-256 {}…) is neither in the workspace nor beside {}; give --parent "
      "FILE",
      digest.substr(0, 12), shown(file)));
}

// A source file that was not named: of the same name and digest, beside the label set or in the current
// folder.
std::optional<fs::path> find_source(const std::optional<fs::path>& given, const noise::NoiseInput& input,
                                    const fs::path& file) {
  if (given) return given;
  for (const auto& folder : {file.parent_path(), fs::path(".")}) {
    auto candidate = folder / input.name;
    if (fs::is_regular_file(candidate) && sha256_file(candidate) == input.digest) return candidate;
  }
  return std::nullopt;
}

std::optional<fs::path> find_taxonomy_file(const GlobalOptions& global, const Options& options,
                                           const noise::NoiseInput& input, const fs::path& file) {
  if (options.files.taxonomy) return options.files.taxonomy;
  if (const auto workspace = find_workspace(global)) {
    const auto folder = workspace->home() / "taxonomies";
    if (auto found = file_with_digest(folder, ".json", input.digest)) return found;
  }
  return file_with_digest(file.parent_path(), ".json", input.digest);
}

SourceFiles find_sources(const GlobalOptions& global, const Options& options,
                         const noise::InjectionRecord& record, const fs::path& file) {
  auto files = options.files;
  for (const auto& input : record.inputs) {
    const auto require = [&](std::optional<fs::path>& target, std::optional<fs::path> found) {
      if (!found) {
        throw Error(
            fmt::format("{} was made with the {} '{}' (SHA-256 {}…), which is not here; give --{} FILE",
                        shown(file), input.role, input.name, input.digest.substr(0, 12), input.role));
      }
      target = std::move(found);
    };
    if (input.role == "taxonomy") require(files.taxonomy, find_taxonomy_file(global, options, input, file));
    if (input.role == "matrix") require(files.matrix, find_source(files.matrix, input, file));
    if (input.role == "scores") require(files.scores, find_source(files.scores, input, file));
    if (input.role == "replay") require(files.replay, find_source(files.replay, input, file));
    if (input.role == "foreign" && !files.foreign) files.foreign = input.name;
  }
  if (record.remarks.contains("replay")) {
    const auto& replay = record.remarks.at("replay");
    files.replay_format = noise::given_format_from_json(replay.at("format"));
    files.replay_options.label_column = replay.at("column").get<std::string>();
    files.replay_options.first_label = replay.at("first_label").get<std::int64_t>();
    files.replay_options.drop_unknown = replay.at("drop_unknown").get<bool>();
  }
  if (record.remarks.contains("foreign_prefix")) {
    files.foreign_prefix = record.remarks.at("foreign_prefix").get<std::string>();
  }
  return files;
}

// Says what does not fit; the comparison of rows goes on all the same.
void compare_digests(noise::Verification& result, const noise::InjectionRecord& record,
                     const fs::path& parent, const LoadedSources& loaded) {
  if (parts_digest(parent) != record.parent_digest) {
    result.provenance.push_back(fmt::format("{} is not the parent that the provenance names (SHA-256 {}…)",
                                            shown(parent), record.parent_digest.substr(0, 12)));
  }
  for (const auto& input : record.inputs) {
    for (const auto& other : loaded.inputs) {
      if (other.role != input.role || other.digest == input.digest) continue;
      result.provenance.push_back(
          fmt::format("{} '{}' is not the one that the provenance names (SHA-256 {}…)", input.role,
                      other.name, input.digest.substr(0, 12)));
    }
  }
}

std::optional<noise::Verification> derive(const GlobalOptions& global, const Options& options,
                                          const fs::path& file) {
  const auto info = LabelSetReader(file).info();
  if (!noise::is_injection(info.provenance)) {
    say(global,
        fmt::format("{} was not made by noise, so there is nothing to derive it from; checking what it holds",
                    shown(file)));
    return std::nullopt;
  }
  const auto record = noise::injection_record(info.provenance, file.string());
  const auto parent = find_parent(global, options, file, record.parent_digest);
  const auto parent_info = LabelSetReader(parent).info();
  auto quiet = global;
  quiet.quiet = true;
  const auto loaded =
      load_sources(quiet, record.spec, find_sources(global, options, record, file), parent, parent_info);
  auto result = noise::verify_injection(file, record, parent, loaded.sources, options.top, options.threads,
                                        progress_bar(global, "verify"));
  compare_digests(result, record, parent, loaded);
  return result;
}

nlohmann::ordered_json as_json(const std::optional<noise::Verification>& result,
                               const std::vector<noise::Lint>& lints) {
  nlohmann::ordered_json json;
  json["derived"] = result.has_value();
  if (result) {
    json["agrees"] = result->agrees();
    json["rows"] = result->rows;
    json["disagreements"] = result->disagreements;
    json["provenance"] = result->provenance;
    auto& rows = json["reported"] = nlohmann::ordered_json::array();
    for (const auto& each : result->reported) {
      rows.push_back({{"row", each.row}, {"sample_id", each.sample_id}, {"message", each.message}});
    }
  }
  auto& findings = json["findings"] = nlohmann::ordered_json::array();
  for (const auto& lint : lints) {
    findings.push_back({{"check", lint.check}, {"count", lint.count}, {"message", lint.message}});
  }
  return json;
}

void print(const std::optional<noise::Verification>& result, const std::vector<noise::Lint>& lints) {
  if (result) {
    for (const auto& message : result->provenance) print_safely("provenance: {}\n", message);
    for (const auto& each : result->reported) {
      print_safely("row {} (sample {}): {}\n", each.row < 0 ? std::string("-") : fmt::format("{}", each.row),
                   each.sample_id, each.message);
    }
    if (result->disagreements > static_cast<std::int64_t>(result->reported.size())) {
      print_safely("… and {} more rows\n",
                   grouped(result->disagreements - static_cast<std::int64_t>(result->reported.size())));
    }
  }
  for (const auto& lint : lints) print_safely("{}: {}\n", lint.check, lint.message);
  if (result) {
    print_safely("{} rows: {}\n", grouped(result->rows),
                 result->agrees() ? "file, seed, parent and taxonomy agree in every row"
                                  : fmt::format("{} disagree", grouped(result->disagreements)));
  }
  print_safely("{}\n", lints.empty() ? "checks: nothing found"
                                     : fmt::format("checks: {} found something", lints.size()));
}

int run(const Options& options, const GlobalOptions& global) {
  const auto file = choose_labels(global, options.labels);
  const auto result = derive(global, options, file);
  const auto lints = noise::lint_label_set(file, options.lints, progress_bar(global, "check"));
  if (global.json) {
    fmt::print("{}\n", as_json(result, lints).dump(2));
  } else {
    print(result, lints);
  }
  return lints.empty() && (!result || result->agrees()) ? 0 : 1;
}

}  // namespace
}  // namespace verify_command

void add_noise_verify(Program& program) {
  using namespace verify_command;
  auto options = std::make_shared<Options>();
  auto* command = program.add(
      "verify", "Derive a label set again from its provenance and compare row by row; check foreign sets",
      "noise verify\n  noise verify --labels noisy.parquet --parent clean.parquet --taxonomy birds.json\n"
      "  noise verify --labels foreign.parquet --rate 0.2\n"
      "Exit code 1 when anything disagrees or a check finds something.");
  add_label_options(command, options->labels, "Label set to verify");
  command
      ->add_option("--parent", options->parent, "Label set it was made from (default: found by its digest)")
      ->type_name("FILE");
  command->add_option("--taxonomy", options->files.taxonomy, "Taxonomy (default: found by its digest)")
      ->type_name("FILE");
  command->add_option("--matrix", options->files.matrix, "Class matrix it was made with")->type_name("FILE");
  command->add_option("--scores", options->files.scores, "Scores it was made with")->type_name("FILE");
  command->add_option("--replay", options->files.replay, "Labels it was made with")->type_name("FILE");
  command->add_option("--foreign", options->files.foreign, "Foreign images it was made with")
      ->type_name("SET");
  command->add_option("--foreign-root", options->files.foreign_root, "Where the foreign images are")
      ->type_name("DIR");
  command->add_option("--split", options->lints.split, "Split to check");
  command
      ->add_option("--rate", options->lints.rate,
                   "Share of wrong labels that the set claims (default: its provenance's)")
      ->check(probability())
      ->type_name("P");
  add_top_option(command, options->top, "How many rows that disagree to list");
  add_threads_option(command, options->threads);
  program.on(command, options, run);
}

}  // namespace procsim::tools
