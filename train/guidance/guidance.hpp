#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "data/labels/guidance_table.hpp"
#include "train/models/torch.hpp"
#include "train/samples/train_data.hpp"

namespace procsim::train {

// What somebody else's model thinks of how alike training samples are. Every training sample has a unit: its
// class (by the given label), or itself.
class Guidance {
 public:
  // Cosines of the pseudo-labels' texts, rank by rank, averaged over the ranks. Throws Error with `source`
  // and the first names when the table lacks classes (or samples) of the training data.
  Guidance(const GuidanceTable& table, const TrainData& data, const std::string& source);
  // Cosines of a vector per class, by the class's name or published name.
  static Guidance from_text(const NamedVectors& vectors, const TrainData& data, const std::string& source);
  // Cosines of a vector per training sample, by its id.
  static Guidance from_samples(const NamedVectors& vectors, const TrainData& data, const std::string& source);
  // Cosines of the rows, one per training sample in the order of the data.
  static Guidance from_features(const torch::Tensor& features);

  // B × B average cosines of training samples, by their index.
  torch::Tensor operator()(std::span<const std::int64_t> samples) const;
  // The same between the training classes (dense order): of class units, or the mean vectors of a class's
  // samples.
  torch::Tensor class_matrix(const TrainData& data) const;

  // What a person may look at: the pseudo-labels of every training class, best first; empty where there are
  // none. Of a table of samples, those that most samples of the class have.
  const std::vector<std::vector<std::string>>& pseudo_labels() const { return pseudo_labels_; }
  bool pseudo_labels_of_samples() const { return pseudo_labels_of_samples_; }

  // SHA-256 of what decides the matrix, for checkpoints.
  std::string digest() const;

 private:
  Guidance(torch::Tensor vectors, std::vector<std::int64_t> unit_of_sample);
  Guidance(const GuidanceTable& table, const std::vector<const GuidanceEntry*>& units, const TrainData& data);

  // Units × (ranks · dimension): the unit vectors of all ranks side by side, scaled so that a dot product is
  // the mean of the ranks' cosines.
  torch::Tensor vectors_;
  std::vector<std::int64_t> unit_of_sample_;
  torch::Tensor matrix_;  // units × units, where that is small enough to keep
  std::vector<std::vector<std::string>> pseudo_labels_;
  bool pseudo_labels_of_samples_ = false;
};

}  // namespace procsim::train
