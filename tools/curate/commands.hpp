#pragma once

#include "tools/program/program.hpp"

namespace procsim::tools {

void add_curate_report(Program& program);
void add_curate_serve(Program& program);
void add_curate_apply(Program& program);
void add_curate_log(Program& program);
void add_curate_agreement(Program& program);
void add_curate_audit(Program& program);
void add_curate_duplicates(Program& program);
void add_curate_diff(Program& program);
void add_curate_score(Program& program);
void add_curate_compare(Program& program);
void add_curate_hierarchy(Program& program);
void add_curate_export(Program& program);
void add_curate_import(Program& program);
void add_curate_import_scores(Program& program);

}  // namespace procsim::tools
