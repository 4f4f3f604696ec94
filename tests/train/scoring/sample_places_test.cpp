#include "train/scoring/sample_places.hpp"

#include <cmath>

#include <gtest/gtest.h>

#include "train/models/torch.hpp"

namespace procsim::train {
namespace {

// Three heaps in ten dimensions: on the map the members of a heap lie closer to each other than to any
// other's.
TEST(SamplePlaces, KeepTogetherWhatIsAlike) {
  torch::manual_seed(1);
  auto embeddings = torch::randn({30, 10}) * 0.05;
  for (std::int64_t i = 0; i < 30; ++i) embeddings[i][i / 10] += 1.0;
  std::vector<ScoreRow> rows(30);
  fill_places(embeddings, rows);
  const auto distance = [&](std::size_t a, std::size_t b) {
    return std::hypot(rows[a].place->x - rows[b].place->x, rows[a].place->y - rows[b].place->y);
  };
  for (std::size_t a = 0; a < 30; ++a) {
    for (std::size_t b = 0; b < 30; ++b) {
      for (std::size_t c = 0; c < 30; ++c) {
        if (a / 10 != b / 10 || a / 10 == c / 10) continue;
        ASSERT_LT(distance(a, b), distance(a, c)) << a << ' ' << b << ' ' << c;
      }
    }
  }
}

TEST(SamplePlaces, AreThereForEmbeddingsOfOneNumber) {
  std::vector<ScoreRow> rows(3);
  fill_places(torch::tensor({{1.0F}, {2.0F}, {3.0F}}), rows);
  EXPECT_TRUE(rows[2].place.has_value());
}

}  // namespace
}  // namespace procsim::train
