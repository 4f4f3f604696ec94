#include "train/reports/paper_tables.hpp"

#include <algorithm>

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

// Two rows with the same configuration would be one run, shown beside two numbers of the paper.
TEST(PaperTables, RowsThatAreTrainedDifferInWhatIsTrained) {
  for (const auto& name : paper_table_names()) {
    std::map<std::string, std::string> row_of;
    for (const auto& row : paper_table(name).rows) {
      if (row.method.empty() || !row.lacks.empty()) continue;
      auto config = to_json(TrainConfig{});
      config["method"] = row.method;
      config.update(row.settings);
      const auto [known, fresh] = row_of.try_emplace(config.dump(), row.row);
      EXPECT_TRUE(fresh) << name << ": " << row.row << " is " << known->second;
    }
  }
}

// Written from the paper: ProcSim has the language guidance in all of its variants (§3.4), its rivals do not,
// MS + PLG by its method.
TEST(PaperTables, OnlyProcSimIsGuided) {
  for (const auto& name : paper_table_names())
    for (const auto& row : paper_table(name).rows) {
      const auto guidance = row.settings.value("guidance", "");
      const auto wanted = row.row == "procsim-image" ? "image" : row.row.starts_with("procsim") ? "plg" : "";
      if (row.group != "Ours") {
        EXPECT_EQ(guidance, wanted) << name << " " << row.row;
      }
    }
}

TEST(PaperTables, DeviationsArePrintedWhereThePaperPrintsThem) {
  const auto table = paper_table("clean");
  std::vector<std::string> rows;
  for (const auto& row : table.rows) {
    rows.push_back(row.row);
    for (const auto& [dataset, values] : row.deviation)
      EXPECT_EQ(values.size(), row.paper.at(dataset).size());
  }
  EXPECT_EQ(rows[5], "ms+plg");
  EXPECT_EQ(table.rows[5].deviation.at("cars196"), (std::vector<std::optional<double>>{0.2, 0.3, 0.2}));
  EXPECT_EQ(table.rows[6].deviation.at("cub200").front(), 0.3);
  EXPECT_TRUE(table.rows[0].deviation.empty());
  const std::optional<double> none;
  EXPECT_EQ(table.with_noise({"uniform 0.1"}).rows[5].deviation.at("sop"),
            (std::vector<std::optional<double>>{none, none, none}));
}

TEST(PaperTables, ARowSaysWhatItLacks) {
  const auto table = paper_table("guidance");
  EXPECT_EQ(table.rows.front().row, "procsim-clip");
  EXPECT_NE(table.rows.front().lacks.find("CLIP"), std::string::npos);
  EXPECT_EQ(table.rows[1].row, "procsim-bert");
  EXPECT_EQ(table.rows[1].lacks, "");
}

TEST(PaperTables, ColumnsAreChosenWithTheirNumbers) {
  const auto table = paper_table("clean").with_noise({"uniform 0.4", "none"});
  EXPECT_EQ(table.noise, (std::vector<std::string>{"uniform 0.4", "none"}));
  const auto& procsim = table.rows[7].paper.at("cub200");
  const std::optional<double> no_number;
  EXPECT_EQ(procsim, (std::vector<std::optional<double>>{no_number, no_number, no_number, 70.1, 79.6, 69.5}));

  const auto ablation = paper_table("ablation");
  const auto two = ablation.with_noise({"uniform 0.5", "semantic 0.5"});
  EXPECT_EQ(two.rows[2].paper.at("cub200"), (std::vector<std::optional<double>>{49.5, 49.0}));
  EXPECT_TRUE(two.harmonic_mean);
  EXPECT_TRUE(two.rows[2].harmonic_mean.empty()) << "the paper's is over all of its columns";
  EXPECT_FALSE(ablation.with_noise({"none"}).harmonic_mean);
  auto turned = ablation.noise;
  std::reverse(turned.begin(), turned.end());
  EXPECT_EQ(ablation.with_noise(turned).rows[2].harmonic_mean.at("cub200"), 58.6);
}

TEST(PaperTables, NoiseIsWrittenAsInFileNames) {
  EXPECT_EQ(noise_column("none"), "none");
  EXPECT_EQ(noise_column("uniform-0.5"), "uniform 0.5");
  EXPECT_EQ(noise_column("semantic-0.50"), "semantic 0.5");
  test::expect_error([] { noise_column("unifrom-0.5"); }, {"--noise unifrom-0.5", "uniform-0.5", "mean"});
  test::expect_error([] { noise_column("uniform"); }, {"--noise uniform", "uniform-0.5"});
  test::expect_error([] { noise_column("uniform-1.5"); }, {"'1.5'", "rate"});
  test::expect_error([] { noise_column("uniform-0"); }, {"'0'", "rate"});
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
