#include "tools/taxo/commands.hpp"

int main(int argc, char** argv) {
  procsim::tools::Program program(
      "taxo", "Class hierarchies: from WordNet or from files, checked, queried, drawn and exported");
  procsim::tools::add_taxo_build(program);
  procsim::tools::add_taxo_review(program);
  procsim::tools::add_taxo_resolve(program);
  procsim::tools::add_taxo_senses(program);
  procsim::tools::add_taxo_import(program);
  procsim::tools::add_taxo_show(program);
  procsim::tools::add_taxo_query(program);
  procsim::tools::add_taxo_stats(program);
  procsim::tools::add_taxo_check(program);
  procsim::tools::add_taxo_diff(program);
  procsim::tools::add_taxo_export(program);
  procsim::tools::add_taxo_doctor(program);
  return program.main(argc, argv);
}
