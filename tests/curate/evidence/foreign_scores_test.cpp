#include "curate/evidence/foreign_scores.hpp"

#include <cmath>

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "curate/evidence/score_table.hpp"
#include "data/files/file_name.hpp"
#include "tests/curate/scored_birds.hpp"
#include "tests/support/errors.hpp"
#include "tests/support/run_program.hpp"
#include "tests/support/test_files.hpp"

namespace procsim::curate {
namespace {

using test::error_of;
using test::scored;
using ::testing::HasSubstr;

const char* const kMatrix =
    "import numpy as np\np = np.full((3, 6), 0.02); p[0, 1] = 0.9; p[1, 1] = 0.9; p[2, 2] = 0.5; p[2, 5] = "
    "0.42\n";

class ForeignScores : public ::testing::Test {
 protected:
  // Writes files of the matrix `p` with NumPy itself.
  void python(const std::string& code) {
    const auto result =
        test::run_program(test::python_program().string(), {"-c", fmt::format("{}{}", kMatrix, code)},
                          {folder_.path(), {}, {}});
    ASSERT_EQ(result.exit_code, 0) << result.err;
  }
  ScoreTable scores(const std::string& file, ForeignScoresOptions options = {}) {
    make_foreign_scores(folder_ / file, folder_ / "labels.parquet", folder_ / "scores.parquet",
                        IfExists::kReplace, options);
    return read_scores(folder_ / "scores.parquet");
  }
  void SetUp() override {
    test::write_bird_labels(folder_ / "labels.parquet", {scored(10, 0, 1, 0), scored(11, 1, 0, 0),
                                                         scored(12, 2, 0, 0), scored(13, kUnlabelled, 0, 0)});
  }
  test::TemporaryFolder folder_;
};

TEST_F(ForeignScores, ReadNumpyMatricesInTheLabelSetsOrder) {
  python("np.save('p64.npy', p); np.save('p32.npy', p.astype('float32'))");
  for (const auto* file : {"p64.npy", "p32.npy"}) {
    const auto table = scores(file);
    ASSERT_EQ(table.size(), 3U) << "the unlabelled one is left out";
    const auto first = table.row(*table.find(10));
    EXPECT_EQ(first.suggested, 1);
    EXPECT_NEAR(first.margin, std::log(0.9 / 0.02), 1e-4);
    EXPECT_NEAR(first.p_given, 0.02, 1e-6);
    EXPECT_EQ(first.rivals.size(), 5U);
    EXPECT_GT(first.p_mislabelled, 0.5F);
    EXPECT_LT(table.row(*table.find(11)).p_mislabelled, 0.2F);
    EXPECT_EQ(table.row(*table.find(12)).suggested, 5);
    EXPECT_EQ(table.ranking().front(), 0U);
    EXPECT_EQ(table.info().provenance.label_set, parts_digest(folder_ / "labels.parquet"));
  }
}

TEST_F(ForeignScores, ReadCsvAndParquetByNameAndId) {
  python(R"(
import pandas as pd
names = ['Herring Gull', '002.Western Gull', '2', 'p3', 'p_4', 'Snowy Owl']
table = pd.DataFrame(p, columns=names); table['sample_id'] = [10, 11, 12]
table = table.iloc[::-1]
table.to_csv('p.csv', index=False); table.to_parquet('p.parquet', index=False)
pd.DataFrame({'sample_id': [12, 10], 'probabilities': [list(p[2]), list(p[0])]}).to_parquet('lists.parquet', index=False)
)");
  for (const auto* file : {"p.csv", "p.parquet"}) {
    const auto table = scores(file);
    ASSERT_EQ(table.size(), 3U) << file;
    EXPECT_EQ(table.row(*table.find(10)).suggested, 1) << file;
    EXPECT_EQ(table.row(*table.find(12)).suggested, 5) << file;
  }
  EXPECT_EQ(scores("lists.parquet").size(), 2U);
}

TEST_F(ForeignScores, SayWhatDoesNotFit) {
  std::string script(kMatrix);
  script +=
      "np.save('rows.npy', p[:2]); np.save('columns.npy', p[:, :5]); np.save('ints.npy', p.astype(int)); "
      "np.save('flat.npy', p[0])\n"
      "np.save('fortran.npy', np.asfortranarray(p)); p[1, 1] = 1.5; np.save('large.npy', p); p[1, 1] = "
      "np.nan; np.save('nan.npy', p)\n"
      "open('short.npy', 'wb').write(open('large.npy', 'rb').read()[:-30]); open('no.npy', "
      "'w').write('hello, this is text')";
  python(script);
  const auto error = [&](const char* file) { return error_of([&] { scores(file); }); };
  EXPECT_THAT(error("rows.npy"), HasSubstr("has 2 rows"));
  EXPECT_THAT(error("columns.npy"), HasSubstr("5 columns, but the label set has 6 classes"));
  EXPECT_THAT(error("ints.npy"), HasSubstr("float32 or float64"));
  EXPECT_THAT(error("flat.npy"), HasSubstr("samples × classes"));
  EXPECT_THAT(error("fortran.npy"), HasSubstr("Fortran"));
  EXPECT_THAT(error("large.npy"), HasSubstr("row 2"));
  EXPECT_THAT(error("nan.npy"), HasSubstr("not a probability"));
  EXPECT_THAT(error("no.npy"), HasSubstr("not a NumPy file"));
  EXPECT_THAT(error("missing.npy"), HasSubstr("cannot be read"));
  EXPECT_FALSE(std::filesystem::exists(folder_ / "scores.parquet"));
}

TEST_F(ForeignScores, RowsThatDoNotAddUpToOneAreRefused) {
  const auto error = [&](const std::string& row) {
    folder_.write("p.csv", "sample_id,0,1,2,3,4,5\n11,0,1,0,0,0,0\n" + row + "\n");
    return error_of([&] { scores("p.csv"); });
  };
  EXPECT_THAT(error("10,0,0,0,0,0,0"), HasSubstr("p.csv, row 2: its probabilities add up to 0, not to 1"));
  EXPECT_THAT(error("10,1,1,0,0,0,0"), HasSubstr("row 2: its probabilities add up to 2, not to 1"));
  EXPECT_THAT(error("10,0.9,0.03,0,0,0,0"), HasSubstr("add up to 0.93"));
  EXPECT_EQ(error("10,0.33,0.33,0.33,0,0,0"), "(no error)") << "rounded to two digits";
}

TEST_F(ForeignScores, EstimateHowManyLabelsAreWrong) {
  // Two labels that the model is sure of, one that it is sure against: one in three.
  folder_.write("p.csv", "sample_id,0,1,2,3,4,5\n10,0,1,0,0,0,0\n11,0,1,0,0,0,0\n12,0,0,1,0,0,0\n");
  const auto result = make_foreign_scores(folder_ / "p.csv", folder_ / "labels.parquet",
                                          folder_ / "scores.parquet", IfExists::kReplace, {});
  EXPECT_EQ(result.rows, 3);
  EXPECT_NEAR(result.noise_rate.rate, 1.0 / 3, 0.01);
  EXPECT_LE(result.noise_rate.low, 1.0 / 3);
  EXPECT_GE(result.noise_rate.high, 1.0 / 3);
  EXPECT_THAT(error_of([&] { scores("p.csv", {"test", 5}); }), HasSubstr("none of the labelled samples"));
}

// The noise model takes what a classifier is unsure of for its confusions; whether they are, it cannot know.
TEST_F(ForeignScores, TheIntervalHoldsTheErrorsThatFollowTheImage) {
  std::vector<ScoreRow> rows;
  std::string table = "sample_id,0,1,2,3,4,5\n";
  for (std::int32_t i = 0; i < 300; ++i) {
    const auto label = i % 6;
    rows.push_back(scored(i, label, (label + 1) % 6, 0));
    const bool doubtful = i % 10 == 0;  // the model takes it for the next class, by little
    for (std::int32_t c = -1; c < 6; ++c) {
      const double p = c == label             ? (doubtful ? 0.4 : 0.75)
                       : c == (label + 1) % 6 ? (doubtful ? 0.5 : 0.15)
                                              : 0.025;
      table += c < 0 ? fmt::format("{}", i) : fmt::format(",{}", p);
    }
    table += "\n";
  }
  test::write_bird_labels(folder_ / "labels.parquet", rows);
  folder_.write("p.csv", table);
  const auto result = make_foreign_scores(folder_ / "p.csv", folder_ / "labels.parquet",
                                          folder_ / "scores.parquet", IfExists::kReplace, {});
  EXPECT_LT(result.noise_rate.low, 0.02);
  EXPECT_GT(result.noise_rate.high, 0.1);
  EXPECT_TRUE(result.noise_rate.audit_decides);
  ASSERT_TRUE(ScoresReader(folder_ / "scores.parquet").info().estimates);
  EXPECT_EQ(ScoresReader(folder_ / "scores.parquet").info().estimates->noise_rate, result.noise_rate);
}

}  // namespace
}  // namespace procsim::curate
