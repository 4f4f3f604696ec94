#include "train/models/weight_layout.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/train/library_case.hpp"

namespace procsim::train {
namespace {

using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::UnorderedElementsAre;

NamedTensors named(const std::vector<std::string>& names) {
  NamedTensors tensors;
  for (const auto& name : names) tensors[name] = torch::zeros({1});
  return tensors;
}

std::vector<std::string> names_of(const NamedTensors& tensors) {
  std::vector<std::string> names;
  for (const auto& [name, tensor] : tensors) names.push_back(name);
  return names;
}

TEST(WeightLayout, AStarStandsForOnePartOfAName) {
  const std::vector<NameRule> rules{{"layer.*.norm.*", "blocks.$1.n.$2"}, {"gone", ""}};
  const auto renamed =
      rename_tensors(named({"layer.3.norm.bias", "layer.3.4.norm.bias", "gone", "other"}), rules);
  EXPECT_THAT(names_of(renamed), UnorderedElementsAre("blocks.3.n.bias", "layer.3.4.norm.bias", "other"));
}

TEST(WeightLayout, QueriesKeysAndValuesAreJoinedInThisOrder) {
  NamedTensors tensors{{"a.v.bias", torch::full({1}, 3)},
                       {"a.q.bias", torch::full({1}, 1)},
                       {"a.k.bias", torch::full({1}, 2)}};
  const auto joined = rename_tensors(tensors, {});
  ASSERT_THAT(names_of(joined), ElementsAre("a.qkv.bias"));
  EXPECT_TRUE(torch::equal(joined.at("a.qkv.bias"), torch::tensor({1.0F, 2.0F, 3.0F})));
}

TEST(WeightLayout, HalfPrecisionIsWidened) {
  const auto widened =
      to_our_names({{"x", torch::ones({2}, torch::kFloat16)}, {"y", torch::ones({2}, torch::kBFloat16)}});
  EXPECT_EQ(widened.tensors.at("x").scalar_type(), torch::kFloat32);
  EXPECT_EQ(widened.tensors.at("y").scalar_type(), torch::kFloat32);
}

TEST(WeightLayout, ATextTowerIsLeftOut) {
  auto tensors = weights_by_formula(library_case("backbones_hugging_face.json", "clip"));
  tensors["text_model.embeddings.token_embedding.weight"] = torch::zeros({3, 4});
  tensors["logit_scale"] = torch::tensor(1.0);
  for (const auto& name : names_of(to_our_names(tensors).tensors))
    EXPECT_FALSE(name.starts_with("text") || name.starts_with("logit")) << name;
}

class KnownArchitecture : public ::testing::TestWithParam<std::string> {};

TEST_P(KnownArchitecture, IsRecognisedByItsShapes) {
  const auto backbone = make_backbone(GetParam(), 1, false);
  NamedTensors tensors;
  for (const auto& item : backbone->state()) tensors[item.key()] = item.value();
  EXPECT_THAT(architectures_of(tensors), Contains(GetParam()));
  EXPECT_LE(architectures_of(tensors).size(), 2U) << "only those that differ in arithmetic alone";
}

INSTANTIATE_TEST_SUITE_P(Families, KnownArchitecture,
                         ::testing::Values("resnet18", "resnet34", "efficientnet-lite0", "efficientnet-lite2",
                                           "dinov2-vits14", "dinov2-vits14-reg", "deit-ti16",
                                           "deit-ti16-distilled", "clip-vit-b32", "swin-t"),
                         [](const auto& parameter) {
                           std::string name = parameter.param;
                           std::replace(name.begin(), name.end(), '-', '_');
                           return name;
                         });

TEST(WeightLayout, WhatIsNoneOfOursIsSaidToBeNone) {
  EXPECT_THAT(architectures_of(named({"bert.embeddings.word_embeddings.weight"})), IsEmpty());
}

}  // namespace
}  // namespace procsim::train
