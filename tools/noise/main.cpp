#include "tools/noise/commands.hpp"

int main(int argc, char** argv) {
  procsim::tools::Program program("noise", "Label sets with controlled, realistic, verifiable errors");
  procsim::tools::add_noise_inject(program);
  procsim::tools::add_noise_sweep(program);
  procsim::tools::add_noise_verify(program);
  procsim::tools::add_noise_stats(program);
  procsim::tools::add_noise_confusion(program);
  procsim::tools::add_noise_diff(program);
  procsim::tools::add_noise_import(program);
  procsim::tools::add_noise_export(program);
  return program.main(argc, argv);
}
