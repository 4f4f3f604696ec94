#include <cstdlib>
#include <filesystem>
#include <string_view>

#include <malloc.h>
#include <unistd.h>

#include "tools/train/commands.hpp"

namespace {

// OpenMP's threads spin while they wait for work and take the cores from the threads that decode images, and
// from everybody else: on a busy machine a run takes six times as long. The library reads its environment
// before main, so the program starts itself again with the setting that it wants.
void wait_without_spinning(int argc, char** argv) {
  if (argc == 2 && argv[1] == std::string_view("--version")) return;  // which waits for nothing
  if (std::getenv("OMP_WAIT_POLICY") != nullptr || std::getenv("GOMP_SPINCOUNT") != nullptr) return;
  if (setenv("OMP_WAIT_POLICY", "passive", 0) != 0) return;
  std::error_code code;
  const auto self = std::filesystem::read_symlink("/proc/self/exe", code);
  if (!code) execv(self.c_str(), argv);  // returns only if it failed: then with spinning
}

// Activations come and go by the megabyte. Given back to the system each time and fetched again, their pages
// cost as much as the arithmetic: the allocator keeps them.
void keep_freed_memory() {
  constexpr int kLargestThatIsKept = 32 << 20;  // glibc accepts no more
  mallopt(M_MMAP_THRESHOLD, kLargestThatIsKept);
  mallopt(M_TRIM_THRESHOLD, 2000 << 20);
}

void add_commands(procsim::tools::Program& program) {
  using namespace procsim::tools;
  add_procsim_train(program);
  add_procsim_train_eval(program);
  add_procsim_train_embed(program);
  add_procsim_train_runs(program);
  add_procsim_train_export(program);
  add_procsim_train_score(program);
  add_procsim_train_guide(program);
  add_procsim_train_methods(program);
  add_procsim_train_models(program);
  add_procsim_train_table(program);
}

}  // namespace

int main(int argc, char** argv) {
  wait_without_spinning(argc, argv);
  keep_freed_memory();
  return procsim::tools::run_program("procsim-train",
                                     "Train an embedding that withstands wrong labels, and score the labels",
                                     add_commands, argc, argv);
}
