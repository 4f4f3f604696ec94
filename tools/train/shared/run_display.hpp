#pragma once

#include <span>
#include <string>

#include "tools/program/program.hpp"
#include "tools/train/shared/run_plan.hpp"
#include "train/loop/train_run.hpp"

namespace procsim::tools {

// The line of a terminal that is drawn anew with every step.
void draw_step(const train::StepReport& step);

// What an epoch has come to, in a line.
std::string epoch_line(const train::EpochRecord& record, std::span<const train::Quantity> quantities,
                       const train::TrainConfig& config);

// What a finished run has come to, for a person or with --json for a program.
void print_result(const GlobalOptions& global, const RunPlan& plan, const train::TrainResult& result);

}  // namespace procsim::tools
