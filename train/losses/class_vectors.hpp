#pragma once

#include <cstdint>
#include <string_view>
#include <utility>

#include "train/frame/objective.hpp"
#include "train/models/unit_rows.hpp"

// Vectors that a loss keeps of its classes: proxies, class weights, centres.
namespace procsim::train {

// What they are drawn from: N(0, scale²), or uniformly from ±scale.
struct VectorStart {
  double scale = 1;
  bool uniform = false;
};

// rows × dimension float32 that require gradients, by (seed, purpose, row).
torch::Tensor drawn_rows(std::int64_t rows, std::int64_t dimension, const VectorStart& start,
                         std::uint64_t seed, std::string_view purpose);

// The same rows as a leaf on another device.
torch::Tensor on_device(const torch::Tensor& rows, torch::Device device);

// A loss with vectors of its classes that learn by its own gradient.
class ClassVectorLoss : public Objective {
 public:
  ClassVectorLoss(torch::Tensor vectors, double lr) : vectors_(std::move(vectors)), lr_(lr) {}
  NamedParameters parameters() override { return {{"vectors", vectors_}}; }
  double learning_rate() const override { return lr_; }

 protected:
  const torch::Tensor& vectors() const { return vectors_; }

 private:
  torch::Tensor vectors_;
  double lr_;
};

// Cross-entropy of each row of logits, B values.
torch::Tensor cross_entropy_of(const torch::Tensor& logits, const torch::Tensor& labels);

}  // namespace procsim::train
