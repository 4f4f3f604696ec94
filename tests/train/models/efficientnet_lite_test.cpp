#include "train/models/efficientnet_lite.hpp"

#include <gtest/gtest.h>

#include "tests/train/library_case.hpp"
#include "tests/train/model_folder.hpp"
#include "tests/train/named_model.hpp"
#include "train/models/safetensors.hpp"

namespace procsim::train {
namespace {

TEST(EfficientNetLite0, HasTheLibrarysParameterNamesAndShapes) {
  expect_library_shapes("efficientnet-lite0");
}

TEST(EfficientNetLite0, ComputesTheLibrarysFeatures) { expect_library_features("efficientnet-lite0"); }

TEST(EfficientNetLite, ComputesTimmsLargerOnes) {
  for (const std::string name :
       {"efficientnet-lite1", "efficientnet-lite2", "efficientnet-lite3", "efficientnet-lite4"}) {
    const auto backbone = make_backbone(name, 1, false);
    fill_by_formula(*backbone);
    expect_features(*backbone, library_case("backbones_timm.json", name));
  }
}

// The converted weights of the package index, where scripts/setup.sh --models has put them.
TEST(EfficientNetLite0, AgreesWithItsPythonOriginal) {
  const auto file = test::model_folder() / "efficientnet-lite0.safetensors";
  if (!std::filesystem::exists(file)) GTEST_SKIP() << "no " << file << ": run scripts/setup.sh --models";
  const auto expected = test::expected_values("efficientnet_lite0.json");
  Embedder model(make_backbone("efficientnet-lite0", 1, false), 1000, 1);
  ASSERT_TRUE(model.load(read_safetensors(file).tensors, file.string(), true));
  model.train_mode(false);
  const torch::NoGradGuard no_gradients;
  for (const auto& item : expected["images"]) {
    const std::int64_t size = item["size"];
    const auto pixels = torch::cos(0.003 * torch::arange(3 * size * size, torch::kFloat64))
                            .to(torch::kFloat32)
                            .view({1, 3, size, size});
    const auto features = model.features(pixels);
    const auto head = model.state();
    const auto logits =
        torch::addmm(head.at("classifier.bias"), features, head.at("classifier.weight").t()).flatten();
    const auto wanted = item["logits"].get<std::vector<double>>();
    for (std::size_t i = 0; i < wanted.size(); ++i)
      EXPECT_NEAR(logits[static_cast<std::int64_t>(10 * i)].item<double>(), wanted[i], 1e-4)
          << "logit " << 10 * i;
  }
}

}  // namespace
}  // namespace procsim::train
