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

TEST(ParquetParts, AreInTheOrderOfTheirNamesWithoutHiddenOnes) {
  const test::TemporaryFolder folder;
  for (const auto* name : {"b.parquet", "a.parquet", ".hidden.parquet", "notes.txt"}) folder.write(name, "x");
  std::filesystem::create_directory(folder / "c.parquet");
  EXPECT_THAT(parquet_parts(folder.path()), testing::ElementsAre(folder / "a.parquet", folder / "b.parquet"));
  EXPECT_THAT(parquet_parts(folder / "b.parquet"), testing::ElementsAre(folder / "b.parquet"));
}

}  // namespace
}  // namespace procsim
