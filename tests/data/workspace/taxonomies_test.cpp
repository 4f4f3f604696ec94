#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "data/workspace/workspace.hpp"
#include "tests/data/workspace/workspace_rows.hpp"
#include "tests/support/errors.hpp"
#include "tests/support/test_files.hpp"

namespace procsim {
namespace {

using test::TemporaryFolder;

TEST(Workspace, TheTaxonomyPutLastIsTheNewest) {
  const TemporaryFolder folder;
  auto workspace = Workspace::open_or_create(folder.path());
  EXPECT_EQ(workspace.newest_taxonomy("birds"), std::nullopt);
  const TaxonomyRecord first{0, "birds", "taxonomies/birds.json", "t0"};
  const auto id = workspace.put_taxonomy(first);
  workspace.put_taxonomy({0, "birds", "taxonomies/other.json", "t1"});
  EXPECT_EQ(workspace.newest_taxonomy("birds")->digest, "t1");
  EXPECT_EQ(workspace.put_taxonomy(first), id) << "the same again";
  EXPECT_EQ(workspace.newest_taxonomy("birds")->digest, "t0");
}

TEST(Workspace, ATaxonomysRecordFollowsItsFileWhenAnotherTakesItsName) {
  const TemporaryFolder folder;
  auto workspace = Workspace::open_or_create(folder.path());
  workspace.put_taxonomy({0, "birds", "taxonomies/birds.json", std::string(64, '1')});
  workspace.put_taxonomy({0, "birds", "taxonomies/birds.json", std::string(64, '2')});
  EXPECT_EQ(test::sql(folder.path(), "SELECT path FROM taxonomies WHERE id = 1"),
            "taxonomies/birds-11111111.json");
}

}  // namespace
}  // namespace procsim
