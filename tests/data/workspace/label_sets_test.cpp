#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "data/workspace/workspace.hpp"
#include "tests/data/workspace/workspace_rows.hpp"
#include "tests/support/errors.hpp"
#include "tests/support/test_files.hpp"

namespace procsim {
namespace {

using test::label_set;
using test::TemporaryFolder;

TEST(Workspace, LabelSetsAreListedNewestFirstAndFoundByKindAndDigest) {
  const TemporaryFolder folder;
  auto workspace = Workspace::open_or_create(folder.path());
  const auto base = workspace.put_label_set(label_set("labels/base.parquet", "d0", "base"));
  workspace.put_label_set(label_set("labels/a.parquet", "d1"));
  EXPECT_EQ(workspace.newest_label_set("birds")->digest, "d1");
  EXPECT_EQ(workspace.newest_label_set("birds", "base")->id, base);
  EXPECT_EQ(workspace.newest_label_set("cars"), std::nullopt);
  EXPECT_EQ(workspace.label_set_by_digest("d1")->path, "labels/a.parquet");
  EXPECT_EQ(workspace.put_label_set(label_set("labels/base.parquet", "d0", "base")), base)
      << "the same again";
  EXPECT_EQ(workspace.newest_label_set("birds")->digest, "d0") << "made again counts as newest";
  EXPECT_EQ(workspace.label_sets("birds").size(), 2u);
}

TEST(Workspace, ARecordFollowsItsFileWhenAnotherTakesItsName) {
  const TemporaryFolder folder;
  auto workspace = Workspace::open_or_create(folder.path());
  const std::string one(64, '1'), two(64, '2'), path = "labels/birds.parquet";
  const auto put = [&](const std::string& digest) {
    return workspace.put_label_set({0, "birds", path, digest, "base", "", 1, 0});
  };
  const auto path_of = [&](const std::string& digest) { return workspace.label_set_by_digest(digest)->path; };
  const auto first = put(one);
  const auto second = put(two);
  EXPECT_EQ(path_of(one), "labels/birds-11111111.parquet");
  EXPECT_EQ(path_of(two), path);
  EXPECT_EQ(put(one), first) << "back under its name it is the same label set";
  EXPECT_EQ(path_of(one), path);
  EXPECT_EQ(path_of(two), "labels/birds-22222222.parquet");
  EXPECT_EQ(put(two), second);
}

}  // namespace
}  // namespace procsim
