#include "train/models/resnet.hpp"

#include <gtest/gtest.h>

#include "tests/train/library_case.hpp"
#include "tests/train/named_model.hpp"

namespace procsim::train {
namespace {

class Resnet : public ::testing::TestWithParam<std::string> {};

TEST_P(Resnet, HasTheLibrarysParameterNamesAndShapes) { expect_library_shapes(GetParam()); }

TEST_P(Resnet, ComputesTheLibrarysFeatures) { expect_library_features(GetParam()); }

INSTANTIATE_TEST_SUITE_P(Libraries, Resnet, ::testing::Values("resnet18", "resnet50"),
                         [](const auto& parameter) { return parameter.param; });

// Deeper ones by our own names, which must be in the library's order.
TEST(ResNet, ComputesTorchvisionsDeeperOnes) {
  for (const std::string name : {"resnet34", "resnet101"}) {
    const auto backbone = make_backbone(name, 1, false);
    fill_by_formula(*backbone);
    expect_features(*backbone, library_case("backbones_timm.json", name));
  }
}

TEST(ResNet, ComputesTransformersWithEitherStride) {
  const ResNetOptions options{{2, 1, 1, 1}, true}, first{{2, 1, 1, 1}, true, true}, basic{{2, 1, 1, 1}};
  const auto file = "backbones_hugging_face.json";
  expect_library_agreement(file, "resnet bottleneck", {"v1.5", "", 2048, {}, options}, "Hugging Face");
  expect_library_agreement(file, "resnet bottleneck v1", {"v1", "", 2048, {}, first}, "Hugging Face");
  expect_library_agreement(file, "resnet basic", {"basic", "", 512, {}, basic}, "Hugging Face");
}

}  // namespace
}  // namespace procsim::train
