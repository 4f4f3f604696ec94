#include "noise/class_tables.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "data/base/error.hpp"
#include "data/files/table.hpp"
#include "tests/noise/sample_labels.hpp"
#include "tests/support/run_program.hpp"
#include "tests/support/test_files.hpp"

namespace procsim::noise {
namespace {

using testing::AllOf;
using testing::HasSubstr;

std::string message_of(const std::function<void()>& action) {
  try {
    action();
  } catch (const Error& error) {
    return error.what();
  }
  return "no error";
}

class ClassTables : public testing::Test {
 protected:
  test::TemporaryFolder folder;
  LabelSetInfo info = test::info_of(test::birds());
};

TEST_F(ClassTables, ReadsASquareMatrix) {
  const auto path =
      folder.write("m.csv", "class,Ivory Gull,Fox Sparrow\nIvory Gull,0.75,0.25\nFox Sparrow,0.1,0.9\n");
  const auto matrix = read_class_matrix(path, info);
  EXPECT_NEAR(matrix.leaving_rate(1), 0.25, 1e-12);
  EXPECT_NEAR(matrix.leaving_rate(4), 0.1, 1e-12);
  EXPECT_EQ(matrix.leaving_rate(0), 0);
}

TEST_F(ClassTables, ReadsALongMatrixFromParquetByLabel) {
  Table table;
  table.columns.push_back({"from", std::vector<std::int32_t>{0, 0}});
  table.columns.push_back({"to", std::vector<std::int32_t>{0, 5}});
  table.columns.push_back({"probability", std::vector<double>{0.6, 0.4}});
  write_parquet_table(folder / "m.parquet", table, IfExists::kFail);
  EXPECT_NEAR(read_class_matrix(folder / "m.parquet", info).leaving_rate(0), 0.4, 1e-12);
}

TEST_F(ClassTables, ARowThatDoesNotSumToOneIsNamed) {
  const auto path = folder.write("m.csv", "class,Ivory Gull,Fox Sparrow\nIvory Gull,0.75,0.2\n");
  EXPECT_THAT(message_of([&] { read_class_matrix(path, info); }),
              AllOf(HasSubstr("m.csv"), HasSubstr("'Ivory Gull'"), HasSubstr("0.95")));
}

TEST_F(ClassTables, AnUnknownClassIsNamedWithTheNearest) {
  const auto path = folder.write("m.csv", "from,to,p\nIvory Gul,Ivory Gull,1\n");
  EXPECT_THAT(message_of([&] { read_class_matrix(path, info); }),
              AllOf(HasSubstr("row 1"), HasSubstr("'Ivory Gul'"), HasSubstr("did you mean 'Ivory Gull'")));
}

TEST_F(ClassTables, ANegativeOrUnreadableProbabilityIsRefusedWithItsPlace) {
  EXPECT_THAT(
      message_of([&] { read_class_matrix(folder.write("n.csv", "from,to,p\n0,1,-0.5\n0,0,1.5\n"), info); }),
      AllOf(HasSubstr("row 1"), HasSubstr("'p'")));
  EXPECT_THAT(message_of([&] { read_class_rates(folder.write("r.csv", "class,rate\n0,20%\n"), info); }),
              AllOf(HasSubstr("row 1"), HasSubstr("'rate'"), HasSubstr("20%")));
}

TEST_F(ClassTables, ReadsRatesAndPairs) {
  EXPECT_EQ(read_class_rates(folder.write("r.csv", "class,rate\nFox Sparrow,0.5\n0,0.1\n"), info),
            (std::map<std::int32_t, double>{{0, 0.1}, {4, 0.5}}));
  EXPECT_EQ(read_pair_map(folder.write("p.csv", "from,to\nFox Sparrow,House Sparrow\n"), info),
            (std::map<std::int32_t, std::int32_t>{{4, 5}}));
  EXPECT_THAT(message_of([&] { read_pair_map(folder.write("q.csv", "from,to\n1,1\n"), info); }),
              HasSubstr("itself"));
  EXPECT_THAT(message_of([&] { read_pair_map(folder.write("s.csv", "from,to\n1,2\n1,3\n"), info); }),
              HasSubstr("twice"));
}

}  // namespace
}  // namespace procsim::noise
