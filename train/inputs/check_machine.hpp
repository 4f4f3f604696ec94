#pragma once

#include "train/settings/config.hpp"
#include "train/settings/machine.hpp"

namespace procsim::train {

// Whether the words for the machine and the network can be followed: the device's name, trust in the code of
// a TorchScript backbone, the stage that --train-from names. Opens no file and looks for no GPU. Throws
// UsageError.
void check_machine(const TrainConfig& config, const MachineOptions& machine);

}  // namespace procsim::train
