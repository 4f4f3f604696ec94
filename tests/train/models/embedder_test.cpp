#include "train/models/embedder.hpp"

#include <algorithm>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "data/base/error.hpp"
#include "tests/support/run_program.hpp"
#include "tests/support/test_files.hpp"
#include "train/models/safetensors.hpp"

namespace procsim::train {
namespace {

using ::testing::HasSubstr;

class AnyModel : public ::testing::TestWithParam<std::string> {};

TEST_P(AnyModel, FreezingLeavesOnlyTheLaterStagesAndTheHead) {
  Embedder model(make_backbone(GetParam(), 3, false), 16, 1);
  model.train_from(model.backbone().stages().size());
  EXPECT_EQ(model.trainable().size(), 2U);
  model.train_from(model.backbone().stages().size() - 1);
  EXPECT_GT(model.trainable().size(), 2U);
}

TEST_P(AnyModel, ExportedWeightsGiveTheSameEmbeddingsInPython) {
  const test::TemporaryFolder folder;
  Embedder model(make_backbone(GetParam(), 5, false), 24, 2);
  model.train_mode(false);
  const torch::NoGradGuard no_gradients;
  const auto pixels = torch::cos(0.01 * torch::arange(2 * 3 * 64 * 64, torch::kFloat32)).view({2, 3, 64, 64});
  TensorFile input;
  input.tensors["pixels"] = pixels;
  write_safetensors(folder / "pixels.safetensors", input, IfExists::kFail);
  TensorFile weights;
  weights.tensors = model.state();
  write_safetensors(folder / "model.safetensors", weights, IfExists::kFail);
  const nlohmann::json config{{"format", "embedder/1"},
                              {"architecture", GetParam()},
                              {"head", model.backbone().head_name()},
                              {"dimension", 24},
                              {"features", model.backbone().features()}};
  folder.write("config.json", config.dump());
  const auto result = test::run_program(
      test::python_program().string(),
      {(test::source_folder() / "scripts/load_embedder.py").string(), folder.path().string(),
       (folder / "pixels.safetensors").string(), (folder / "out.safetensors").string()});
  ASSERT_EQ(result.exit_code, 0) << result.err;
  const auto python = read_safetensors(folder / "out.safetensors").tensors.at("embeddings");
  EXPECT_LT((model.embed(pixels) - python).abs().max().item<double>(), 1e-5);
}

INSTANTIATE_TEST_SUITE_P(Backbones, AnyModel,
                         ::testing::Values("small", "resnet18", "resnet50-v1", "efficientnet-lite0",
                                           "efficientnet-lite2", "dinov2-vits14", "clip-vit-b32", "swin-t"),
                         [](const auto& parameter) {
                           std::string name = parameter.param;
                           std::replace(name.begin(), name.end(), '-', '_');
                           return name;
                         });

TEST(Embedder, EmbeddingsHaveUnitLength) {
  Embedder model(make_backbone("small", 1, false), 32, 1);
  const auto rows = model.embed(torch::randn({3, 3, 32, 32}));
  EXPECT_TRUE(torch::allclose(rows.norm(2, 1), torch::ones({3})));
}

TEST(Embedder, SameSeedSameWeights) {
  Embedder first(make_backbone("small", 9, false), 8, 9);
  Embedder second(make_backbone("small", 9, false), 8, 9);
  for (const auto& [name, tensor] : first.state())
    EXPECT_TRUE(torch::equal(tensor, second.state().at(name))) << name;
}

TEST(Embedder, WeightsOfAnotherArchitectureAreNamed) {
  Embedder resnet(make_backbone("resnet18", 1, false), 8, 1);
  Embedder lite(make_backbone("efficientnet-lite0", 1, false), 8, 1);
  try {
    lite.load(resnet.state(), "net.safetensors", true);
    FAIL();
  } catch (const Error& error) {
    EXPECT_THAT(error.what(), HasSubstr("net.safetensors holds weights of another architecture"));
    EXPECT_THAT(error.what(), HasSubstr("it lacks"));
    EXPECT_THAT(error.what(), HasSubstr("it brings"));
  }
}

TEST(Embedder, APretrainedHeadOfAnotherSizeIsLeftOut) {
  Embedder classifier(make_backbone("resnet18", 1, false), 1000, 1);
  Embedder model(make_backbone("resnet18", 2, false), 8, 2);
  const auto head = model.state().at("fc.weight").clone();
  EXPECT_FALSE(model.load(classifier.state(), "net.safetensors", true));
  EXPECT_TRUE(torch::equal(model.state().at("fc.weight"), head));
  EXPECT_TRUE(torch::equal(model.state().at("conv1.weight"), classifier.state().at("conv1.weight")));
}

TEST(Embedder, ThePcaHeadKeepsTheLeadingAxes) {
  Embedder model(make_backbone("small", 1, false), 2, 1);
  torch::manual_seed(4);
  auto features = 0.01 * torch::randn({500, 128});
  features.select(1, 7) += 3 * torch::randn({500}) + 10;
  features.select(1, 90) += torch::randn({500}) - 4;
  model.set_pca_head(features);
  const auto weight = model.state().at("head.weight").detach();
  EXPECT_GT(weight[0][7].item<double>(), 0.999);
  EXPECT_GT(weight[1][90].item<double>(), 0.999);
  const auto projected = torch::addmm(model.state().at("head.bias").detach(), features, weight.t());
  EXPECT_LT(projected.mean(0).abs().max().item<double>(), 1e-3);
}

TEST(Embedder, AnUnknownBackboneSuggestsTheNearest) {
  try {
    make_backbone("resnet5", 1, false);
    FAIL();
  } catch (const UsageError& error) {
    EXPECT_THAT(error.what(), HasSubstr("resnet50"));
  }
}

}  // namespace
}  // namespace procsim::train
