#pragma once

#include "tests/train/clusters.hpp"

namespace procsim::train {

// Ten classes of eight samples whose features say nothing of any class, but are so many that a model which
// has seen a label remembers it.
inline Clusters blank_clusters() {
  Clusters clusters(10, 8, 1, 0, 2, 256);
  torch::manual_seed(5);
  clusters.embeddings = torch::randn_like(clusters.embeddings);
  return clusters;
}

// Every sample once more, with its label: whoever judges one has mostly seen the other.
inline Clusters doubled(Clusters clusters) {
  clusters.embeddings = torch::cat({clusters.embeddings, clusters.embeddings});
  const auto count = clusters.data.train.size();
  for (std::size_t i = 0; i < count; ++i) {
    auto copy = clusters.data.train[i];
    copy.id += static_cast<std::int64_t>(count);
    clusters.data.train.push_back(copy);
  }
  index_classes(clusters.data);
  return clusters;
}

}  // namespace procsim::train
