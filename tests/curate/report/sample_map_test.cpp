#include "curate/report/sample_map.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/curate/scored_birds.hpp"

namespace procsim::curate {
namespace {

using test::scored;
using testing::ElementsAre;

ScoreTable placed(std::size_t rows) {
  std::vector<ScoreRow> table;
  for (std::size_t i = 0; i < rows; ++i) {
    table.push_back(scored(static_cast<std::int64_t>(i), 0, 1, 0.5));
    table.back().place = ScoreRow::Place{static_cast<float>(i), static_cast<float>(2 * i)};
  }
  return test::bird_table(table);
}

TEST(SampleMap, HasTheCardsFirstOnOneScale) {
  const auto table = placed(3);
  const std::vector<std::uint32_t> first{2};
  const auto map = make_sample_map(table, first);
  EXPECT_THAT(map.x, ElementsAre(32768, 0, 16384)) << "half as wide as it is high";
  EXPECT_THAT(map.y, ElementsAre(65535, 0, 32768));
  EXPECT_THAT(map.label, ElementsAre(0, 0, 0));
  EXPECT_THAT(map.p, ElementsAre(128, 128, 128));
  EXPECT_EQ(map.all, 3U);
}

TEST(SampleMap, ThinsWhatIsTooMuchAndKeepsTheCards) {
  const auto table = placed(1000);
  const std::vector<std::uint32_t> first{999, 500};
  const auto map = make_sample_map(table, first, {}, 12);
  EXPECT_EQ(map.x.size(), 12U);
  EXPECT_EQ(map.y[0], 65535);
  EXPECT_EQ(map.all, 1000U);
}

TEST(SampleMap, ShowsWhatPeopleFound) {
  const auto table = placed(3);
  const std::vector<std::uint32_t> first{2};
  const std::vector<double> wrong{1, 0.2, 0};
  EXPECT_THAT(make_sample_map(table, first, wrong).p, ElementsAre(0, 255, 51));
}

TEST(SampleMap, IsEmptyWithoutPlaces) {
  const auto table = test::bird_table({scored(0, 0, 1, 0.5)});
  const std::vector<std::uint32_t> first{0};
  EXPECT_TRUE(make_sample_map(table, first).x.empty());
}

}  // namespace
}  // namespace procsim::curate
