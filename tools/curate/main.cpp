#include "tools/curate/commands.hpp"

namespace {

void add_commands(procsim::tools::Program& program) {
  using namespace procsim::tools;
  add_curate_report(program);
  add_curate_serve(program);
  add_curate_audit(program);
  add_curate_apply(program);
  add_curate_log(program);
  add_curate_agreement(program);
  add_curate_diff(program);
  add_curate_score(program);
  add_curate_compare(program);
  add_curate_hierarchy(program);
  add_curate_duplicates(program);
  add_curate_export(program);
  add_curate_import(program);
  add_curate_import_scores(program);
}

}  // namespace

int main(int argc, char** argv) {
  return procsim::tools::run_program("curate",
                                     "From scores to a reviewed, corrected data set: report, review, apply.",
                                     add_commands, argc, argv);
}
