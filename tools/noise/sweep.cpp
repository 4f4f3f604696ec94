#include <cstdio>
#include <memory>

#include <fmt/format.h>

#include "data/base/error.hpp"
#include "noise/provenance.hpp"
#include "tools/noise/commands.hpp"
#include "tools/noise/shared/noise_files.hpp"
#include "tools/noise/shared/noise_model_options.hpp"
#include "tools/program/taxonomy_store.hpp"

namespace procsim::tools {
namespace fs = std::filesystem;
namespace {

struct Options {
  LabelChoice labels;
  ModelOptions model;
  std::vector<std::string> models{"uniform", "semantic"};
  std::vector<double> rates{0.1, 0.2, 0.3, 0.5};
  std::vector<std::uint64_t> seeds{1};
  std::optional<fs::path> output;
  bool force = false;
  unsigned threads = 0;
};

// No noise once for each seed's sake is no use: one clean set, then every model at every rate and seed.
std::vector<noise::NoiseSpec> grid(const Options& options) {
  auto base = options.model.spec;
  base.internal = options.model.internal == "leaves" ? noise::InnerStep::kLeaves : noise::InnerStep::kDescend;
  base.guards = !options.model.no_guards;
  base.seed = options.seeds.front();
  std::vector<noise::NoiseSpec> specs{base};
  for (const auto& name : options.models) {
    const auto kind = noise::noise_kind_from_string(name);
    for (const auto rate : options.rates) {
      for (const auto seed : options.seeds) {
        auto spec = base;
        spec.components = {{kind, rate}};
        spec.seed = seed;
        spec.validate();
        if (kind == noise::NoiseKind::kMatrix || kind == noise::NoiseKind::kReplay) {
          throw UsageError(
              fmt::format("--models {}: it brings its own rates; use noise inject --{}", name, name));
        }
        specs.push_back(spec);
      }
    }
  }
  return specs;
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
  if (options.seeds.empty() || options.rates.empty()) throw UsageError("give at least one rate and one seed");
  const auto specs = grid(options);
  const auto parent = choose_labels(global, options.labels, "base");
  const auto info = LabelSetReader(parent).info();
  const auto parent_digest = label_set_digest(parent);
  const auto folder = options.output ? *options.output : default_folder(global);
  auto quiet = global;
  auto rows = nlohmann::ordered_json::array();
  for (const auto& spec : specs) {
    const auto output = folder / (default_name(spec, parent) + ".parquet");
    const auto loaded = load_sources(quiet, spec, options.model.files, parent, info);
    if (spec.needs_taxonomy()) quiet.quiet = true;  // say only once which taxonomy it is
    nlohmann::ordered_json row;
    if (!options.force && is_done(output, spec, parent_digest, info, loaded.inputs)) {
      row = {{"output", output.string()}, {"summary", spec.summary()}, {"kept", true}};
      if (!global.json) fmt::print("{}: {} is there already\n", spec.summary(), shown(output));
    } else {
      const auto report = run_injection(
          global, {parent, output, spec, std::nullopt, options.force, options.threads, "inject"}, loaded,
          info);
      record_label_set(global, output, report.info, report.digest, "inject", spec.summary(),
                       report.counts.rows, report.counts.changed);
      row = report_json(report, output);
      if (!global.json) fmt::print("wrote {}: {}\n", shown(output), describe(report));
    }
    rows.push_back(std::move(row));
  }
  if (global.json) fmt::print("{}\n", rows.dump(2));
  return 0;
}

}  // namespace

void add_noise_sweep(Program& program) {
  auto options = std::make_shared<Options>();
  auto* command = program.add("sweep", "Write the paper's grid: none, and every model at every rate",
                              "noise sweep\n  noise sweep --models semantic --rates 0.2,0.5 --seeds 1,2,3");
  command->add_option("--models", options->models, "Models")->delimiter(',');
  command->add_option("--rates", options->rates, "Rates")->delimiter(',')->check(probability());
  command->add_option("--seeds", options->seeds, "Seeds")->check(seed())->delimiter(',');
  add_draw_options(command, options->model);
  command
      ->add_option("--internal", options->model.internal,
                   "Semantic: at an inner node, draw child after child or a leaf")
      ->check(CLI::IsMember({"descend", "leaves"}));
  command->add_option("--temperature", options->model.spec.temperature, "Distance: weight exp(-edges/T)");
  command->add_option("--level", options->model.spec.level, "Superclass: depth of the ancestor");
  command->add_option("--scores", options->model.files.scores, "Knn: scores file")->type_name("FILE");
  add_label_options(command, options->labels, "Label set to corrupt, a file or a folder of parts");
  add_taxonomy_file_option(command, options->model.files.taxonomy);
  command->add_option("--output,-o", options->output, "Folder to write to (default: .procsim/labels)")
      ->type_name("DIR");
  command->add_option("--threads", options->threads,
                      "Threads (0: one per processor); no effect on the result");
  command->add_flag("--force", options->force, "Replace existing files");
  program.on(command, [options](const GlobalOptions& global) { return run(*options, global); });
}

}  // namespace procsim::tools
