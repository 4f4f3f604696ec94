#include <limits>

#include <gtest/gtest.h>

#include "tests/support/expect_error.hpp"
#include "tests/train/tiny_inputs.hpp"

namespace procsim::train {
namespace {

class EmbedAll : public TinyInputs {};

TEST_F(EmbedAll, EmbeddingsComeInTheOrderOfTheSamples) {
  Embedder model(make_backbone("small", 1, false), 8, 1);
  const auto source = images();
  const auto one = embed_all(model, source, {.workers = 1, .batch = 7});
  const auto many = embed_all(model, source, {.workers = 3, .batch = 7});
  EXPECT_TRUE(torch::equal(one, many));
  const torch::NoGradGuard no_gradients;
  const std::vector<std::int64_t> last{source.size() - 1};
  EXPECT_LT((model.embed(source.centred(last))[0] - one[-1]).abs().max().item<double>(), 1e-5);
}

TEST_F(EmbedAll, AModelThatDivergedIsAnError) {
  Embedder model(make_backbone("small", 1, false), 8, 1);
  {
    const torch::NoGradGuard no_gradients;
    for (const auto& [name, tensor] : model.trainable())
      tensor.fill_(std::numeric_limits<float>::quiet_NaN());
  }
  const auto source = images();
  test::expect_error([&] { embed_all(model, source, {}); }, {"diverged"});
  test::expect_error([&] { features_of_all(model, source, {}); }, {"diverged"});
}

}  // namespace
}  // namespace procsim::train
