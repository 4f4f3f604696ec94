#include "data/files/file_name.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/support/test_files.hpp"

namespace procsim {
namespace {

TEST(LowerExtension, IgnoresCaseAndFolders) {
  EXPECT_EQ(lower_extension("a.b/C.JPG"), ".jpg");
  EXPECT_EQ(lower_extension("a.b/C"), "");
  EXPECT_EQ(lower_extension("x.tar.Gz"), ".gz");
}

TEST(FileStemOf, KeepsPlainNamesAndKeepsOthersApart) {
  EXPECT_EQ(file_stem_of("cub200_2011-b.v2"), "cub200_2011-b.v2");
  // The first eight digits of sha256sum of the name.
  EXPECT_EQ(file_stem_of("a/b"), "a_b-c14cddc0");
  EXPECT_EQ(file_stem_of("a_b"), "a_b");
  EXPECT_NE(file_stem_of("a/b"), file_stem_of("a b"));
  EXPECT_EQ(file_stem_of(""), "-e3b0c442");
  EXPECT_EQ(file_stem_of(".hidden").front(), '_');
  EXPECT_EQ(file_stem_of(std::string(300, 'x')).size(), 109U);
  EXPECT_NE(file_stem_of(std::string(300, 'x')), file_stem_of(std::string(301, 'x')));
}

TEST(ParquetParts, AreInTheOrderOfTheirNamesWithoutHiddenOnes) {
  const test::TemporaryFolder folder;
  for (const auto* name : {"b.parquet", "a.parquet", ".hidden.parquet", "notes.txt"}) folder.write(name, "x");
  std::filesystem::create_directory(folder / "c.parquet");
  EXPECT_THAT(parquet_parts(folder.path()), testing::ElementsAre(folder / "a.parquet", folder / "b.parquet"));
  EXPECT_THAT(parquet_parts(folder / "b.parquet"), testing::ElementsAre(folder / "b.parquet"));
}

TEST(PathComponent, LeadsNowhereElseAndIsNotHidden) {
  EXPECT_EQ(path_component("Heermann Gull"), "Heermann Gull");
  EXPECT_EQ(path_component("001.Black_footed"), "001.Black_footed");
  for (const std::string name : {"..", ".", "", ".ssh", "a/b", "/etc", "../x", "a\nb", "a\x1b[0m"}) {
    const auto component = path_component(name);
    EXPECT_EQ(component.find('/'), std::string::npos) << name;
    EXPECT_NE(component.front(), '.') << name;
    EXPECT_EQ(std::filesystem::path("in") / component,
              (std::filesystem::path("in") / component).lexically_normal());
    for (const unsigned char c : component) EXPECT_GE(c, 0x20) << name;
  }
  EXPECT_NE(path_component("a/b"), path_component("a_b"));
  EXPECT_NE(path_component(".ssh"), path_component("_ssh"));
}

TEST(PathComponent, LongNamesAreCutBetweenLetters) {
  std::string name;
  for (int i = 0; i < 300; ++i) name += "ö";
  const auto component = path_component(name);
  EXPECT_LE(component.size(), 255U);
  EXPECT_TRUE(component.starts_with("öö"));
  EXPECT_NE(path_component(name), path_component(name + "x"));
}

}  // namespace
}  // namespace procsim
