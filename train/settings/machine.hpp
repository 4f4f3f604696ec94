#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>

namespace procsim::train {

class Processes;  // train/processes/processes.hpp

// How the machine is used: changes the time, not the result (on one machine).
struct MachineOptions {
  std::string device = "auto";
  int workers = 0;  // threads that decode and batch; 0: one per core, shared with other
                    // processes of the run
  int threads = 0;  // threads of the tensor library; 0: its own choice, or the
                    // share of a process
  std::int64_t memory = std::int64_t{1} << 30;  // decoded images kept in memory, bytes
  std::filesystem::path cache_folder;           // kept activations
  std::filesystem::path model_folder;           // pretrained weights by backbone name
  bool trust_code = false;
  std::shared_ptr<Processes> processes;  // that train together; null: this one alone
  std::int64_t checkpoint_steps = 0;     // also save every so many steps; 0: after every epoch only
};

}  // namespace procsim::train
