#include "curate/exchange/exchange_names.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/curate/scored_birds.hpp"
#include "tests/support/errors.hpp"

namespace procsim::curate {
namespace {

using test::error_of;
using test::scored;

ScoreTable named(const std::vector<std::string>& paths) {
  std::vector<ScoreRow> rows;
  for (const auto& path : paths) {
    rows.push_back(scored(static_cast<std::int64_t>(rows.size()) + 10, 0, 1, 0.5));
    rows.back().path = path;
  }
  return test::bird_table(rows);
}

TEST(ExchangeNames, EndingsAreDroppedWhereNothingIsLost) {
  const auto table = named({"a/1.jpg", "a/x.jpg", "a/x.png", "d/p.parquet#row=156",
                            "d/p.parquet#row=157&column=mask", "twice.jpg", "twice.jpg"});
  const ExchangeNames names(table);
  EXPECT_EQ(names.name(10), "a/1");
  EXPECT_EQ(names.name(11), "a/x.jpg");
  EXPECT_EQ(names.name(12), "a/x.png");
  EXPECT_EQ(names.name(13), "d/p-row-156");
  EXPECT_EQ(names.name(14), "d/p-row-157-mask");
  for (std::int64_t sample = 10; sample < 15; ++sample)
    EXPECT_EQ(names.find("/data/local-files/?d=set/" + names.name(sample)), table.find(sample));
  EXPECT_EQ(names.name(15), "twice.jpg");
  EXPECT_THAT(error_of([&] { names.find("twice.jpg"); }), ::testing::HasSubstr("several scored samples"));
  EXPECT_THAT(error_of([&] { names.find("a/x"); }), ::testing::HasSubstr("several scored samples"));
}

// "a/x" is an image's whole path, and would be what "a/x.jpg" is called without its ending.
TEST(ExchangeNames, AWholePathIsNobodyElsesShortName) {
  const auto table = named({"a/x.jpg", "a/x", "d/p.parquet#row=1", "d/p-row-1"});
  const ExchangeNames names(table);
  EXPECT_EQ(names.name(10), "a/x.jpg");
  EXPECT_EQ(names.name(11), "a/x");
  EXPECT_EQ(names.name(12), "d/p.parquet#row=1");
  EXPECT_EQ(names.name(13), "d/p-row-1");
  for (std::int64_t sample = 10; sample < 14; ++sample)
    EXPECT_EQ(names.find("images/" + names.name(sample)), table.find(sample));
}

TEST(ExchangeNames, WholePathsAndPrefixesAreFoundToo) {
  const auto table = named({"a/1.jpg", "d/p.parquet#row=156"});
  const ExchangeNames names(table);
  EXPECT_EQ(names.find("a/1.jpg"), 0U);
  EXPECT_EQ(names.find("pre/fix/a/1"), 0U);
  EXPECT_EQ(names.find("d/p.parquet#row=156"), 1U);
  EXPECT_EQ(names.find("b/1"), std::nullopt);
}

}  // namespace
}  // namespace procsim::curate
