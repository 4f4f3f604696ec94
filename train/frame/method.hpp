#pragma once

#include <vector>

#include "train/frame/batch.hpp"
#include "train/frame/checkpoint_part.hpp"
#include "train/models/embedder.hpp"
#include "train/reports/quantity.hpp"
#include "train/reports/step_outcome.hpp"

namespace procsim::train {

// All that happens between a batch and its update. The loop knows nothing else of a method.
class Method {
 public:
  virtual ~Method() = default;

  // Augmented views of each sample that a step needs.
  virtual std::int64_t views() const { return 1; }
  // What its steps report, in the order of metrics.csv.
  virtual std::vector<Quantity> quantities() const = 0;
  // The model that is evaluated and kept as the run's.
  virtual Embedder& evaluated() = 0;

  // Once, before the first epoch of a new run; not when a run is resumed.
  virtual void start(const TrainingSet&) {}
  // At the start of every epoch; not when a run goes on inside one.
  virtual void begin_epoch(const TrainingSet&) {}
  // For a method that judges the whole set at the start of an epoch: columns with a value for every training
  // sample.
  virtual Columns set_columns() const { return {}; }
  // Learns from a batch. An outcome whose objective is not finite has updated nothing: the loop stops.
  virtual StepOutcome step(const Batch& batch) = 0;

  // Everything that decides the steps to come: a restored method goes on bit for bit. The evaluated model is
  // saved as "model.…" at the top of the file.
  virtual void save(const CheckpointPart& part) = 0;
  virtual void restore(const CheckpointPart& part) = 0;
};

}  // namespace procsim::train
