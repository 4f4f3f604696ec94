#include "train/reports/paper_tables.hpp"

#include <gtest/gtest.h>

#include "data/measures/harmonic_mean.hpp"
#include "tests/support/expect_error.hpp"
#include "train/settings/config.hpp"

namespace procsim::train {
namespace {

TEST(PaperTables, AreThoseOfThePaper) {
  EXPECT_EQ(paper_table_names(), (std::vector<std::string>{"ablation", "uniform30", "prism", "semantic",
                                                           "clean", "guidance", "backbone"}));
  test::expect_error([] { paper_table("ablatoin"); }, {"ablatoin", "ablation"});
}

TEST(PaperTables, EveryRowHasANumberForEachColumn) {
  for (const auto& name : paper_table_names()) {
    const auto table = paper_table(name);
    for (const auto& row : table.rows) {
      EXPECT_EQ(row.paper.empty(), row.group == "Ours") << name << " " << row.row;
      for (const auto& [dataset, values] : row.paper)
        EXPECT_EQ(values.size(), table.noise.size() * table.metrics_of(dataset).size())
            << name << " " << row.row;
      for (const auto& [field, value] : row.settings.items())
        EXPECT_TRUE(to_json(TrainConfig{}).contains(field) || field == "ahs_form") << field;
    }
  }
}

// What the paper printed as the harmonic mean follows from what was copied of its columns: a wrong digit
// would show.
TEST(PaperTables, TheHarmonicMeansFollowFromTheColumns) {
  int rows = 0;
  for (const auto& row : paper_table("ablation").rows) {
    if (row.paper.empty()) continue;
    std::vector<double> values;
    for (const auto& value : row.paper.at("cub200")) values.push_back(value.value());
    EXPECT_NEAR(harmonic_mean(values), row.harmonic_mean.at("cub200"), 0.0501) << row.row;
    ++rows;
  }
  EXPECT_EQ(rows, 10);
}

TEST(PaperTables, SystemsThatWereOnlyQuotedHaveNoMethod) {
  std::vector<std::string> quoted;
  for (const auto& row : paper_table("clean").rows)
    if (row.method.empty()) quoted.push_back(row.row);
  EXPECT_EQ(quoted,
            (std::vector<std::string>{"epshn", "normsoft", "diva", "dcml-mdw", "ib-dml", "s2sd+plg"}));
  EXPECT_EQ(paper_table("clean").metrics_of("sop")[1], "recall@10");
  EXPECT_EQ(paper_table("clean").metrics_of("mine")[1], "recall@2");
}

}  // namespace
}  // namespace procsim::train
