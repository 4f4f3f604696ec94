#include "tools/curate/commands.hpp"

int main(int argc, char** argv) {
  using namespace procsim::tools;
  Program program("curate", "From scores to a reviewed, corrected data set: report, review, apply.");
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
  return program.main(argc, argv);
}
