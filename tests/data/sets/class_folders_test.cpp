#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "data/sets/dataset.hpp"
#include "tests/support/expect_error.hpp"
#include "tests/support/test_files.hpp"

namespace procsim {
namespace {

namespace fs = std::filesystem;
using test::expect_error;
using test::TemporaryFolder;
using testing::ElementsAre;
using testing::HasSubstr;

std::vector<std::string> paths(const Dataset& dataset) {
  std::vector<std::string> result;
  for (const auto& sample : dataset.samples) result.push_back(sample.path);
  return result;
}

std::vector<std::string> names(const Dataset& dataset) {
  std::vector<std::string> result;
  for (const auto& entry : dataset.classes) result.push_back(entry.name);
  return result;
}

TEST(ClassFolders, EveryFolderIsAClassInTheOrderOfItsBytes) {
  const TemporaryFolder folder;
  folder.write("birds/tern/2.jpg", "");
  folder.write("birds/tern/10.jpg", "");
  folder.write("birds/Red_winged_Blackbird/x.PNG", "");
  folder.write("birds/gull/a.jpeg", "");
  const auto dataset = open_dataset((folder / "birds").string());
  EXPECT_EQ(dataset.name, "birds");
  EXPECT_EQ(dataset.kind, "folder");
  EXPECT_THAT(names(dataset), ElementsAre("Red-winged Blackbird", "gull", "tern"));
  EXPECT_THAT(paths(dataset),
              ElementsAre("Red_winged_Blackbird/x.PNG", "gull/a.jpeg", "tern/10.jpg", "tern/2.jpg"));
  for (std::size_t i = 0; i < 4; ++i) EXPECT_EQ(dataset.samples[i].id, static_cast<std::int64_t>(i));
  EXPECT_EQ(dataset.samples[3].label, 2);
  EXPECT_EQ(dataset.samples[3].split, "train");
  EXPECT_THAT(dataset.notes, ElementsAre(HasSubstr("no split of its own")));
}

TEST(ClassFolders, SplitsAboveTheClassesAreTheOwnSplit) {
  const TemporaryFolder folder;
  folder.write("train/a/1.jpg", "");
  folder.write("train/b/1.jpg", "");
  folder.write("Validation/a/1.jpg", "");
  folder.write("test/c/1.jpg", "");
  folder.write("docs/readme/1.jpg", "");
  const auto dataset = open_dataset(folder.path().string());
  EXPECT_THAT(names(dataset), ElementsAre("a", "b", "c"));
  EXPECT_THAT(paths(dataset),
              ElementsAre("Validation/a/1.jpg", "test/c/1.jpg", "train/a/1.jpg", "train/b/1.jpg"));
  EXPECT_EQ(dataset.samples[0].split, "val");
  EXPECT_EQ(dataset.samples[1].split, "test");
  EXPECT_EQ(dataset.samples[2].split, "train");
  EXPECT_EQ(dataset.samples[2].label, dataset.samples[0].label);
  EXPECT_THAT(dataset.notes, ElementsAre(HasSubstr("docs")));
}

TEST(ClassFolders, ImagesMayLieDeepAndHiddenNamesAreIgnored) {
  const TemporaryFolder folder;
  folder.write("a/2020/june/1.jpg", "");
  folder.write("a/.thumbs/2.jpg", "");
  folder.write("a/.hidden.jpg", "");
  folder.write("b/1.jfif", "");
  folder.write(".procsim/x/1.jpg", "");
  folder.write("__MACOSX/a/1.jpg", "");
  EXPECT_THAT(paths(open_dataset(folder.path().string())), ElementsAre("a/2020/june/1.jpg", "b/1.jfif"));
}

TEST(ClassFolders, WhatIsLeftOutIsSaid) {
  const TemporaryFolder folder;
  folder.write("a/1.jpg", "");
  folder.write("a/2.webp", "");
  folder.write("a/3.WEBP", "");
  folder.write("a/notes.txt", "");
  folder.write("b/1.jpg", "");
  folder.write("c/notes.txt", "");
  folder.write("cover.jpg", "");
  const auto dataset = open_dataset(folder.path().string());
  EXPECT_THAT(names(dataset), ElementsAre("a", "b"));
  EXPECT_THAT(dataset.notes, testing::IsSupersetOf({HasSubstr("2 .webp files"), HasSubstr("no classes: c"),
                                                    HasSubstr("1 images lie outside")}));
}

TEST(ClassFolders, ALoneFolderAroundTheClassesIsNotAClass) {
  const TemporaryFolder folder;
  folder.write("images/a/1.jpg", "");
  folder.write("images/b/1.jpg", "");
  const auto dataset = open_dataset(folder.path().string());
  EXPECT_THAT(names(dataset), ElementsAre("a", "b"));
  EXPECT_THAT(paths(dataset), ElementsAre("images/a/1.jpg", "images/b/1.jpg"));
}

TEST(ClassFolders, LinksAreFollowedAndLoopsEnd) {
  const TemporaryFolder folder;
  folder.write("elsewhere/x.jpg", "");
  folder.write("set/a/1.jpg", "");
  folder.write("set/b/1.jpg", "");
  fs::create_directory_symlink(folder / "set/a", folder / "set/a/again");  // a loop
  fs::create_directory_symlink(folder / "set", folder / "set/b/up");       // the whole set inside a class
  fs::create_directory_symlink(folder / "elsewhere", folder / "set/c");
  fs::create_symlink(folder / "gone.jpg", folder / "set/a/broken.jpg");
  const auto dataset = open_dataset((folder / "set").string());
  EXPECT_THAT(names(dataset), ElementsAre("a", "b", "c"));
  EXPECT_THAT(paths(dataset), ElementsAre("a/1.jpg", "b/1.jpg", "c/x.jpg"));
}

TEST(ClassFolders, NothingToReadIsRefused) {
  const TemporaryFolder folder;
  expect_error([&] { open_dataset(folder.path().string()); },
               {folder.path().string(), "no images in class folders"});
  folder.write("1.jpg", "");
  fs::create_directories(folder / "empty");
  expect_error([&] { open_dataset(folder.path().string()); }, {"no images in class folders"});
}

TEST(ClassFolders, NamesThatAreNotUtf8AreRefused) {
  const TemporaryFolder folder;
  folder.write("caf\xE9/1.jpg", "");
  expect_error([&] { open_dataset(folder.path().string()); }, {"UTF-8"});
}

}  // namespace
}  // namespace procsim
