#include "train/scoring/listed_neighbours.hpp"

#include <gtest/gtest.h>

#include "tests/train/clusters.hpp"

namespace procsim::train {
namespace {

// Two classes on a line, a copy under the wrong label: what is listed can be read off.
TEST(ListedNeighbours, AreOfTheGivenAndOfTheSuggestedClassAndCopies) {
  TrainData data;
  data.info.classes = {{"left", "", ""}, {"right", "", ""}};
  const std::vector<std::int32_t> labels{0, 0, 1, 1, 1};
  for (std::size_t i = 0; i < labels.size(); ++i)
    data.train.push_back({static_cast<std::int64_t>(10 + i), "", labels[i], {}});
  index_classes(data);
  const auto embeddings =
      torch::tensor({{-1.0F, 0.0F}, {-1.0F, 0.2F}, {1.0F, 0.0F}, {1.0F, 0.3F}, {-1.0F, 0.0F}});
  CrossFit fit;
  fit.scores = ClassScores(5, 2, 2);
  std::vector<ScoreRow> rows(5);
  rows[4].suggested = 0;
  rows[0].suggested = kUnlabelled;
  rows[0].rivals = {{1, 0.5F}};
  ListingOptions options;
  options.neighbours = 2;
  fill_neighbours(data, embeddings, fit, options, rows);
  EXPECT_EQ(rows[0].near_given, (std::vector<std::int64_t>{11}));
  EXPECT_EQ(rows[4].near_suggested, (std::vector<std::int64_t>{10, 11}));
  EXPECT_TRUE(rows[0].near_suggested.empty());
  // Around the mean (-0.2, 0.1) the cosines with (-0.8, -0.1) are 1, -0.979 and -0.999.
  EXPECT_EQ(rows[0].near_rivals, (std::vector<std::int64_t>{14, 12, 13}))
      << "of the rival that is not suggested";
  EXPECT_TRUE(rows[4].near_rivals.empty());
  EXPECT_EQ(rows[4].duplicates.front(), 10);
  EXPECT_EQ(rows[2].duplicates, std::vector<std::int64_t>{});
}

}  // namespace
}  // namespace procsim::train
