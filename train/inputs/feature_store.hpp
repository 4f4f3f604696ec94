#pragma once

#include <filesystem>
#include <map>
#include <span>
#include <string>
#include <vector>

#include "train/inputs/inputs.hpp"

namespace procsim::train {

// Feature vectors by the SHA-256 of the image they belong to, in one file that is read when it is opened and
// written by save(). A file that is not whole counts as empty.
class FeatureStore {
 public:
  FeatureStore(std::filesystem::path path, std::int64_t dimension);

  std::size_t size() const { return rows_.size(); }
  // Null if the image is not there. Valid until the next put.
  const float* find(const std::string& digest) const;
  void put(const std::string& digest, std::span<const float> features);
  void save() const;  // atomic

 private:
  std::filesystem::path path_;
  std::int64_t dimension_;
  std::map<std::string, std::vector<float>> rows_;
};

// Pooled features of every centre crop, in order, as features_of_all gives them. Those of images that this
// network has seen before, with the same weights and input, come from a store below `folder`; the others are
// computed and put into it, so that other labels of the same images, or a few new images, cost seconds.
// Without a folder nothing is kept.
torch::Tensor stored_features(Embedder& model, const ImageInputs& images, const TrainConfig& config,
                              const std::filesystem::path& folder, const EmbedOptions& options);

}  // namespace procsim::train
