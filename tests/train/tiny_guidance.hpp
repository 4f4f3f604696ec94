#pragma once

#include <filesystem>
#include <string>

#include "tests/train/tiny_bert.hpp"
#include "train/models/embedder.hpp"
#include "train/settings/config.hpp"

namespace procsim::test {

// The small backbone with a last layer of random weights, as a file.
inline std::filesystem::path write_tiny_classifier(const TemporaryFolder& folder, const std::string& name,
                                                   std::int64_t outputs = 1000, std::uint64_t seed = 3) {
  const auto backbone = train::make_backbone("small", 1, false);
  train::TensorFile file;
  for (const auto& item : backbone->state()) file.tensors[item.key()] = item.value();
  torch::manual_seed(seed);
  file.tensors[backbone->head_name() + ".weight"] = torch::randn({outputs, backbone->features()});
  file.tensors[backbone->head_name() + ".bias"] = torch::zeros({outputs});
  train::write_safetensors(folder.path() / name, file, IfExists::kReplace);
  return folder.path() / name;
}

// --guidance plg with models that are made on the spot: nothing needs to be fetched.
inline void use_tiny_models(train::TrainConfig& config, const TemporaryFolder& folder) {
  config.guidance = "plg";
  config.guidance_backbone = "small";
  config.guidance_weights = write_tiny_classifier(folder, "classifier.safetensors").string();
  config.text_encoder = write_tiny_bert(folder, "bert").string();
}

}  // namespace procsim::test
