#include "train/runs/fold_models.hpp"

#include <filesystem>

#include <fmt/format.h>

#include "train/processes/processes.hpp"
#include "train/runs/embedding_sources.hpp"
#include "train/samples/sampler.hpp"
#include "train/scoring/fold_embeddings.hpp"

namespace procsim::train {
namespace {

// The data without the training samples of a fold. The test split would only be evaluated on: left out.
TrainData without_fold(const TrainData& data, const FoldPlan& plan, int fold) {
  auto rest = data;
  rest.test.clear();
  rest.train.clear();
  for (std::size_t i = 0; i < data.train.size(); ++i)
    if (plan.fold[i] != fold) rest.train.push_back(data.train[i]);
  index_classes(rest);
  return rest;
}

// What is said of a fold's network is not said of the run: its epochs are nobody's metrics.
TrainObserver observer_of_folds(const TrainObserver& observer) {
  auto quiet = observer;
  quiet.epoch = nullptr;
  return quiet;
}

}  // namespace

std::shared_ptr<const FoldEmbeddings> train_fold_models(const TrainConfig& config, const TrainData& data,
                                                        const RunFiles& files, const MachineOptions& machine,
                                                        const TrainObserver& observer) {
  const auto folds = static_cast<int>(config.fold_models);
  FoldEmbeddings result;
  result.plan = deal_folds(data.train_ids(), data.train_class, static_cast<std::int64_t>(data.classes.size()),
                           folds, config.seed);
  const auto processes = machine.processes ? machine.processes : one_process();
  auto one = config;
  one.fold_models = 0;
  const auto quiet = observer_of_folds(observer);
  for (int fold = 0; fold < folds; ++fold) {
    const auto rest = without_fold(data, result.plan, fold);
    if (observer.note)
      observer.note(fmt::format("judge {} of {}: a network that has not seen {} of the labels", fold + 1,
                                folds, data.train.size() - rest.train.size()));
    // A class of one sample is missing where that is left out.
    one.batch = fitting_batch(config.batch, config.per_class, static_cast<std::int64_t>(rest.classes.size()));
    const RunFiles fold_files(files.folds() / fmt::format("{}-of-{}", fold + 1, folds));
    std::filesystem::create_directories(fold_files.folder);
    // Where a process sees it, all do, as soon as nobody is ahead.
    const bool begun = processes->any(std::filesystem::exists(fold_files.last()));
    const TrainRunOptions once{.resume = begun, .guidance_view = false};
    if (!train_run(one, rest, fold_files, machine, quiet, once).finished) return nullptr;
    result.embeddings.push_back(run_embeddings(one, data, fold_files.last(), machine, observer));
  }
  return std::make_shared<const FoldEmbeddings>(std::move(result));
}

}  // namespace procsim::train
