#pragma once

#include <atomic>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "data/base/progress.hpp"
#include "train/models/embedder.hpp"
#include "train/processes/processes.hpp"
#include "train/samples/train_data.hpp"
#include "train/settings/config.hpp"

namespace procsim::train {

// Where batches come from: decoded images, or kept activations of a frozen stage. Thread-safe.
class InputSource {
 public:
  virtual ~InputSource() = default;

  virtual std::int64_t size() const = 0;
  // The stage of the backbone that these are inputs to.
  virtual std::size_t stage() const { return 0; }
  // One augmented input per sample, in single or half precision. Draws key the augmentation: the first sample
  // is augmented by `first_draw`, the next by the one after; the same sample and draw give the same input.
  virtual torch::Tensor augmented(std::span<const std::int64_t> samples, std::int64_t first_draw) const = 0;
  // Centre crops.
  virtual torch::Tensor centred(std::span<const std::int64_t> samples) const = 0;
};

// Images of samples, decoded when they are asked for. Decoded images are kept while they fit into `memory`
// bytes.
class ImageInputs : public InputSource {
 public:
  ImageInputs(std::filesystem::path root, std::vector<TrainSample> samples, const TrainConfig& config,
              PixelScale scale, std::int64_t memory);
  ~ImageInputs() override;

  std::int64_t size() const override;
  torch::Tensor augmented(std::span<const std::int64_t> samples, std::int64_t first_draw) const override;
  torch::Tensor centred(std::span<const std::int64_t> samples) const override;

  // View 0 is the centre crop, the others are random crops that depend on the sample's id alone.
  torch::Tensor view(std::span<const std::int64_t> samples, std::int64_t view) const;
  // SHA-256 of the content of every image, in order; and over all of them.
  std::vector<std::string> image_digests(int workers) const;
  std::string content_digest(int workers) const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

// SHA-256 of the weights of the first `stages` stages.
std::string weights_digest(Embedder& model, std::size_t stages);

struct ActivationCacheOptions {
  std::filesystem::path folder;
  std::size_t stage = 0;
  std::int64_t views = 0;  // random views beside the centre crop
  int workers = 1;
  Progress progress{};
  std::shared_ptr<Processes> processes = one_process();  // that share the work, and the folder
};

// Runs the frozen part of `model` over all images and keeps the outputs (half precision, memory-mapped) in a
// file named by the digest of weights, images, stage, preprocessing and precision; a complete one of that
// name is used again. Of several processes each runs its part, and the first writes.
std::unique_ptr<InputSource> cache_activations(Embedder& model, const ImageInputs& images,
                                               const TrainConfig& config,
                                               const ActivationCacheOptions& options);

struct EmbedOptions {
  int workers = 1;
  std::int64_t batch = 4;  // small: activations stay in the cache and below what the allocator keeps
  torch::Device device = torch::kCPU;
  std::string precision = "fp32";
  Progress progress{};
  std::shared_ptr<Processes> processes = one_process();  // that share the images
};

// Unit embeddings (or, with `features`, pooled features) of every centre crop, in order, on the CPU: of all
// in every process.
// Throws Error for a model that diverged or collapsed (train/models/embedding_check.hpp).
torch::Tensor embed_all(Embedder& model, const InputSource& inputs, const EmbedOptions& options);
torch::Tensor features_of_all(Embedder& model, const InputSource& inputs, const EmbedOptions& options);

}  // namespace procsim::train
