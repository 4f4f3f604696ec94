#pragma once

#include "tools/program/program.hpp"

namespace procsim::tools {

// The subcommands of procsim-train, one file each: tools/train/<name>.cpp.
void add_procsim_train(Program& program);  // the program without a command trains: tools/train/train.cpp
void add_procsim_train_eval(Program& program);
void add_procsim_train_embed(Program& program);
void add_procsim_train_runs(Program& program);
void add_procsim_train_export(Program& program);
void add_procsim_train_score(Program& program);
void add_procsim_train_guide(Program& program);
void add_procsim_train_methods(Program& program);
void add_procsim_train_models(Program& program);
void add_procsim_train_table(Program& program);

}  // namespace procsim::tools
