#include "train/models/resnet.hpp"

#include <gtest/gtest.h>

#include "tests/train/named_model.hpp"

namespace procsim::train {
namespace {

class Resnet : public ::testing::TestWithParam<std::string> {};

TEST_P(Resnet, HasTheLibrarysParameterNamesAndShapes) { expect_library_shapes(GetParam()); }

TEST_P(Resnet, ComputesTheLibrarysFeatures) { expect_library_features(GetParam()); }

INSTANTIATE_TEST_SUITE_P(Libraries, Resnet, ::testing::Values("resnet18", "resnet50"),
                         [](const auto& parameter) { return parameter.param; });

}  // namespace
}  // namespace procsim::train
