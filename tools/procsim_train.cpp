#include "tools/procsim_train.hpp"

int main(int argc, char** argv) {
  procsim::Program program("procsim-train",
                           "Train an embedding that withstands wrong labels, and score the labels");
  procsim::add_procsim_train_run(program);
  procsim::add_procsim_train_eval(program);
  procsim::add_procsim_train_embed(program);
  procsim::add_procsim_train_runs(program);
  procsim::add_procsim_train_export(program);
  return program.main(argc, argv);
}
