#include "data/workspace/sqlite.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/support/errors.hpp"
#include "tests/support/test_files.hpp"

namespace procsim {
namespace {

using test::TemporaryFolder;
using ::testing::HasSubstr;

struct Birds {
  TemporaryFolder folder;
  Database database{folder / "birds.db"};
  Birds() { database.execute("CREATE TABLE birds (name TEXT, count INTEGER, size REAL)"); }

  std::int64_t rows() {
    Statement statement(database, "SELECT count(*) FROM birds");
    statement.step();
    return statement.integer(0);
  }
  void put(std::string_view name) {
    Statement(database, "INSERT INTO birds (name) VALUES (?)").bind(name).run();
  }
};

TEST(Statement, GivesBackWhatWasBound) {
  Birds birds;
  const std::string with_nul("a\0b", 3);
  Statement put(birds.database, "INSERT INTO birds VALUES (?,?,?)");
  put.bind(with_nul).bind(std::int64_t{-5}).bind(0.5).run();
  put.bind(std::string_view{}).bind(std::optional<std::int64_t>{}).bind(1.5).run();
  Statement all(birds.database, "SELECT name, count, size FROM birds ORDER BY size");
  ASSERT_TRUE(all.step());
  EXPECT_EQ(all.text(0), with_nul);
  EXPECT_EQ(all.integer(1), -5);
  EXPECT_EQ(all.real(2), 0.5);
  ASSERT_TRUE(all.step());
  EXPECT_EQ(all.text(0), "");
  EXPECT_FALSE(all.is_null(0)) << "an empty text is a text";
  EXPECT_TRUE(all.is_null(1));
  EXPECT_FALSE(all.step());
}

TEST(Transaction, WithoutACommitLeavesNothing) {
  Birds birds;
  {
    const Transaction transaction(birds.database);
    birds.put("gull");
  }
  EXPECT_EQ(birds.rows(), 0);
  {
    Transaction outer(birds.database);
    Transaction inner(birds.database);
    birds.put("gull");
    inner.commit();
    EXPECT_EQ(birds.rows(), 1);
  }
  EXPECT_EQ(birds.rows(), 0) << "the outer one decides";
}

TEST(Database, ACopyInMemoryLeavesTheFileAsItIs) {
  Birds birds;
  birds.put("gull");
  Database other(birds.folder / "birds.db");
  other.continue_in_memory();
  other.execute("INSERT INTO birds (name) VALUES ('tern')");
  Statement count(other, "SELECT count(*) FROM birds");
  count.step();
  EXPECT_EQ(count.integer(0), 2);
  EXPECT_EQ(birds.rows(), 1);
}

TEST(Database, ErrorsNameTheFile) {
  Birds birds;
  EXPECT_THAT(test::error_of([&] { birds.database.execute("SELECT * FROM fish"); }),
              ::testing::AllOf(HasSubstr("birds.db"), HasSubstr("no such table")));
}

}  // namespace
}  // namespace procsim
