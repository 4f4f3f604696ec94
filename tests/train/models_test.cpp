#include <cmath>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "data/base/error.hpp"
#include "tests/support/run_program.hpp"
#include "tests/train/expected_values.hpp"
#include "tests/train/model_folder.hpp"
#include "train/models/embedder.hpp"
#include "train/safetensors.hpp"

namespace procsim::train {
namespace {

using ::testing::HasSubstr;

// The same weights as tests/train/expected/make_models.py. The library's own head counts among its tensors.
void fill_by_formula(Backbone& backbone) {
  std::map<std::string, torch::Tensor> sorted;
  for (const auto& item : backbone.state()) sorted[item.key()] = item.value();
  sorted[backbone.head_name() + ".bias"] = torch::Tensor();
  sorted[backbone.head_name() + ".weight"] = torch::Tensor();
  const torch::NoGradGuard no_gradients;
  std::int64_t t = 0;
  for (auto& [name, tensor] : sorted) {
    if (tensor.defined()) {
      auto values = torch::sin(0.37 * torch::arange(tensor.numel(), torch::kFloat64) + t);
      if (tensor.dim() > 1)
        values = values * std::sqrt(2.0 / static_cast<double>(tensor.numel() / tensor.size(0)));
      else if (name.ends_with("running_var") || name.ends_with(".weight"))
        values = 1 + 0.1 * values;
      else
        values = 0.1 * values;
      tensor.copy_(values.view(tensor.sizes()).to(torch::kFloat32));
    }
    ++t;
  }
}

class NamedModel : public ::testing::TestWithParam<std::string> {
 protected:
  nlohmann::json expected = test::expected_values("models.json");
};

TEST_P(NamedModel, HasTheLibrarysParameterNamesAndShapes) {
  const auto backbone = make_backbone(GetParam(), 1, false);
  std::map<std::string, std::vector<std::int64_t>> ours;
  for (const auto& item : backbone->state()) ours[item.key()] = item.value().sizes().vec();
  EXPECT_EQ(ours, (expected[GetParam()]["shapes"].get<std::map<std::string, std::vector<std::int64_t>>>()));
}

TEST_P(NamedModel, ComputesTheLibrarysFeatures) {
  auto backbone = make_backbone(GetParam(), 1, false);
  fill_by_formula(*backbone);
  backbone->eval();
  const std::int64_t size = expected["image_size"];
  const auto pixels = torch::cos(0.05 * torch::arange(2 * 3 * size * size, torch::kFloat64))
                          .to(torch::kFloat32)
                          .view({2, 3, size, size});
  const torch::NoGradGuard no_gradients;
  const auto features = backbone->run_from(0, pixels);
  ASSERT_EQ(features.size(1), backbone->features());
  for (std::int64_t row = 0; row < 2; ++row) {
    const double norm = expected[GetParam()]["norms"][static_cast<std::size_t>(row)];
    EXPECT_NEAR(features[row].norm().item<double>(), norm, 1e-4 * norm);
    const auto wanted =
        expected[GetParam()]["features"][static_cast<std::size_t>(row)].get<std::vector<double>>();
    for (std::size_t i = 0; i < wanted.size(); ++i)
      EXPECT_NEAR(features[row][static_cast<std::int64_t>(97 * i)].item<double>(), wanted[i], 1e-4 * norm);
  }
}

INSTANTIATE_TEST_SUITE_P(Libraries, NamedModel,
                         ::testing::Values("resnet18", "resnet50", "efficientnet-lite0"),
                         [](const auto& parameter) {
                           std::string name = parameter.param;
                           std::replace(name.begin(), name.end(), '-', '_');
                           return name;
                         });

class AnyModel : public ::testing::TestWithParam<std::string> {};

TEST_P(AnyModel, CutAtAnyStageGivesTheSameFeatures) {
  auto backbone = make_backbone(GetParam(), 3, false);
  backbone->eval();
  const torch::NoGradGuard no_gradients;
  const auto pixels = torch::cos(0.01 * torch::arange(3 * 64 * 64, torch::kFloat32)).view({1, 3, 64, 64});
  const auto whole = backbone->run_from(0, pixels);
  auto x = pixels;
  for (std::size_t stage = 0; stage < backbone->stages().size(); ++stage) {
    x = backbone->run_stage(stage, x);
    EXPECT_TRUE(torch::equal(backbone->run_from(stage + 1, x), whole)) << backbone->stages()[stage];
  }
}

TEST_P(AnyModel, StagesShareOutAllParameters) {
  auto backbone = make_backbone(GetParam(), 3, false);
  std::int64_t count = 0;
  for (std::size_t stage = 0; stage < backbone->stages().size(); ++stage)
    for (const auto& parameter : backbone->stage_parameters(stage)) count += parameter.numel();
  std::int64_t all = 0;
  for (const auto& parameter : backbone->parameters()) all += parameter.numel();
  EXPECT_EQ(count, all);
}

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
  const nlohmann::json config{{"architecture", GetParam()},
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
                         ::testing::Values("small", "resnet18", "resnet50", "efficientnet-lite0"),
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

TEST(Embedder, UnknownNamesSuggestTheNearest) {
  try {
    make_backbone("resnet5", 1, false);
    FAIL();
  } catch (const UsageError& error) {
    EXPECT_THAT(error.what(), HasSubstr("resnet50"));
  }
  try {
    make_backbone("small", 1, false)->stage_index("blok2");
    FAIL();
  } catch (const UsageError& error) {
    EXPECT_THAT(error.what(), HasSubstr("block2"));
  }
}

TEST(ScriptedBackbone, NeedsTrustAndThenRuns) {
  const test::TemporaryFolder folder;
  const auto file = (folder / "net.pt").string();
  const std::string make =
      "import torch\nclass N(torch.nn.Module):\n  def __init__(s):\n    super().__init__(); "
      "s.c=torch.nn.Conv2d(3,5,3)\n"
      "  def forward(s,x):\n    return s.c(x)\ntorch.jit.script(N()).save(r'" +
      file + "')";
  const auto made =
      test::run_program(test::python_program().string(), {folder.write("make.py", make).string()});
  ASSERT_EQ(made.exit_code, 0) << made.err;
  EXPECT_THROW(make_backbone(file, 1, false), UsageError);
  Embedder model(make_backbone(file, 1, true), 4, 1);
  EXPECT_EQ(model.backbone().features(), 5);
  EXPECT_EQ(model.embed(torch::zeros({2, 3, 32, 32})).size(1), 4);
  EXPECT_TRUE(model.state().contains("c.weight"));
  EXPECT_THROW(make_backbone(folder.write("broken.pt", "not a module").string(), 1, true), Error);
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
