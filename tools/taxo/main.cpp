#include "tools/taxo/commands.hpp"

namespace {

void add_commands(procsim::tools::Program& program) {
  using namespace procsim::tools;
  add_taxo_build(program);
  add_taxo_review(program);
  add_taxo_resolve(program);
  add_taxo_senses(program);
  add_taxo_import(program);
  add_taxo_show(program);
  add_taxo_query(program);
  add_taxo_stats(program);
  add_taxo_check(program);
  add_taxo_diff(program);
  add_taxo_export(program);
  add_taxo_doctor(program);
}

}  // namespace

int main(int argc, char** argv) {
  return procsim::tools::run_program(
      "taxo", "Class hierarchies: from WordNet or from files, checked, queried, drawn and exported",
      add_commands, argc, argv);
}
