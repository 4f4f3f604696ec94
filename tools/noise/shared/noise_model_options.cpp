#include "tools/noise/shared/noise_model_options.hpp"

#include <algorithm>
#include <cstdio>

#include <fmt/format.h>

#include "data/base/error.hpp"
#include "data/base/number.hpp"
#include "noise/class_tables.hpp"
#include "tools/program/option_groups.hpp"
#include "tools/program/validators.hpp"
#include "tools/program/workspace_choice.hpp"

namespace procsim::tools {
namespace fs = std::filesystem;
namespace {

constexpr const char* kDetails = "Details of the models";

double parse_rate(std::string_view text, std::string_view whole) {
  const auto rate = parse_number<double>(text);
  if (!rate || !(*rate >= 0 && *rate <= 1)) {
    throw UsageError(fmt::format("--mix {}: '{}' is no probability; write a number from 0 to 1, such as 0.2",
                                 whole, text));
  }
  return *rate;
}

noise::NoiseKind kind_in_mix(std::string_view name, std::string_view whole) {
  try {
    return noise::noise_kind_from_string(name);
  } catch (const UsageError& error) {
    throw UsageError(fmt::format("--mix {}: {}", whole, error.what()));
  }
}

std::vector<noise::NoiseComponent> parse_mix(const std::string& text) {
  std::vector<noise::NoiseComponent> components;
  std::string_view rest(text);
  while (!rest.empty()) {
    const auto item = rest.substr(0, rest.find(','));
    rest.remove_prefix(std::min(rest.size(), item.size() + 1));
    const auto equals = item.find('=');
    if (equals == std::string_view::npos) {
      throw UsageError(fmt::format("--mix {}: write model=rate, such as semantic=0.15,uniform=0.05", text));
    }
    const auto kind = kind_in_mix(item.substr(0, equals), text);
    if (kind == noise::NoiseKind::kMatrix || kind == noise::NoiseKind::kReplay) {
      throw UsageError(
          fmt::format("--mix {}: {} brings its own rates and cannot be mixed", text, to_string(kind)));
    }
    components.push_back({kind, parse_rate(item.substr(equals + 1), text)});
  }
  if (components.empty()) throw UsageError("--mix: write model=rate, such as semantic=0.15,uniform=0.05");
  return components;
}

std::vector<noise::NoiseComponent> components_of(const ModelOptions& options) {
  std::vector<noise::NoiseComponent> given;
  const auto take = [&](noise::NoiseKind kind, const std::optional<double>& rate) {
    if (rate) given.push_back({kind, *rate});
  };
  take(noise::NoiseKind::kUniform, options.uniform);
  take(noise::NoiseKind::kSemantic, options.semantic);
  take(noise::NoiseKind::kPair, options.pair);
  take(noise::NoiseKind::kSuperclass, options.superclass);
  take(noise::NoiseKind::kDistance, options.distance);
  take(noise::NoiseKind::kKnn, options.knn);
  take(noise::NoiseKind::kOpenSet, options.open_set);
  if (options.files.matrix) given.push_back({noise::NoiseKind::kMatrix, 1});
  if (options.files.replay) given.push_back({noise::NoiseKind::kReplay, 1});
  if (given.size() + (options.mix ? 1 : 0) > 1) {
    throw UsageError("more than one model was given; to mix them write --mix semantic=0.15,uniform=0.05");
  }
  if (options.mix) return parse_mix(*options.mix);
  if (given.empty()) {
    throw UsageError(
        "say which noise: --uniform, --semantic, --pair, --superclass, --distance, --knn, --open-set (each "
        "with a "
        "probability), --matrix, --replay (each with a file), or --mix");
  }
  return given;
}

}  // namespace

void add_model_options(CLI::App* command, ModelOptions& options) {
  const auto rate = [&](const char* name, std::optional<double>& target, const char* words) {
    command->add_option(name, target, words)
        ->check(probability())
        ->type_name("P")
        ->group("Which noise (one of)");
  };
  rate("--uniform", options.uniform, "To any other class of the split");
  rate("--semantic", options.semantic, "To a sibling in the class tree, then down to a class");
  rate("--pair", options.pair, "To the next class, or as --pair-map says");
  rate("--superclass", options.superclass, "To another class below the same ancestor (--level)");
  rate("--distance", options.distance, "To any class, weights falling with tree distance (--temperature)");
  rate("--knn", options.knn, "To a class that a trained model confuses the sample with (--scores)");
  rate("--open-set", options.open_set, "Keep the label, replace the image by a foreign one (--foreign)");
  const std::string which = "Which noise (one of)";
  command->add_option("--matrix", options.files.matrix, "By a row-stochastic class matrix, CSV or Parquet")
      ->type_name("FILE")
      ->group(which);
  command->add_option("--replay", options.files.replay, "Real labels: a label set, CSV, PRISM list or .npy")
      ->type_name("FILE")
      ->group(which);
  command->add_option("--mix", options.mix, "Several: semantic=0.15,uniform=0.05")
      ->type_name("MODEL=P,…")
      ->group(which);

  add_model_details(command, options);
  const std::string details = kDetails;
  command->add_option("--pair-map", options.pair_map, "Pair: columns from, to")
      ->type_name("FILE")
      ->group(details);
  command
      ->add_option("--foreign", options.files.foreign, "Open-set: label set or data set to take images from")
      ->type_name("SET")
      ->group(details);
  command
      ->add_option("--foreign-prefix", options.files.foreign_prefix, "Open-set: put before the foreign paths")
      ->type_name("TEXT")
      ->group(details);
  command->add_option("--foreign-root", options.files.foreign_root, "Open-set: where the foreign images are")
      ->type_name("DIR")
      ->group(details);
  command->add_option("--root", options.files.root, "Open-set: where the data set's images are")
      ->type_name("DIR")
      ->group(details);
  add_given_label_options(command, options.files.replay_options, details);
  command->add_option("--class-rates", options.class_rates, "Rates by class: columns class, rate")
      ->type_name("FILE")
      ->group(details);
}

void add_model_details(CLI::App* command, ModelOptions& options) {
  const std::string details = kDetails;
  command
      ->add_option("--internal", options.internal,
                   "Semantic: at an inner node, draw child after child or a leaf")
      ->check(one_of({"descend", "leaves"}))
      ->group(details);
  command->add_option("--level", options.spec.level, "Superclass: depth of the ancestor")->group(details);
  command->add_option("--temperature", options.spec.temperature, "Distance: weight exp(-edges/T)")
      ->type_name("T")
      ->group(details);
  command->add_option("--scores", options.files.scores, "Knn: scores file (default: the newest run's)")
      ->type_name("FILE")
      ->group(details);
  command->add_option("--rivals", options.spec.rivals, "Knn: only the best N rivals (0: all stored)")
      ->group(details);
}

void add_given_label_options(CLI::App* command, noise::GivenLabelsOptions& options,
                             const std::string& group) {
  command->add_option("--label-column", options.label_column, "csv: the column of labels")
      ->type_name("NAME")
      ->group(group);
  command->add_option("--first-label", options.first_label, "Number of the first class (default: found out)")
      ->group(group);
  command
      ->add_flag("--drop-unknown", options.drop_unknown, "Leave samples unlabelled whose label is no class")
      ->group(group);
}

void add_injection_options(CLI::App* command, InjectionCommand& injection) {
  add_draw_options(command, injection.model);
  add_label_options(command, injection.labels, "Label set to corrupt, a file or a folder of parts",
                    "the data set's own");
  add_taxonomy_file_option(command, injection.model.files.taxonomy);
  add_threads_option(command, injection.threads);
}

void add_draw_options(CLI::App* command, ModelOptions& options) {
  const std::string group = "How it is drawn";
  command->add_option("--split", options.spec.split, "Only samples of this split")->group(group);
  command->add_option("--classes", options.classes, "Only samples of these classes")
      ->delimiter(',')
      ->group(group);
  command->add_flag("--exact", options.spec.exact, "An exact count instead of a draw per sample")
      ->group(group);
  command->add_flag("--stratify", options.spec.stratify, "With --exact: class by class")->group(group);
  command->add_option("--min-per-class", options.spec.min_per_class, "Guard: no class falls below")
      ->group(group);
  command->add_flag("--no-guards", options.no_guards, "Let classes vanish and phantom classes appear")
      ->group(group);
}

noise::NoiseSpec drawn_as(const ModelOptions& options) {
  auto spec = options.spec;
  spec.internal = options.internal == "leaves" ? noise::InnerStep::kLeaves : noise::InnerStep::kDescend;
  spec.guards = !options.no_guards;
  spec.validate();
  return spec;
}

noise::NoiseSpec spec_of_words(const ModelOptions& options) {
  auto spec = drawn_as(options);
  spec.components = components_of(options);
  try {
    spec.validate();
  } catch (const UsageError& error) {
    if (!options.mix) throw;
    throw UsageError(fmt::format("--mix {}: {}", *options.mix, error.what()));
  }
  const bool brings_rates = spec.has(noise::NoiseKind::kMatrix) || spec.has(noise::NoiseKind::kReplay);
  if (options.class_rates && brings_rates) throw UsageError("--class-rates needs a model that takes a rate");
  if (options.pair_map && !spec.has(noise::NoiseKind::kPair)) throw UsageError("--pair-map goes with --pair");
  if (spec.has(noise::NoiseKind::kOpenSet) && !options.files.foreign)
    throw UsageError("--open-set needs --foreign: a label set or data set to take images from");
  return spec;
}

noise::NoiseSpec spec_for(noise::NoiseSpec spec, const ModelOptions& options, const LabelSetInfo& info) {
  if (options.pair_map) spec.pair_map = noise::read_pair_map(*options.pair_map, info);
  if (options.class_rates) spec.class_rates = noise::read_class_rates(*options.class_rates, info);
  for (const auto& name : options.classes) spec.classes.push_back(info.label_of(name));
  std::sort(spec.classes.begin(), spec.classes.end());
  spec.classes.erase(std::unique(spec.classes.begin(), spec.classes.end()), spec.classes.end());
  spec.validate();
  return spec;
}

std::string default_name(const noise::NoiseSpec& spec, const fs::path& parent) {
  auto stem = parent.stem().string();
  if (stem.empty())
    stem = parent.parent_path().filename().string();  // a folder named with a slash at its end
  return fmt::format("{}-{}", stem, spec.slug());
}

fs::path default_folder(const GlobalOptions& global) {
  const auto workspace = find_workspace(global);
  if (!workspace) throw UsageError("there is no workspace to put the label set into: give -o FILE");
  return workspace->home() / "labels";
}

noise::InjectionReport run_injection(const GlobalOptions& global, const InjectionJob& job,
                                     const LoadedSources& loaded, const LabelSetInfo& info,
                                     FileChanges& files) {
  noise::InjectionOptions options;
  options.parent = job.parent;
  options.output = job.output;
  options.if_exists = job.force ? IfExists::kReplace : IfExists::kFail;
  options.spec = job.spec;
  options.operation = job.operation;
  options.shard = job.shard;
  options.threads = job.threads;
  options.inputs = loaded.inputs;
  options.remarks = loaded.remarks;
  options.progress = progress_bar(global, job.operation);
  auto report = noise::inject(options, loaded.sources, files);

  const auto name = [&](std::int32_t label) { return info.classes[static_cast<std::size_t>(label)].name; };
  constexpr std::size_t kNamed = 10;  // of a million classes most may be small
  const auto say_first = [&](const auto& list, const auto& line) {
    for (const auto& one : std::span(list).first(std::min(kNamed, list.size()))) say(global, line(one));
    if (list.size() > kNamed)
      say(global,
          fmt::format("… and {} more classes", grouped(static_cast<std::int64_t>(list.size() - kNamed))));
  };
  say_first(report.classes_without_target, [&](std::int32_t label) {
    return fmt::format("class '{}' has no other class to go to and stays as it is", name(label));
  });
  say_first(report.guard_events, [&](const auto& event) {
    return fmt::format("guard: {} labels of '{}' stay, else too few samples would carry it", event.kept,
                       name(event.label));
  });
  if (report.counts.phantom > 0) {
    say(global,
        fmt::format("guard: {} labels stay that would have gone to classes which split '{}' does not have",
                    grouped(report.counts.phantom), job.spec.split));
  }
  if (report.counts.no_target > 0 && !job.spec.has(noise::NoiseKind::kReplay)) {
    say(global, fmt::format("{} drawn labels stay because the model knows no other class for them",
                            grouped(report.counts.no_target)));
  }
  return report;
}

std::string describe(const noise::InjectionReport& report) {
  const auto& counts = report.counts;
  auto text = fmt::format(
      "changed {} of {} labels ({:.4f})", grouped(counts.changed), grouped(counts.labelled),
      counts.labelled == 0 ? 0.0
                           : static_cast<double>(counts.changed) / static_cast<double>(counts.labelled));
  if (counts.foreign > 0) text += fmt::format(", replaced {} images", grouped(counts.foreign));
  if (counts.guarded + counts.phantom == 0) return text + "; guards: none bound";
  return text + fmt::format("; guards kept {} labels", grouped(counts.guarded + counts.phantom));
}

nlohmann::ordered_json report_json(const noise::InjectionReport& report, const fs::path& output) {
  nlohmann::ordered_json json;
  json["output"] = output.string();
  json["digest"] = report.digest;
  json["written_rows"] = report.written_rows;
  for (const auto* key :
       {"summary", "rows", "split_rows", "labelled", "changed", "foreign", "changed_by_component",
        "kept_by_guard", "kept_as_phantom", "kept_without_target", "guard_events"}) {
    json[key] = report.info.provenance.at(key);
  }
  return json;
}

}  // namespace procsim::tools
