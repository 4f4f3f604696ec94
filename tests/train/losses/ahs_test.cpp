#include "train/losses/ahs.hpp"

#include <gtest/gtest.h>

#include "data/base/error.hpp"
#include "tests/train/rival_test.hpp"

namespace procsim::train {
namespace {

class Ahs : public RivalTest {};

TEST_F(Ahs, HasTheIndependentValuesOfOurReading) {
  const auto views = matrix(rivals["ahs"]["strong"]);
  for (const std::string form : {"ms", "triplet", "lifted"})
    expect_close(ahs_values(six, views, {.form = form}), rivals["ahs"][form]);
}

// Margins are fixed in the gradient: the second view alone moves nothing of them.
TEST_F(Ahs, GradientsToTheSecondViewAgreeWithFiniteDifferences) {
  const auto weak = batch;
  batch.embeddings = torch::nn::functional::normalize(matrix(expected["embeddings_second"]));
  for (const std::string form : {"ms", "lifted"})
    expect_gradients(
        [&](const LossBatch& input) { return ahs_values(weak, input.embeddings, {.form = form}); });
}

TEST_F(Ahs, IsFiniteForClassesOfOneAndForOneClass) {
  for (const std::string form : {"ms", "triplet", "lifted"}) {
    config.options["ahs_form"] = form;
    const auto ahs = loss("ahs");
    EXPECT_EQ(ahs->views(), 2);
    expect_finite_at_the_edges(*ahs);
  }
  EXPECT_THROW(loss("ahs", {{"ahs_form", "circle"}}), UsageError);
}

}  // namespace
}  // namespace procsim::train
