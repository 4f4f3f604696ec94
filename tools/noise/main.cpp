#include "tools/noise/commands.hpp"

namespace {

void add_commands(procsim::tools::Program& program) {
  using namespace procsim::tools;
  add_noise_inject(program);
  add_noise_sweep(program);
  add_noise_verify(program);
  add_noise_stats(program);
  add_noise_confusion(program);
  add_noise_diff(program);
  add_noise_import(program);
  add_noise_export(program);
}

}  // namespace

int main(int argc, char** argv) {
  return procsim::tools::run_program("noise", "Label sets with controlled, realistic, verifiable errors",
                                     add_commands, argc, argv);
}
