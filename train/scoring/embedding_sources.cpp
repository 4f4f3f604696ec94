#include "train/scoring/embedding_sources.hpp"

#include "data/base/error.hpp"
#include "train/session.hpp"

namespace procsim::train {
namespace {

Progress progress_of(const TrainObserver& observer) {
  return observer.progress ? observer.progress("embedding") : Progress{};
}

}  // namespace

torch::Tensor run_embeddings(TrainConfig config, const TrainData& data,
                             const std::filesystem::path& checkpoint, const MachineOptions& machine,
                             const TrainObserver& observer) {
  // The checkpoint's weights replace whatever the model started from.
  config.weights = "none";
  config.train_from.clear();
  auto session = open_session(config, data, machine, observer);
  load_checkpoint_model(session, checkpoint);
  return embed_all(*session.model, *session.train_images,
                   session.embed_options(config, progress_of(observer)));
}

torch::Tensor pretrained_features(const TrainConfig& config, const TrainData& data,
                                  const MachineOptions& machine, const TrainObserver& observer) {
  auto session = open_session(config, data, machine, observer);
  if (!session.pretrained)
    throw Error("--no-train: " + config.backbone +
                " has no pretrained weights, and features of random weights say nothing about labels");
  return features_of_all(*session.model, *session.train_images,
                         session.embed_options(config, progress_of(observer)));
}

}  // namespace procsim::train
