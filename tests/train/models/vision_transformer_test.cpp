#include "train/models/vision_transformer.hpp"

#include "tests/train/library_case.hpp"

namespace procsim::train {
namespace {

Architecture tiny(VisionTransformerOptions options) {
  options.width = 24;
  options.depth = 2;
  options.heads = 3;
  options.grid = 4;
  return {"tiny", "", options.features(), {}, options};
}

VisionTransformerOptions dinov2() { return {.patch = 14, .layer_scale = true}; }
VisionTransformerOptions clip() { return {.clip = true, .projection = 16, .epsilon = 1e-5}; }

constexpr const char* kHuggingFace = "backbones_hugging_face.json";
constexpr const char* kTimm = "backbones_timm.json";

TEST(VisionTransformer, ComputesTransformersDinov2AtThreeSizes) {
  expect_library_agreement(kHuggingFace, "dinov2", tiny(dinov2()), "Hugging Face");
}

TEST(VisionTransformer, ComputesTransformersGatedDinov2) {
  auto options = dinov2();
  options.swiglu = true;
  expect_library_agreement(kHuggingFace, "dinov2 swiglu", tiny(options), "Hugging Face");
}

TEST(VisionTransformer, ComputesTransformersDinov2WithRegistersAtThreeSizes) {
  auto options = dinov2();
  options.registers = 4;
  options.antialias = true;
  expect_library_agreement(kHuggingFace, "dinov2 registers", tiny(options), "Hugging Face");
}

TEST(VisionTransformer, ReadsTheOriginalRepositorysNames) {
  auto options = dinov2();
  options.registers = 4;
  options.antialias = true;
  options.swiglu = true;
  expect_library_agreement(kHuggingFace, "dinov2 original", tiny(options), "timm");
}

TEST(VisionTransformer, ComputesTransformersVitAtTwoSizes) {
  expect_library_agreement(kHuggingFace, "vit", tiny({}), "Hugging Face");
}

TEST(VisionTransformer, ComputesTransformersDeitAtTwoSizes) {
  expect_library_agreement(kHuggingFace, "deit distilled", tiny({.distilled = true}), "Hugging Face");
}

TEST(VisionTransformer, ComputesTransformersClipAtTwoSizes) {
  expect_library_agreement(kHuggingFace, "clip", tiny(clip()), "Hugging Face");
}

TEST(VisionTransformer, ReadsOpenAisNames) {
  expect_library_agreement(kHuggingFace, "clip openai", tiny(clip()), "OpenAI");
}

TEST(VisionTransformer, ComputesTimms) {
  expect_library_agreement(kTimm, "timm vit", tiny({}), "timm");
  expect_library_agreement(kTimm, "timm clip", tiny(clip()), "timm");
  auto options = dinov2();
  options.registers = 4;
  options.antialias = true;
  options.swiglu = true;
  expect_library_agreement(kTimm, "timm dinov2 registers", tiny(options), "timm");
}

TEST(VisionTransformer, ComputesTorchvisions) {
  expect_library_agreement(kTimm, "torchvision vit", tiny({}), "torchvision");
}

// Only the class token is read after the last block: kept activations hold one token of each image there.
TEST(VisionTransformer, TheLastBlockGivesTheClassTokenAlone) {
  torch::manual_seed(1);
  const auto backbone = make_backbone(tiny(dinov2()));
  const torch::NoGradGuard no_gradients;
  auto x = torch::randn({2, 3, 56, 56});
  for (std::size_t stage = 0; stage < 2; ++stage) x = backbone->run_stage(stage, x);
  EXPECT_EQ(x.sizes(), (std::vector<std::int64_t>{2, 17, 24}));
  EXPECT_EQ(backbone->run_stage(2, x).sizes(), (std::vector<std::int64_t>{2, 1, 24}));
}

}  // namespace
}  // namespace procsim::train
