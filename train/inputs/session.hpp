#pragma once

#include <memory>

#include "train/inputs/inputs.hpp"
#include "train/models/embedder.hpp"
#include "train/processes/processes.hpp"
#include "train/reports/observer.hpp"
#include "train/settings/machine.hpp"

namespace procsim::train {

// A model with the inputs it trains and is evaluated on: what train, eval, embed and score start from.
struct Session {
  torch::Device device = torch::kCPU;
  int workers = 1;
  std::shared_ptr<Processes> processes = one_process();
  std::unique_ptr<Embedder> model;
  bool pretrained = false;
  bool learn_statistics = false;  // of batch normalisation
  std::size_t first_stage = 0;
  std::shared_ptr<ImageInputs> train_images, test_images;
  std::shared_ptr<InputSource> train_inputs, test_inputs;  // what the first trained stage takes

  EmbedOptions embed_options(const TrainConfig& config, Progress progress = {}) const;
};

// Threads that read and decode: as many as were asked for, or one per core, shared by the processes of a
// machine.
int worker_count(const MachineOptions& machine);

// The backbone with its pretrained weights (config.weights, or <model_folder>/<backbone>.safetensors, or
// none), frozen as the configuration asks. Throws Error with what to run when weights are named but not
// there.
Session open_session(const TrainConfig& config, const TrainData& data, const MachineOptions& machine,
                     const TrainObserver& observer);

// Kept activations instead of images where the configuration freezes a part; else the images themselves.
void prepare_inputs(Session& session, const TrainConfig& config, const MachineOptions& machine,
                    const TrainObserver& observer);

// Overwrites the model with the weights of a checkpoint.
void load_checkpoint_model(Session& session, const std::filesystem::path& checkpoint);

// The model of a checkpoint. Its weights replace whatever it started from, so the pretrained file is not
// needed.
Session open_checkpoint(TrainConfig config, const TrainData& data, const std::filesystem::path& checkpoint,
                        const MachineOptions& machine, const TrainObserver& observer);

}  // namespace procsim::train
