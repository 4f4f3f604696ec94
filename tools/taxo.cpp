#include "tools/taxo.hpp"

int main(int argc, char** argv) {
  procsim::Program program(
      "taxo", "Class hierarchies: from WordNet or from files, checked, queried, drawn and exported");
  procsim::add_taxo_build(program);
  procsim::add_taxo_review(program);
  procsim::add_taxo_resolve(program);
  procsim::add_taxo_senses(program);
  procsim::add_taxo_import(program);
  procsim::add_taxo_show(program);
  procsim::add_taxo_query(program);
  procsim::add_taxo_stats(program);
  procsim::add_taxo_check(program);
  procsim::add_taxo_diff(program);
  procsim::add_taxo_export(program);
  return program.main(argc, argv);
}
