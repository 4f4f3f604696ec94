#include "train/inputs/feature_store.hpp"

#include <gtest/gtest.h>

#include "tests/train/tiny_inputs.hpp"

namespace procsim::train {
namespace {

class FeatureStoreTest : public TinyInputs {
 protected:
  Embedder model{make_backbone("small", 1, false), 8, 1};
  std::filesystem::path folder = dataset.folder / "cache";
  std::uint64_t computed = 0;

  torch::Tensor features() {
    computed = 0;
    EmbedOptions options{.workers = 2, .batch = 4};
    options.progress = [this](std::uint64_t, std::uint64_t all) { computed = all; };
    return stored_features(model, images(), config, folder, options);
  }
};

TEST_F(FeatureStoreTest, FeaturesAreComputedOnce) {
  const auto first = features();
  EXPECT_EQ(computed, data.train.size());
  EXPECT_TRUE(
      torch::allclose(first, features_of_all(model, images(), {.workers = 1, .batch = 4}), 1e-5, 1e-6));
  const auto second = features();
  EXPECT_EQ(computed, 0U);
  EXPECT_TRUE(torch::equal(first, second));
}

// The content counts, not the name or the place: a new order of known images costs nothing.
TEST_F(FeatureStoreTest, ImagesAreKnownByTheirContent) {
  const auto first = features();
  std::swap(data.train[0], data.train[5]);
  const auto swapped = features();
  EXPECT_EQ(computed, 0U);
  EXPECT_TRUE(torch::equal(swapped[0], first[5]));
  EXPECT_TRUE(torch::equal(swapped[5], first[0]));
}

TEST_F(FeatureStoreTest, OtherWeightsOrInputsAreOtherFeatures) {
  features();
  config.image_size = 48;
  features();
  EXPECT_EQ(computed, data.train.size()) << "another size";
  {
    const torch::NoGradGuard no_gradients;
    model.state().at("block4.conv1.weight").mul_(2);
  }
  features();
  EXPECT_EQ(computed, data.train.size()) << "other weights";
}

TEST_F(FeatureStoreTest, ADamagedFileIsComputedAgain) {
  const auto first = features();
  for (const auto& entry : std::filesystem::directory_iterator(folder))
    std::filesystem::resize_file(entry.path(), std::filesystem::file_size(entry.path()) - 3);
  EXPECT_TRUE(torch::equal(features(), first));
  EXPECT_EQ(computed, data.train.size());
}

TEST_F(FeatureStoreTest, AFewNewImagesAreAdded) {
  FeatureStore store(folder / "x.f32", 2);
  const std::vector<float> one{1, 2}, two{3, 4};
  store.put(std::string(64, 'a'), one);
  store.save();
  FeatureStore again(folder / "x.f32", 2);
  EXPECT_EQ(again.size(), 1U);
  EXPECT_EQ(again.find(std::string(64, 'b')), nullptr);
  again.put(std::string(64, 'b'), two);
  again.save();
  const FeatureStore last(folder / "x.f32", 2);
  ASSERT_EQ(last.size(), 2U);
  EXPECT_EQ(last.find(std::string(64, 'a'))[1], 2);
  EXPECT_EQ(last.find(std::string(64, 'b'))[0], 3);
}

}  // namespace
}  // namespace procsim::train
