#include "train/runs/run_scores.hpp"

#include <limits>
#include <unordered_map>

#include "data/base/error.hpp"
#include "data/files/file_changes.hpp"
#include "train/inputs/session.hpp"
#include "train/runs/fold_models.hpp"

namespace procsim::train {

std::string write_scores(const TrainData& data, const LabelScores& scores,
                         const nlohmann::ordered_json& source, const std::filesystem::path& path,
                         IfExists if_exists, FileChanges& changes) {
  ScoresInfo info;
  info.dataset = data.info.dataset;
  info.classes = data.info.classes;
  info.provenance = {"procsim-train", scores.method, data.digest, source};
  info.estimates = scores.estimates;
  if (source.value("from", "") == "run" && !scores.method.value("fold_models", false))
    info.estimates->noise_rate.leaning = true;  // see kLeaningFeatures
  ScoresWriter writer(path, if_exists);
  writer.append(scores.rows);
  return writer.finish(info, changes);
}

bool write_run_scores(const TrainConfig& config, const TrainData& data, const RunFiles& files,
                      const MachineOptions& machine, const TrainResult& result,
                      const TrainObserver& observer) {
  LabelScoreOptions options;
  options.cross_fit.seed = config.seed;
  options.cross_fit.threads = machine.threads;
  if (config.fold_models > 0) {
    options.fold_models = train_fold_models(config, data, files, machine, observer);
    if (!options.fold_models) return false;
  }
  const torch::NoGradGuard no_gradients;
  auto& session = *result.session;
  const auto embeddings = embed_all(*session.model, *session.train_inputs, session.embed_options(config));
  if (!session.processes->first()) return true;
  if (observer.progress) options.cross_fit.progress = observer.progress("scores");
  const auto scores =
      score_labels(data, embeddings, data.taxonomy.get(), {result.suspicion, result.trust}, options);
  if (observer.note) {
    for (const auto& note : scores.notes) observer.note(note);
    if (!options.fold_models) observer.note(kLeaningFeatures);
  }
  FileChanges changes;
  write_scores(data, scores, {{"from", "run"}, {"memory", "in training"}, {"config", to_json(config)}},
               files.scores(), IfExists::kReplace, changes);
  changes.replace();
  changes.keep();
  return true;
}

StoredMemory read_training_memory(const TrainData& data, const std::filesystem::path& scores) {
  StoredMemory memory;
  if (!std::filesystem::exists(scores)) return memory;
  ScoresReader reader(scores);
  if (!reader.info().provenance.remembers_training()) return memory;
  // Losses of other labels say nothing about these.
  if (reader.info().provenance.label_set != data.digest) return memory;
  std::unordered_map<std::int64_t, std::pair<float, float>> known;
  for (auto rows = reader.next(); !rows.empty(); rows = reader.next())
    for (const auto& row : rows) known[row.sample_id] = {row.proxy_loss, row.confidence};
  for (const auto& sample : data.train) {
    const auto found = known.find(sample.id);
    const bool there = found != known.end();
    memory.proxy_loss.push_back(there ? found->second.first : std::numeric_limits<float>::quiet_NaN());
    memory.sigma.push_back(there ? found->second.second : 1.0F);
  }
  return memory;
}

}  // namespace procsim::train
