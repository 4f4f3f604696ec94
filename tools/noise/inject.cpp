#include <cstdio>
#include <memory>

#include <fmt/format.h>

#include "data/base/error.hpp"
#include "data/base/number.hpp"
#include "data/files/file_name.hpp"
#include "tools/noise/commands.hpp"
#include "tools/noise/shared/noise_files.hpp"
#include "tools/noise/shared/noise_model_options.hpp"
#include "tools/program/option_groups.hpp"
#include "tools/program/print_safely.hpp"
#include "tools/program/validators.hpp"
#include "tools/program/workspace_choice.hpp"

namespace procsim::tools {
namespace fs = std::filesystem;
namespace inject_command {
namespace {

struct Options {
  InjectionCommand injection;
  std::optional<std::string> shard_words;
  std::optional<noise::Shard> shard;
  noise::NoiseSpec spec;
};

noise::Shard parse_shard(const std::string& text) {
  const std::string_view words(text);
  if (const auto slash = words.find('/'); slash != std::string_view::npos) {
    const auto index = parse_number<std::int64_t>(words.substr(0, slash));
    const auto count = parse_number<std::int64_t>(words.substr(slash + 1));
    if (index && count && *index >= 1 && *index <= *count) return {*index, *count};
  }
  throw UsageError(fmt::format("--shard {}: write i/n with i from 1 to n, such as 3/16", text));
}

// Part files stand in a folder that is read as one label set.
fs::path part_path(const fs::path& output, const noise::Shard& shard) {
  if (lower_extension(output) == ".parquet") return output;
  return output / fmt::format("part-{:05}-of-{:05}.parquet", shard.index, shard.count);
}

bool all_parts_there(const fs::path& folder, const noise::Shard& shard) {
  for (std::int64_t i = 1; i <= shard.count; ++i) {
    if (!fs::exists(part_path(folder, {i, shard.count}))) return false;
  }
  return true;
}

void setup(Options& options) {
  if (options.shard_words) options.shard = parse_shard(*options.shard_words);
  options.spec = spec_of_words(options.injection.model);
}

int run(const Options& options, const GlobalOptions& global) {
  const auto& shard = options.shard;
  const auto& output = options.injection.output;
  const auto parent = choose_labels(global, options.injection.labels, "base");
  const auto info = LabelSetReader(parent).info();
  InjectionJob job;
  job.spec = spec_for(options.spec, options.injection.model, info);
  job.parent = parent;
  job.shard = shard;
  job.force = output.force;
  job.threads = options.injection.threads;
  auto whole = output.path ? *output.path : default_folder(global) / default_name(job.spec, parent);
  if (!output.path && !shard) whole += ".parquet";
  job.output = shard ? part_path(whole, *shard) : whole;
  if (!output.force && fs::exists(job.output)) {
    throw Error(fmt::format("{} already exists. Use --force to replace it.", shown(job.output)));
  }
  const auto loaded = load_sources(global, job.spec, options.injection.model.files, parent, info);
  FileChanges files;
  const auto report = run_injection(global, job, loaded, info, files);

  if (!shard) {
    store_injected(global, files, job.output, report, "inject", job.spec.summary());
  } else {
    files.replace();
    files.keep();
    // Whichever job ends last finds the set complete.
    FileChanges none;
    if (job.output != whole && all_parts_there(whole, *shard))
      store_injected(global, none, whole, report, "inject", job.spec.summary());
  }
  if (global.json) {
    fmt::print("{}\n", report_json(report, job.output).dump(2));
  } else {
    print_safely(
        "wrote {}{}: {}\n", shown(job.output),
        shard ? fmt::format(" ({} rows of {})", grouped(report.written_rows), grouped(report.counts.rows))
              : "",
        describe(report));
  }
  return 0;
}

}  // namespace
}  // namespace inject_command

void add_noise_inject(Program& program) {
  using namespace inject_command;
  auto options = std::make_shared<Options>();
  auto* command =
      program.add("inject", "Write a label set with errors of a known kind, rate and seed",
                  "noise inject --semantic 0.2\n  noise inject --mix semantic=0.15,uniform=0.05 --seed 7\n"
                  "  noise inject --uniform 0.2 --labels parts/ --shard 3/16 -o noisy/");
  add_model_options(command, options->injection.model);
  command->add_option("--seed", options->injection.model.spec.seed, "Seed of all draws")->check(seed());
  add_injection_options(command, options->injection);
  add_output_options(command, options->injection.output,
                     "File to write (default: .procsim/labels/<set>-<model>-<P>-seed<N>.parquet)");
  command
      ->add_option("--shard", options->shard_words, "Write only part i of n; all n together equal the whole")
      ->type_name("i/n");
  program.on(command, options, setup, run);
}

}  // namespace procsim::tools
