#include "train/run_scores.hpp"

#include <limits>
#include <unordered_map>

#include "data/error.hpp"

namespace procsim {

void write_scores(const TrainData& data, const LabelScores& scores, const nlohmann::ordered_json& source,
                  const std::filesystem::path& path, IfExists if_exists) {
  ScoresInfo info;
  info.dataset = data.info.dataset;
  info.classes = data.info.classes;
  info.provenance = {{"program", "procsim-train"},
                     {"method", scores.method},
                     {"label_set", data.digest},
                     {"embeddings", source}};
  info.estimates = scores.estimates;
  ScoresWriter writer(path, if_exists);
  writer.append(scores.rows);
  writer.finish(info);
}

void write_run_scores(const TrainConfig& config, const TrainData& data, const std::filesystem::path& path,
                      Session& session, const TrainingMemory& memory, const TrainObserver& observer) {
  const torch::NoGradGuard no_gradients;
  const auto embeddings = embed_all(*session.model, *session.train_inputs, session.embed_options(config));
  LabelScoreOptions options;
  options.cross_fit.seed = config.seed;
  if (observer.progress) options.cross_fit.progress = observer.progress("scores");
  const auto scores = score_labels(data, embeddings, data.taxonomy.get(), memory, options);
  if (observer.note) {
    for (const auto& note : scores.notes) observer.note(note);
    observer.note(kLeaningFeatures);
  }
  write_scores(data, scores, {{"from", "run"}, {"memory", "in training"}, {"config", to_json(config)}}, path,
               IfExists::kReplace);
}

StoredMemory read_training_memory(const TrainData& data, const std::filesystem::path& scores) {
  StoredMemory memory;
  if (!std::filesystem::exists(scores)) return memory;
  ScoresReader reader(scores);
  // Scores of embeddings made elsewhere hold no memory of a training.
  const auto& provenance = reader.info().provenance;
  if (!provenance.contains("embeddings") || provenance["embeddings"].value("memory", "") != "in training")
    return memory;
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

}  // namespace procsim
