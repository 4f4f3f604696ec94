#include "data/labels/foreign_table.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/support/errors.hpp"
#include "tests/support/test_files.hpp"

namespace procsim {
namespace {

using test::error_of;
using ::testing::HasSubstr;

class Foreign : public ::testing::Test {
 protected:
  Foreign() {
    classes_.classes = {{"Herring Gull", "", ""}, {"Western Gull", "", ""}, {"Ivory Gull", "", ""}};
  }

  test::TemporaryFolder folder_;
  ForeignTable table_{
      folder_.write("t.csv", "id,class,share\n7,Western Gull,0.5\nx,Dodo,much\n9,,\n10,-1,1\n")};
  LabelSetInfo classes_;
};

TEST_F(Foreign, TakesTheFirstOfTheUsualNames) {
  EXPECT_EQ(table_.find({"sample_id", "id"})->name, "id");
  EXPECT_EQ(table_.find({"verdict"}), nullptr);
  EXPECT_THAT(error_of([&] { table_.require({"verdict", "decision"}); }),
              HasSubstr("t.csv: no column verdict or decision; it has id, class, share"));
}

TEST_F(Foreign, ReadsValuesOrSaysWhereTheyAreNone) {
  const auto& ids = table_.require({"id"});
  const auto& shares = table_.require({"share"});
  EXPECT_EQ(table_.integer(ids, 0), 7);
  EXPECT_EQ(table_.number(shares, 0), 0.5);
  EXPECT_THAT(error_of([&] { table_.integer(ids, 1); }),
              HasSubstr("t.csv, row 2, column 'id': 'x' is not a whole number"));
  EXPECT_THAT(error_of([&] { table_.number(shares, 1); }), HasSubstr("'much' is not a number"));
}

TEST_F(Foreign, ReadsClassesByNameOrNumber) {
  const auto& column = table_.require({"class"});
  EXPECT_EQ(table_.label(column, 0, classes_), 1);
  EXPECT_EQ(table_.label(column, 2, classes_), kUnlabelled);
  EXPECT_EQ(table_.label(column, 3, classes_), kUnlabelled);
  EXPECT_THAT(error_of([&] { table_.label(column, 1, classes_); }), HasSubstr("unknown class 'Dodo'"));
}

}  // namespace
}  // namespace procsim
