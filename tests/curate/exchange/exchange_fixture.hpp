#pragma once

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "curate/exchange/exchange.hpp"
#include "tests/curate/scored_birds.hpp"
#include "tests/support/test_files.hpp"

namespace procsim::curate {

// Three suspects: sample 1 (Herring Gull, looks like Western Gull), 2 (Song Sparrow, Fox Sparrow) and 3
// (Arctic Tern, Snowy Owl).
class Exchange : public ::testing::Test {
 protected:
  Exchange() { use({test::scored(1, 0, 1, 0.9), test::scored(2, 3, 4, 0.8), test::scored(3, 2, 5, 0.7)}); }

  // Makes table and report anew.
  void use(const std::vector<ScoreRow>& rows) {
    table_ = test::bird_table(rows);
    const ClassFamilies families(test::bird_taxonomy(), test::bird_classes());
    const auto ranking = table_.ranking();
    report_ = make_report(table_, ranking, families, summarize(table_, ranking, families),
                          {"", "label set", "s"}, 10);
  }

  ImportedDecisions import(const std::string& name, const std::string& content, ImportOptions options = {}) {
    if (options.reviewer.empty()) options.reviewer = "ada";
    return import_decisions(folder_.write(name, content), table_, options);
  }
  nlohmann::ordered_json exported(ExchangeFormat format) {
    return nlohmann::ordered_json::parse(export_suspects(report_, table_, format, {"pre/"}));
  }

  test::TemporaryFolder folder_;
  ScoreTable table_ = test::bird_table({});
  Report report_;
};

}  // namespace procsim::curate
