#include "train/scoring/discriminant.hpp"

#include <algorithm>

#include <gtest/gtest.h>

#include "tests/train/expected_values.hpp"

namespace procsim::train {
namespace {

TEST(Discriminant, CosinesAreThoseOfTheInverseCovariance) {
  const auto expected = test::expected_values("scoring.json")["discriminant"];
  const auto tensor = [](const nlohmann::json& table) {
    std::vector<torch::Tensor> rows;
    for (const auto& row : table) rows.push_back(torch::tensor(row.get<std::vector<float>>()));
    return torch::stack(rows);
  };
  const auto rows = tensor(expected["rows"]);
  const auto share = tensor(expected["share"]);
  const Discriminant model({torch::mm(rows.t(), rows), torch::mm(share.t(), rows), share.sum(0), 40.0},
                           {.shrinkage = expected["shrinkage"].get<double>()});
  const auto cosines = model.cosines(tensor(expected["probes"]));
  for (std::int64_t i = 0; i < cosines.size(0); ++i) {
    for (std::int64_t c = 0; c < 3; ++c)
      EXPECT_NEAR(cosines[i][c].item<double>(),
                  expected["cosines"][static_cast<std::size_t>(i)][static_cast<std::size_t>(c)].get<double>(),
                  1e-5);
    EXPECT_EQ(cosines[i][3].item<float>(), kUnsupported);
  }
}

// What a shortlist leaves out is known by its sums: they are those of all classes one by one.
TEST(Discriminant, ListedClassesAndTheSumsOfTheOthersAreThoseOfAllClasses) {
  torch::manual_seed(11);
  const std::int64_t classes = 40, dimension = 21;
  auto weights = torch::full({classes}, 5.0F);
  weights[7] = 0;
  weights[30] = 0;
  const auto rows = torch::randn({200, dimension});
  const Discriminant model({torch::mm(rows.t(), rows), torch::randn({classes, dimension}), weights, 200.0},
                           {.shrinkage = 0.5});
  Shortlists lists(3, 6);
  const auto probes = torch::randn({3, dimension});
  const auto all = model.cosines(probes);
  for (std::int64_t i = 0; i < 3; ++i) {
    const auto row = all[i].contiguous();
    lists.set(i, {row.data_ptr<float>(), static_cast<std::size_t>(classes)}, 7);
  }
  const auto listed = model.cosines(probes, std::vector<std::int64_t>{0, 1, 2}, lists);
  for (std::int64_t i = 0; i < 3; ++i) {
    OtherScores others;
    for (std::int32_t c = 0; c < classes; ++c) {
      const auto list = lists.of(i);
      const auto place = std::ranges::find(list, c) - list.begin();
      const auto score = all[i][c].item<double>();
      if (place < 6) {
        EXPECT_NEAR(listed.scores[i][place].item<double>(), score, 1e-5);
      } else if (c != 30) {
        ++others.count;
        others.sum += score;
        others.squares += score * score;
      }
    }
    const auto& said = listed.others[static_cast<std::size_t>(i)];
    EXPECT_EQ(said.count, others.count);
    EXPECT_EQ(said.count, 33);
    EXPECT_NEAR(said.sum, others.sum, 1e-4);
    EXPECT_NEAR(said.squares, others.squares, 1e-4);
  }
}

// Where scatter is round, distances are those to the nearest mean, up to one factor: 0.3 : 0.6 : √(0.9² +
// 0.3² + 1).
TEST(Discriminant, TheNearestClassIsAsFarAsItsMean) {
  const auto means =
      torch::tensor({{1.0F, 0.0F, 0.0F}, {0.9F, 0.3F, 0.0F}, {0.0F, 1.0F, 0.0F}, {0.0F, 0.0F, 1.0F}});
  const Discriminant model(
      {torch::mm(means.t(), means) + torch::eye(3), means, torch::tensor({1.0F, 1.0F, 1.0F, 0.0F}), 4.0},
      {.shrinkage = 1.0});
  const auto far = model.nearest(torch::tensor({{1.0F, 0.0F, 0.3F}, {0.0F, 1.0F, 0.6F}, {0.0F, 0.0F, 1.0F}}),
                                 std::vector<std::int64_t>{0, 1, 2}, Shortlists(4));
  EXPECT_NEAR(far[1] / far[0], 2, 1e-4);
  EXPECT_NEAR(far[2] / far[0], 1.378405 / 0.3, 1e-3) << "the class at this place has no samples";
}

TEST(Discriminant, ClassesThatLookAlikeComeNearestFirst) {
  // Means on the axes and between: scatter is round, so angles are those of the means.
  const auto means =
      torch::tensor({{1.0F, 0.0F, 0.0F}, {0.9F, 0.3F, 0.0F}, {0.0F, 1.0F, 0.0F}, {0.0F, 0.0F, 1.0F}});
  const auto scatter = torch::mm(means.t(), means) + torch::eye(3);
  const Discriminant model({scatter, means, torch::tensor({1.0F, 1.0F, 1.0F, 0.0F}), 4.0},
                           {.shrinkage = 1.0});
  const auto alike = model.alike(2);
  EXPECT_EQ(alike[0], (std::vector<std::int32_t>{1, 2}));
  EXPECT_EQ(alike[1], (std::vector<std::int32_t>{0, 2}));
  EXPECT_EQ(alike[2], (std::vector<std::int32_t>{1, 0}));  // class 3 has no samples: never near
  EXPECT_EQ(model.alike(9)[0].size(), 3U);
}

}  // namespace
}  // namespace procsim::train
