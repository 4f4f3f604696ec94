#include "tools/noise.hpp"

int main(int argc, char** argv) {
  procsim::Program program("noise", "Label sets with controlled, realistic, verifiable errors");
  procsim::add_noise_inject(program);
  procsim::add_noise_sweep(program);
  procsim::add_noise_verify(program);
  procsim::add_noise_stats(program);
  procsim::add_noise_confusion(program);
  procsim::add_noise_diff(program);
  procsim::add_noise_import(program);
  procsim::add_noise_export(program);
  return program.main(argc, argv);
}
