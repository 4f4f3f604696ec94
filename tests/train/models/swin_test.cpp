#include "train/models/swin.hpp"

#include "tests/train/library_case.hpp"

namespace procsim::train {
namespace {

// 64 px give maps of 16 and 8, whole windows; 40 px give 10 and 5, which are padded.
Architecture tiny_swin() {
  return {"tiny", "", 24, {}, SwinOptions{.width = 12, .depths = {2, 2}, .heads = {2, 4}, .window = 4}};
}

TEST(Swin, ComputesTransformersAlsoWhereWindowsDoNotCoverTheMap) {
  expect_library_agreement("backbones_hugging_face.json", "swin", tiny_swin(), "Hugging Face");
}

TEST(Swin, ComputesTimms) {
  expect_library_agreement("backbones_timm.json", "timm swin", tiny_swin(), "timm");
}

TEST(Swin, ComputesTorchvisionsAlsoWhereWindowsDoNotCoverTheMap) {
  expect_library_agreement("backbones_timm.json", "torchvision swin", tiny_swin(), "torchvision");
}

TEST(Swin, HasThePublishedNumberOfParameters) {
  const auto count = [](const char* name) {
    std::int64_t all = 0;
    for (const auto& parameter : make_backbone(*find_architecture(name))->parameters())
      all += parameter.numel();
    return all;
  };
  EXPECT_EQ(count("swin-t"), 28'288'354 - 1000 * 769);  // without the 1,000-class head
  EXPECT_EQ(count("swin-s"), 49'606'258 - 1000 * 769);
}

}  // namespace
}  // namespace procsim::train
