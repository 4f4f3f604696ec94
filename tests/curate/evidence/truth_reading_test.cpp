#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "curate/evidence/evaluation.hpp"
#include "tests/curate/birds_with_truth.hpp"
#include "tests/support/errors.hpp"
#include "tests/support/test_files.hpp"

namespace procsim::curate {
namespace {

using test::error_of;
using test::families;
using test::scored;
using test::small_table;
using ::testing::HasSubstr;

TEST(Truth, ComesFromLabelSetsAndTables) {
  const test::TemporaryFolder folder;
  const auto table = small_table();
  auto rows = std::vector<ScoreRow>();
  for (std::uint32_t i = 0; i < 5; ++i) rows.push_back(table.row(i));
  test::write_bird_labels(folder / "clean.parquet", rows);
  EXPECT_EQ(read_truth(folder / "clean.parquet", table).labels, truth_in(table).labels);
  const auto by_id = read_truth(
      folder.write("ids.csv", "sample_id,true_label,noise_type\n1,Western Gull,semantic\n3,3,uniform\n"),
      table);
  EXPECT_EQ(by_id.known(), 2U);
  EXPECT_EQ(by_id.labels[0], 1);
  EXPECT_EQ(by_id.noise_types[2], "uniform");
  const auto quality = evaluate(table, by_id, families());
  ASSERT_EQ(quality.by_noise_type.size(), 2U);
  EXPECT_EQ(quality.by_noise_type[0].name, "semantic");
  const auto by_path =
      read_truth(folder.write("paths.csv", "path,label\n0/1.jpg,002.Western Gull\nother.jpg,0\n"), table);
  EXPECT_EQ(by_path.known(), 1U);
}

TEST(Truth, MayBeAMaskOfErrors) {
  const test::TemporaryFolder folder;
  const auto table = small_table();
  const auto by_path =
      read_truth(folder.write("mask.csv", "path,label,wrong\n0/1.jpg,x,1\n0/2.jpg,x,no\n"), table);
  EXPECT_EQ(by_path.known(), 2U);
  EXPECT_EQ(by_path.mask[0], 1);
  EXPECT_EQ(by_path.mask[1], 0);
  EXPECT_EQ(by_path.mask[2], -1);
  const auto quality = evaluate(table, by_path, families());
  EXPECT_EQ(quality.samples, 2U);
  EXPECT_EQ(quality.wrong, 1U);
  EXPECT_FALSE(quality.suggestion_accuracy) << "a mask does not know the true class";
  EXPECT_DOUBLE_EQ(quality.missed_at_errors, 0);
  // numpy.save of [1, 0, 1, 0, 0, 0] as bool
  const std::string header = "{'descr': '|b1', 'fortran_order': False, 'shape': (6,), }";
  std::string npy("\x93NUMPY\x01\x00", 8);
  npy += static_cast<char>(118);
  npy += '\0';
  npy += header + std::string(117 - header.size(), ' ') + "\n";
  npy += std::string("\1\0\1\0\0\0", 6);
  const auto by_order = read_truth(folder.write("mask.npy", npy), table);
  EXPECT_EQ(by_order.mask, (std::vector<std::int8_t>{1, 0, 1, 0, 0, 0}));
  npy.back() = '\5';
  EXPECT_THAT(error_of([&] { read_truth(folder.write("five.npy", npy), table); }), HasSubstr("value 5 is 5"));
}

TEST(Truth, SaysWhatIsWrongWithAFile) {
  const test::TemporaryFolder folder;
  const auto table = small_table();
  EXPECT_THAT(error_of([&] { read_truth(folder.write("a.csv", "sample_id,true_label\n1,Dodo\n"), table); }),
              HasSubstr("row 1, column 'true_label'"));
  EXPECT_THAT(error_of([&] { read_truth(folder.write("b.csv", "sample_id,colour\n1,red\n"), table); }),
              HasSubstr("it has sample_id, colour"));
  EXPECT_THAT(error_of([&] { read_truth(folder.write("c.csv", "sample_id,label\n99,1\n"), table); }),
              HasSubstr("none of the scored samples"));
  test::write_bird_labels(folder / "unknown.parquet", {scored(1, 0, 1, 0.5)});
  EXPECT_THAT(error_of([&] { read_truth(folder / "unknown.parquet", table); }),
              HasSubstr("knows no true labels"));
}

TEST(Rankings, ComeFromScoresFilesAndTables) {
  const test::TemporaryFolder folder;
  const auto table = small_table();
  const auto ours =
      read_ranking(test::write_scores(folder / "ours.parquet", {table.row(0), table.row(5)}), {});
  EXPECT_EQ(ours.name, "ours");
  EXPECT_FLOAT_EQ(static_cast<float>(ours.scores.at(1)), table.row(0).suspicion);
  EXPECT_TRUE(ours.wrong.at(1));
  EXPECT_FALSE(ours.wrong.contains(6)) << "its truth is not known";
  // cleanlab's label quality: low is suspect.
  const auto theirs = read_ranking(folder.write("q.csv", "sample_id,label_quality\n1,0.25\n"), {});
  EXPECT_EQ(theirs.scores.at(1), -0.25);
  EXPECT_THAT(theirs.note, HasSubstr("turned round"));
  EXPECT_THAT(error_of([&] { read_ranking(folder.write("x.csv", "sample_id,a\n1,2\n"), {}); }),
              HasSubstr("no column label_quality"));
  EXPECT_EQ(read_ranking(folder / "x.csv", "a").scores.at(1), 2);
  EXPECT_EQ(read_ranking(folder / "q.csv", "label_quality").scores.at(1), -0.25);
}

}  // namespace
}  // namespace procsim::curate
