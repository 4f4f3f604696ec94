#pragma once

#include <chrono>
#include <functional>
#include <memory>

#include "data/noise_model/class_distances.hpp"
#include "train/frame/method.hpp"
#include "train/inputs/session.hpp"
#include "train/loop/checkpoint.hpp"
#include "train/reports/observer.hpp"
#include "train/reports/run_files.hpp"
#include "train/reports/run_page.hpp"
#include "train/samples/sampler.hpp"

namespace procsim::train {

// What a loop runs with; all of it outlives the loop.
struct LoopContext {
  const TrainConfig& config;
  const TrainData& data;
  const RunFiles& files;
  const MachineOptions& machine;
  const TrainObserver& observer;
  Session& session;  // with its inputs prepared
  Method& method;
  RunInputs inputs;
  std::string method_line;  // for the page
};

// Epochs of steps of a method: batches in, checkpoints, metrics and reports out. It knows no method by name.
class TrainingLoop {
 public:
  // `wrong`: per training sample, empty where the truth is not known. Throws Error where the batch does not
  // fit the data.
  TrainingLoop(const LoopContext& context, std::vector<std::uint8_t> wrong);

  // A new run: the start model's record, the first checkpoint, after which `saved_first` is called, then the
  // reports.
  void start(const std::function<void()>& saved_first = {});
  void resume();  // where last.safetensors stands
  // Until the last epoch is done; false: asked to stop, and saved. Throws Error for an objective that is not
  // a number, with the batch that caused it in failed_batch.csv.
  bool run();

  const RunState& state() const { return state_; }
  const EpochMeter& meter() const { return meter_; }
  // The page, with what the guidance believes where that is given.
  void write_page(const GuidanceView* guidance = nullptr) const;

 private:
  bool stop_asked() const;  // of any process
  Processes& processes() const { return *context_.session.processes; }
  TrainingSet training_set() const;
  bool run_epoch();
  std::vector<torch::Tensor> views_of(const std::vector<std::int64_t>& samples, std::int64_t draw) const;
  Batch batch_of(const std::vector<std::int64_t>& samples, std::vector<torch::Tensor> views) const;
  void run_step(const Batch& batch);
  [[noreturn]] void stop_at_nan(const Batch& batch, const StepOutcome& outcome) const;
  void report_step(std::int64_t steps);
  void finish_epoch();
  void add_evaluation(EpochRecord& record);
  void report_epoch() const;
  bool remember_best(const EpochRecord& record);
  // Of several processes the first writes, and nobody goes on before it has.
  void save();
  void save_best();

  LoopContext context_;
  ClassBalancedSampler sampler_;
  std::vector<std::int64_t> test_labels_;
  std::vector<std::int64_t> ids_;
  ClassDistances distances_;
  EpochMeter meter_;
  RunState state_;
  std::chrono::steady_clock::time_point started_;
  std::int64_t steps_done_ = 0;
};

}  // namespace procsim::train
