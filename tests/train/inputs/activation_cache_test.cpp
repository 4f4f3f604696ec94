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

// What stands between two blocks of a transformer: tokens, and of Swin a map of them, both in half precision.
TEST_F(ActivationCache, TokensOfTransformersAreKeptAsTheyAre) {
  const VisionTransformerOptions vit{
      .width = 24, .depth = 3, .heads = 3, .patch = 8, .grid = 4, .registers = 1};
  const SwinOptions swin{.width = 12, .depths = {2, 2}, .heads = {2, 4}, .window = 4};
  std::vector<std::int64_t> samples(data.train.size());
  std::iota(samples.begin(), samples.end(), 0);
  for (const auto& architecture :
       {Architecture{"tiny-vit", "", 24, {}, vit}, Architecture{"tiny-swin", "", 24, {}, swin}}) {
    config.backbone = architecture.name;
    torch::manual_seed(1);
    Embedder model(make_backbone(architecture), 8, 1);
    const auto source = images();
    for (const auto& stage : model.backbone().stages()) {
      if (stage == model.backbone().stages().front()) continue;
      const auto first = model.backbone().stage_index(stage);
      const auto kept =
          cache_activations(model, source, config,
                            {.folder = dataset.folder / "cache", .stage = first, .views = 1, .workers = 2});
      const torch::NoGradGuard no_gradients;
      const auto half = kept->centred(samples);
      EXPECT_EQ(half.scalar_type(), torch::kFloat16);
      const auto direct = model.features(source.centred(samples));
      ASSERT_GT((direct - direct.mean(0)).abs().max().item<double>(), 0.05) << "images differ";
      EXPECT_LT((direct - model.features(half.to(torch::kFloat32), first)).abs().max().item<double>(), 1e-2)
          << architecture.name << " from " << stage;
      const auto crops = model.features(kept->augmented(samples, 1).to(torch::kFloat32), first);
      const auto own = model.features(source.view(samples, 1));
      const auto from_crop = (crops - own).abs().amax(1), from_centre = (crops - direct).abs().amax(1);
      EXPECT_LT(torch::minimum(from_crop, from_centre).max().item<double>(), 1e-2)
          << architecture.name << " from " << stage;
    }
  }
}

TEST_F(ActivationCache, KeptActivationsAreComputedInThePrecisionAskedFor) {
  Embedder model(make_backbone("small", 1, false), 8, 1);
  const auto source = images();
  const auto keep = [&](const std::string& precision) {
    config.precision = precision;
    return cache_activations(model, source, config,
                             {.folder = dataset.folder / "cache", .stage = 3, .workers = 1});
  };
  const std::vector<std::int64_t> samples{0, 1, 2};
  const auto full = keep("fp32")->centred(samples).to(torch::kFloat32);
  const auto rounded = keep("bf16")->centred(samples).to(torch::kFloat32);
  EXPECT_FALSE(torch::equal(full, rounded));
  EXPECT_LT((full - rounded).norm().item<double>(), 0.05 * full.norm().item<double>());
  EXPECT_TRUE(torch::equal(keep("fp32")->centred(samples).to(torch::kFloat32), full)) << "a file each";
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
