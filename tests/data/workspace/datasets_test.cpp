#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "data/workspace/workspace.hpp"
#include "tests/data/workspace/workspace_rows.hpp"
#include "tests/support/errors.hpp"
#include "tests/support/test_files.hpp"

namespace procsim {
namespace {

using test::dataset;
using test::TemporaryFolder;

TEST(Workspace, TheDataSetPutLastIsCurrent) {
  const TemporaryFolder folder;
  auto workspace = Workspace::open_or_create(folder.path());
  EXPECT_EQ(workspace.current_dataset(), std::nullopt);
  workspace.put_dataset(dataset("birds"));
  workspace.put_dataset(dataset("cars"));
  EXPECT_EQ(workspace.current_dataset()->name, "cars");
  workspace.put_dataset(dataset("birds"));
  EXPECT_EQ(workspace.current_dataset()->name, "birds");
  EXPECT_EQ(workspace.dataset("cars")->root, "/data/cars");
  EXPECT_EQ(workspace.dataset("ships"), std::nullopt);
}

}  // namespace
}  // namespace procsim
