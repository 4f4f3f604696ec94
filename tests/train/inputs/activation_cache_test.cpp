#include <numeric>

#include <gtest/gtest.h>

#include "tests/train/tiny_inputs.hpp"

namespace procsim::train {
namespace {

class ActivationCache : public TinyInputs {};

TEST_F(ActivationCache, KeptActivationsAreTheFrozenStagesOutput) {
  Embedder model(make_backbone("small", 1, false), 8, 1);
  model.train_mode(false);
  const auto source = images();
  const auto stage = model.backbone().stage_index("block3");
  const auto kept = cache_activations(
      model, source, config, {.folder = dataset.folder / "cache", .stage = stage, .views = 2, .workers = 2});
  EXPECT_EQ(kept->size(), source.size());
  EXPECT_EQ(kept->stage(), stage);
  std::vector<std::int64_t> samples(data.train.size());
  std::iota(samples.begin(), samples.end(), 0);
  const torch::NoGradGuard no_gradients;
  const auto direct = model.embed(source.centred(samples));
  const auto from_cache = model.embed(kept->centred(samples).to(torch::kFloat32), stage);
  EXPECT_LT((direct - from_cache).abs().max().item<double>(), 5e-3);  // half precision
  EXPECT_FALSE(torch::equal(kept->augmented(samples, 1), kept->augmented(samples, 2)));
  EXPECT_TRUE(torch::equal(kept->augmented(samples, 1), kept->augmented(samples, 1)));
}

TEST_F(ActivationCache, KeptActivationsAreUsedAgainUntilSomethingChanges) {
  Embedder model(make_backbone("small", 1, false), 8, 1);
  const auto source = images();
  int runs = 0;
  const auto keep = [&] {
    bool ran = false;
    cache_activations(model, source, config,
                      {.folder = dataset.folder / "cache",
                       .stage = 2,
                       .views = 1,
                       .workers = 1,
                       .progress = [&](std::uint64_t, std::uint64_t) { ran = true; }});
    runs += ran;
  };
  keep();
  keep();
  EXPECT_EQ(runs, 1) << "nothing changed";
  config.crop_scale = 0.9;
  keep();
  EXPECT_EQ(runs, 2) << "another augmentation";
  {
    const torch::NoGradGuard no_gradients;
    model.state().at("stem.weight").mul_(2);
  }
  keep();
  EXPECT_EQ(runs, 3) << "other weights";
  {
    const torch::NoGradGuard no_gradients;
    model.state().at("block4.conv1.weight").mul_(2);
  }
  keep();
  EXPECT_EQ(runs, 3) << "weights above the stage do not matter";
}

}  // namespace
}  // namespace procsim::train
