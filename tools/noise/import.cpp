#include <cstdio>
#include <memory>

#include <fmt/format.h>

#include "data/base/error.hpp"
#include "tools/noise/commands.hpp"
#include "tools/noise/shared/noise_files.hpp"
#include "tools/noise/shared/noise_model_options.hpp"

namespace procsim::tools {
namespace fs = std::filesystem;
namespace {

struct Options {
  LabelChoice labels;
  std::optional<fs::path> prism, csv, cifar_n, output;
  noise::GivenLabelsOptions list;
  bool force = false;
  unsigned threads = 0;
};

int run(const Options& options, const GlobalOptions& global) {
  SourceFiles files;
  const auto take = [&](const std::optional<fs::path>& path, noise::GivenFormat format) {
    if (!path) return;
    if (files.replay) throw UsageError("give one of --prism, --csv and --cifar-n");
    files.replay = path;
    files.replay_format = format;
  };
  take(options.prism, noise::GivenFormat::kPrism);
  take(options.csv, noise::GivenFormat::kCsv);
  if (options.cifar_n) {
    const auto ending = options.cifar_n->extension();
    take(options.cifar_n,
         ending == ".csv" || ending == ".tsv" ? noise::GivenFormat::kCsv : noise::GivenFormat::kNumpy);
  }
  if (!files.replay) throw UsageError("say what to import: --prism FILE, --csv FILE or --cifar-n FILE");
  files.replay_options = options.list;

  InjectionJob job;
  job.parent = choose_labels(global, options.labels, "base");
  const auto info = LabelSetReader(job.parent).info();
  job.spec.components = {{noise::NoiseKind::kReplay, 1}};
  job.spec.split = options.list.split;
  job.spec.guards = false;  // what was published is taken as it is; noise verify says what is wrong with it
  job.operation = "import";
  job.force = options.force;
  job.threads = options.threads;
  const auto name = fmt::format("{}-{}", job.parent.stem().string(), files.replay->stem().string());
  job.output = options.output ? *options.output : default_folder(global) / (name + ".parquet");
  const auto loaded = load_sources(global, job.spec, files, job.parent, info);
  const auto report = run_injection(global, job, loaded, info);
  record_label_set(global, job.output, report.info, report.digest, "import",
                   fmt::format("imported {}", files.replay->filename().string()), report.counts.rows,
                   report.counts.changed);
  if (global.json) {
    fmt::print("{}\n", report_json(report, job.output).dump(2));
  } else {
    fmt::print("wrote {}: changed {} of {} labels. Check it with: noise verify {}\n", shown(job.output),
               grouped(report.counts.changed), grouped(report.counts.labelled), shown(job.output));
  }
  return 0;
}

}  // namespace

void add_noise_import(Program& program) {
  auto options = std::make_shared<Options>();
  auto* command = program.add(
      "import", "Make a label set from published noisy labels",
      "noise import --prism CUB_0.2noised_train.csv\n  noise import --cifar-n worse_label.npy --labels "
      "cifar10.parquet -o cifar10n.parquet");
  command->add_option("--prism", options->prism, "List of lines 'path,label' without a header")
      ->type_name("FILE");
  command->add_option("--csv", options->csv, "CSV with columns sample_id or path, and label")
      ->type_name("FILE");
  command
      ->add_option("--cifar-n", options->cifar_n,
                   "CIFAR-N labels: .npy array of integers, or CSV; no pickles")
      ->type_name("FILE");
  command->add_option("--column", options->list.label_column, "CSV: the column of labels")->type_name("NAME");
  command->add_option("--first-label", options->list.first_label,
                      "Number of the first class (default: found out)");
  command->add_flag("--drop-unknown", options->list.drop_unknown,
                    "Leave samples unlabelled whose label is no class");
  command->add_option("--split", options->list.split, "Split that the list is about");
  add_label_options(command, options->labels, "Label set with the true labels");
  command
      ->add_option("--output,-o", options->output,
                   "File to write (default: .procsim/labels/<set>-<list>.parquet)")
      ->type_name("FILE");
  command->add_option("--threads", options->threads, "Threads (0: one per processor)");
  command->add_flag("--force", options->force, "Replace an existing file");
  program.on(command, [options](const GlobalOptions& global) { return run(*options, global); });
}

}  // namespace procsim::tools
