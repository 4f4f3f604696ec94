#include "train/inputs.hpp"

#include <numeric>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "data/base/error.hpp"
#include "tests/train/tiny_dataset.hpp"

namespace procsim::train {
namespace {

using ::testing::HasSubstr;

TrainConfig small_config() {
  TrainConfig config;
  config.image_size = 32;
  config.crop_scale = 0.4;
  config.centre_crop = 1;
  config.views = 2;
  return config;
}

class Inputs : public ::testing::Test {
 protected:
  test::TinyDataset dataset;
  TrainData data = load_train_data(dataset.label_file(), dataset.root());
  TrainConfig config = small_config();

  ImageInputs images(std::int64_t memory = 1 << 24) {
    return ImageInputs(data.root, data.train, config, PixelScale{}, memory);
  }
};

TEST_F(Inputs, CentreCropsAreScaledPixels) {
  const std::vector<std::int64_t> samples{0, 5};
  const auto batch = images().centred(samples);
  EXPECT_EQ(batch.sizes(), (std::vector<std::int64_t>{2, 3, 32, 32}));
  EXPECT_LE(batch.max().item<float>(), 1.0F);
  EXPECT_GE(batch.min().item<float>(), -1.0F);
  EXPECT_GT(batch.std().item<float>(), 0.3F);
}

TEST_F(Inputs, AnAugmentationDependsOnItsDrawAlone) {
  const std::vector<std::int64_t> samples{3, 1, 3};
  const auto keeping = images();
  const auto decoding = images(0);
  const auto batch = keeping.augmented(samples, 17);
  EXPECT_TRUE(torch::equal(batch, keeping.augmented(samples, 17)));
  EXPECT_TRUE(torch::equal(batch, decoding.augmented(samples, 17)));
  EXPECT_FALSE(torch::equal(batch, keeping.augmented(samples, 18)));
  EXPECT_FALSE(torch::equal(batch[0], batch[2])) << "two places of one batch get two crops";
}

TEST_F(Inputs, ABrokenImageIsAnErrorWithItsPath) {
  const auto& path = data.train[4].path;
  dataset.folder.write("images/" + path, "\xff\xd8\xff broken");
  const std::vector<std::int64_t> samples{4};
  try {
    images().centred(samples);
    FAIL();
  } catch (const Error& error) {
    EXPECT_THAT(error.what(), HasSubstr(path));
  }
}

TEST_F(Inputs, BrokenImagesCanBeLeftOut) {
  const auto path = data.train[4].path;
  dataset.folder.write("images/" + path, "nothing");
  const auto before = data.train.size();
  const auto messages = drop_broken_images(data, 2);
  ASSERT_EQ(messages.size(), 1U);
  EXPECT_THAT(messages.front(), HasSubstr(path));
  EXPECT_EQ(data.train.size(), before - 1);
  EXPECT_EQ(data.train_class.size(), data.train.size());
}

TEST_F(Inputs, KeptActivationsAreTheFrozenStagesOutput) {
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

TEST_F(Inputs, KeptActivationsAreUsedAgainUntilSomethingChanges) {
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

TEST_F(Inputs, EmbeddingsComeInTheOrderOfTheSamples) {
  Embedder model(make_backbone("small", 1, false), 8, 1);
  const auto source = images();
  const auto one = embed_all(model, source, {.workers = 1, .batch = 7});
  const auto many = embed_all(model, source, {.workers = 3, .batch = 7});
  EXPECT_TRUE(torch::equal(one, many));
  const torch::NoGradGuard no_gradients;
  const std::vector<std::int64_t> last{source.size() - 1};
  EXPECT_LT((model.embed(source.centred(last))[0] - one[-1]).abs().max().item<double>(), 1e-5);
}

TEST_F(Inputs, MissingImagesAreCountedWithAWayOut) {
  try {
    load_train_data(dataset.label_file(), dataset.folder / "elsewhere");
    FAIL();
  } catch (const Error& error) {
    EXPECT_THAT(error.what(), HasSubstr("96 of 96 images are missing"));
    EXPECT_THAT(error.what(), HasSubstr("--root"));
  }
}

TEST_F(Inputs, UnlabelledSamplesDoNotTrain) {
  dataset.labels.rows[1].label = kUnlabelled;
  dataset.rewrite();
  data = load_train_data(dataset.label_file(), dataset.root());
  EXPECT_EQ(data.unlabelled, 1);
  EXPECT_EQ(data.train.size(), 47U);
  EXPECT_EQ(data.classes, (std::vector<std::int32_t>{0, 2, 4, 6, 8, 10}));
}

TEST_F(Inputs, ASingleTrainingClassIsRefused) {
  for (auto& row : dataset.labels.rows)
    if (row.split == "train") row.label = 4;
  dataset.rewrite();
  EXPECT_THROW(load_train_data(dataset.label_file(), dataset.root()), Error);
}

}  // namespace
}  // namespace procsim::train
