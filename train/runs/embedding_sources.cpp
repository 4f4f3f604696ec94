#include "train/runs/embedding_sources.hpp"

#include "data/base/error.hpp"
#include "train/inputs/feature_store.hpp"
#include "train/inputs/session.hpp"

namespace procsim::train {

torch::Tensor run_embeddings(const TrainConfig& config, const TrainData& data,
                             const std::filesystem::path& checkpoint, const MachineOptions& machine,
                             const TrainObserver& observer) {
  auto session = open_checkpoint(config, data, checkpoint, machine, observer);
  return embed_all(*session.model, *session.train_images,
                   session.embed_options(config, observer.progress_of("embedding")));
}

torch::Tensor pretrained_features(const TrainConfig& config, const TrainData& data,
                                  const MachineOptions& machine, const TrainObserver& observer) {
  auto session = open_session(config, data, machine, observer);
  if (!session.pretrained)
    throw Error("--no-train: " + config.backbone +
                " has no pretrained weights, and features of random weights say nothing about labels");
  return stored_features(*session.model, *session.train_images, config, machine.cache_folder,
                         session.embed_options(config, observer.progress_of("embedding")));
}

}  // namespace procsim::train
