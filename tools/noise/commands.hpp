#pragma once

#include "tools/program/program.hpp"

namespace procsim::tools {

// The subcommands of `noise`, one file each: tools/noise/<name>.cpp.
void add_noise_inject(Program& program);
void add_noise_sweep(Program& program);
void add_noise_verify(Program& program);
void add_noise_stats(Program& program);
void add_noise_confusion(Program& program);
void add_noise_diff(Program& program);
void add_noise_import(Program& program);
void add_noise_export(Program& program);

}  // namespace procsim::tools
