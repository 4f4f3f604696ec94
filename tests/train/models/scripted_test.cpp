#include <gtest/gtest.h>

#include "data/base/error.hpp"
#include "tests/support/test_files.hpp"
#include "tests/train/torchscript_file.hpp"
#include "train/models/embedder.hpp"

namespace procsim::train {
namespace {

TEST(ScriptedBackbone, NeedsTrustAndThenRuns) {
  const test::TemporaryFolder folder;
  const auto file = test::write_torchscript(folder, "net.pt");
  EXPECT_THROW(make_backbone(file, 1, false), UsageError);
  Embedder model(make_backbone(file, 1, true), 4, 1);
  EXPECT_EQ(model.backbone().features(), 5);
  EXPECT_EQ(model.embed(torch::zeros({2, 3, 32, 32})).size(1), 4);
  EXPECT_TRUE(model.state().contains("c.weight"));
  EXPECT_THROW(make_backbone(folder.write("broken.pt", "not a module").string(), 1, true), Error);
}

}  // namespace
}  // namespace procsim::train
