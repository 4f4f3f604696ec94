#include <cstdio>
#include <memory>

#include <fmt/format.h>

#include "tools/noise/commands.hpp"
#include "tools/noise/shared/noise_files.hpp"
#include "tools/noise/shared/noise_model_options.hpp"
#include "tools/program/option_groups.hpp"
#include "tools/program/print_safely.hpp"
#include "tools/program/validators.hpp"
#include "tools/program/workspace_choice.hpp"

namespace procsim::tools {
namespace fs = std::filesystem;
namespace import_command {
namespace {

struct Options {
  LabelChoice labels;
  OutputOptions output;
  fs::path file;
  std::string format;
  noise::GivenLabelsOptions list;
  unsigned threads = 0;
};

int run(const Options& options, const GlobalOptions& global) {
  SourceFiles files;
  files.replay = options.file;
  if (!options.format.empty()) files.replay_format = noise::given_format_from_json(options.format);
  files.replay_options = options.list;

  InjectionJob job;
  job.parent = choose_labels(global, options.labels, "base");
  const auto info = LabelSetReader(job.parent).info();
  job.spec.components = {{noise::NoiseKind::kReplay, 1}};
  job.spec.split = options.list.split;
  job.spec.guards = false;  // what was published is taken as it is; noise verify says what is wrong with it
  job.operation = "import";
  job.force = options.output.force;
  job.threads = options.threads;
  const auto name = fmt::format("{}-{}", job.parent.stem().string(), files.replay->stem().string());
  job.output = options.output.path ? *options.output.path : default_folder(global) / (name + ".parquet");
  const auto loaded = load_sources(global, job.spec, files, job.parent, info);
  FileChanges changes;
  const auto report = run_injection(global, job, loaded, info, changes);
  store_injected(global, changes, job.output, report, "import",
                 fmt::format("imported {}", files.replay->filename().string()));
  if (global.json) {
    fmt::print("{}\n", report_json(report, job.output).dump(2));
  } else {
    print_safely("wrote {}: changed {} of {} labels. Check it with: noise verify --labels {}\n",
                 shown(job.output), grouped(report.counts.changed), grouped(report.counts.labelled),
                 shown(job.output));
  }
  return 0;
}

}  // namespace
}  // namespace import_command

void add_noise_import(Program& program) {
  using namespace import_command;
  auto options = std::make_shared<Options>();
  auto* command = program.add("import", "Make a label set from published noisy labels",
                              "noise import CUB_0.2noised_train.csv\n  noise import worse_label.npy --labels "
                              "cifar10.parquet -o cifar10n.parquet");
  command->add_option("file", options->file, "The labels")->required()->type_name("FILE");
  command
      ->add_option("--format", options->format,
                   "label-set, csv (columns sample_id or path, and label), prism (lines 'path,label' without "
                   "a header) or numpy (integers by sample, as CIFAR-N; no pickles); default: by its ending "
                   "and first line")
      ->check(one_of(noise::given_format_names()));
  add_given_label_options(command, options->list);
  command->add_option("--split", options->list.split, "Split that the list is about");
  add_label_options(command, options->labels, "Label set with the true labels", "the data set's own");
  add_output_options(command, options->output,
                     "File to write (default: .procsim/labels/<set>-<list>.parquet)");
  add_threads_option(command, options->threads);
  program.on(command, options, run);
}

}  // namespace procsim::tools
