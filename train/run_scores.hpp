#pragma once

#include <filesystem>
#include <span>

#include "train/losses/proxy_nca.hpp"
#include "train/session.hpp"

namespace procsim {

// What training remembered of each sample.
struct SampleMemory {
  std::span<const float> proxy_loss;
  std::span<const float> sigma;
};

// Embeds the training samples with the final model, scores them (train/scoring.hpp) and writes the scores
// file.
void write_run_scores(const TrainConfig& config, const TrainData& data, const std::filesystem::path& path,
                      Session& session, const ProxyNca& proxies, const SampleMemory& memory);

}  // namespace procsim
