#pragma once

#include "curate/report/report.hpp"
#include "tests/curate/scored_birds.hpp"

namespace procsim::test {

// The report of a table of birds.
inline curate::Report report_of(const curate::ScoreTable& table, std::size_t top = 100) {
  const curate::ClassFamilies families(bird_taxonomy(), bird_classes());
  const auto ranking = table.ranking();
  return make_report(table, ranking, families, summarize(table, ranking, families),
                     {"noise", "digest", "scores"}, top);
}

}  // namespace procsim::test
