#include <cstdio>
#include <memory>

#include <fmt/format.h>

#include "data/base/error.hpp"
#include "data/files/file_name.hpp"
#include "noise/provenance.hpp"
#include "tools/noise/commands.hpp"
#include "tools/noise/shared/noise_files.hpp"
#include "tools/noise/shared/noise_model_options.hpp"
#include "tools/program/option_groups.hpp"
#include "tools/program/print_safely.hpp"
#include "tools/program/validators.hpp"
#include "tools/program/workspace_choice.hpp"

namespace procsim::tools {
namespace fs = std::filesystem;
namespace sweep_command {
namespace {

struct Options {
  InjectionCommand injection;
  std::vector<std::string> models{"uniform", "semantic"};
  std::vector<double> rates{0.1, 0.2, 0.3, 0.5};
  std::vector<std::uint64_t> seeds{1};
  std::vector<noise::NoiseSpec> grid;
};

// No noise once for each seed's sake is no use: one clean set, then every model at every rate and seed.
void setup(Options& options) {
  const auto& model = options.injection.model;
  auto base = drawn_as(model);
  base.seed = options.seeds.front();
  options.grid = {base};
  for (const auto& name : options.models) {
    const auto kind = noise::noise_kind_from_string(name);
    if (kind == noise::NoiseKind::kMatrix || kind == noise::NoiseKind::kReplay) {
      throw UsageError(fmt::format("--models {0}: it brings its own rates; use noise inject --{0}", name));
    }
    if (kind == noise::NoiseKind::kOpenSet) {
      throw UsageError(fmt::format("--models {0}: it needs foreign images; use noise inject --{0}", name));
    }
    for (const auto rate : options.rates) {
      for (const auto seed : options.seeds) {
        auto spec = base;
        spec.components = {{kind, rate}};
        spec.seed = seed;
        spec.validate();
        options.grid.push_back(spec);
      }
    }
  }
}

// An earlier run's file that holds exactly what this one would write.
bool is_done(const fs::path& path, noise::NoiseSpec spec, const std::string& parent_digest,
             const LabelSetInfo& parent, const std::vector<noise::NoiseInput>& inputs) {
  if (!fs::exists(path)) return false;
  const auto info = LabelSetReader(path).info();
  if (!noise::is_injection(info.provenance)) return false;
  const auto record = noise::injection_record(info.provenance, path.string());
  spec.generation = noise::injections_in(parent.provenance) + 1;
  return record.spec == spec && record.parent_digest == parent_digest && record.inputs == inputs;
}

int run(const Options& options, const GlobalOptions& global) {
  const auto& [labels, model, target, threads] = options.injection;
  const auto parent = choose_labels(global, labels, "base");
  const auto info = LabelSetReader(parent).info();
  const auto parent_digest = parts_digest(parent);
  const auto folder = target.path ? *target.path : default_folder(global);
  auto quiet = global;
  auto rows = nlohmann::ordered_json::array();
  for (const auto& words : options.grid) {
    const auto spec = spec_for(words, model, info);
    const auto output = folder / (default_name(spec, parent) + ".parquet");
    const auto loaded = load_sources(quiet, spec, model.files, parent, info);
    if (spec.needs_taxonomy()) quiet.quiet = true;  // say only once which taxonomy it is
    nlohmann::ordered_json row;
    if (!target.force && is_done(output, spec, parent_digest, info, loaded.inputs)) {
      row = {{"output", output.string()}, {"summary", spec.summary()}, {"kept", true}};
      if (!global.json) print_safely("{}: {} is there already\n", spec.summary(), shown(output));
    } else {
      FileChanges files;
      const auto report = run_injection(
          global, {parent, output, spec, std::nullopt, target.force, threads, "inject"}, loaded, info, files);
      store_injected(global, files, output, report, "inject", spec.summary());
      row = report_json(report, output);
      if (!global.json) print_safely("wrote {}: {}\n", shown(output), describe(report));
    }
    rows.push_back(std::move(row));
  }
  if (global.json) fmt::print("{}\n", rows.dump(2));
  return 0;
}

}  // namespace
}  // namespace sweep_command

void add_noise_sweep(Program& program) {
  using namespace sweep_command;
  auto options = std::make_shared<Options>();
  auto* command = program.add("sweep", "Write the paper's grid: none, and every model at every rate",
                              "noise sweep\n  noise sweep --models semantic --rates 0.2,0.5 --seeds 1,2,3");
  command->add_option("--models", options->models, "Models")
      ->delimiter(',')
      ->check(one_of(noise::noise_kind_names()));
  command->add_option("--rates", options->rates, "Rates")->delimiter(',')->check(probability());
  command->add_option("--seeds", options->seeds, "Seeds")->check(seed())->delimiter(',');
  add_model_details(command, options->injection.model);
  add_injection_options(command, options->injection);
  add_output_options(command, options->injection.output, "Folder to write to (default: .procsim/labels)",
                     "DIR");
  program.on(command, options, setup, run);
}

}  // namespace procsim::tools
