#pragma once

#include "tools/program/program.hpp"

namespace procsim::tools {

// The subcommands of taxo, one file each (tools/taxo/<name>.cpp).
void add_taxo_build(Program& program);
void add_taxo_review(Program& program);
void add_taxo_resolve(Program& program);
void add_taxo_senses(Program& program);
void add_taxo_import(Program& program);
void add_taxo_show(Program& program);
void add_taxo_query(Program& program);
void add_taxo_stats(Program& program);
void add_taxo_check(Program& program);
void add_taxo_diff(Program& program);
void add_taxo_export(Program& program);
void add_taxo_doctor(Program& program);

}  // namespace procsim::tools
