#include "data/sets/table_paths.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/support/errors.hpp"

namespace procsim {
namespace {

using test::error_of;
using testing::HasSubstr;

Dataset read(TablePaths paths, const std::vector<std::string>& texts) {
  Dataset dataset;
  for (const auto& text : texts) {
    dataset.samples.emplace_back();
    dataset.samples.back().path = paths.add(text);
  }
  paths.finish(dataset);
  return dataset;
}

TEST(TablePaths, AreRelativeToTheRoot) {
  const auto dataset = read({"/data/set", false}, {"a/1.jpg", "/data/set/b/2.jpg"});
  EXPECT_EQ(dataset.root, "/data/set");
  EXPECT_EQ(dataset.samples[0].path, "a/1.jpg");
  EXPECT_EQ(dataset.samples[1].path, "b/2.jpg");
  EXPECT_TRUE(dataset.notes.empty());
}

TEST(TablePaths, ThatLieElsewhereHaveTheFolderThatHoldsThemAll) {
  const auto dataset =
      read({"/tables", false}, {"/disk/photos/a/1.jpg", "/disk/photos/a/2.jpg", "/disk/photos/b/3.jpg"});
  EXPECT_EQ(dataset.root, "/disk/photos");
  EXPECT_EQ(dataset.samples[0].path, "a/1.jpg");
  EXPECT_EQ(dataset.samples[2].path, "b/3.jpg");
  EXPECT_THAT(dataset.notes, testing::ElementsAre(HasSubstr("below /disk/photos")));
}

TEST(TablePaths, ThatCannotBeMeantNameTheWayOut) {
  const auto message = [](TablePaths paths, const std::vector<std::string>& texts) {
    return error_of([&] { read(paths, texts); });
  };
  EXPECT_THAT(message({"/data", true}, {"/disk/1.jpg"}), HasSubstr("'/disk/1.jpg' is outside /data. Say"));
  EXPECT_THAT(message({"/data", false}, {"../1.jpg"}), HasSubstr("--root DIR"));
  EXPECT_THAT(message({"/data", false}, {"a.jpg", "/disk/1.jpg"}), HasSubstr("--root DIR"));
  EXPECT_THAT(message({"/data", false}, {"/disk/1.jpg", "/home/2.jpg"}), HasSubstr("--root DIR"));
  EXPECT_THAT(message({"/data", false}, {"/etc/passwd"}), HasSubstr("--root DIR")) << "no image";
  EXPECT_THAT(message({"/data", false}, {""}), HasSubstr("it is empty"));
}

}  // namespace
}  // namespace procsim
