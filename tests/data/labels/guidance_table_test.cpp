#include "data/labels/guidance_table.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "data/files/table.hpp"
#include "tests/support/expect_error.hpp"
#include "tests/support/test_files.hpp"

namespace procsim {
namespace {

// A table of one row under a header that anybody may have written.
class GuidanceHeader : public ::testing::Test {
 protected:
  std::filesystem::path file_with(const std::string& header) const {
    Table table;
    table.columns = {{"key", std::vector<std::int64_t>{0}},
                     {"name", std::vector<std::string>{"gull"}},
                     {"rank", std::vector<std::int32_t>{1}},
                     {"wnid", std::vector<std::string>{"n01"}},
                     {"pseudo_label", std::vector<std::string>{"gull"}},
                     {"score", std::vector<double>{0.5}},
                     {"vector", TableColumn::FloatLists{2, {1, 0}}}};
    table.metadata["procsim"] = header;
    write_parquet_table(folder / "guidance.parquet", table, IfExists::kReplace);
    return folder / "guidance.parquet";
  }
  test::TemporaryFolder folder;
};

TEST_F(GuidanceHeader, AsItIsWrittenIsRead) {
  const auto table = read_guidance_table(
      file_with(R"({"format": "guidance", "version": 1, "per": "sample", "provenance": {"model": "x"}})"));
  EXPECT_TRUE(table.per_sample);
  EXPECT_EQ(table.provenance["model"], "x");
}

class DamagedGuidanceHeader : public GuidanceHeader, public ::testing::WithParamInterface<const char*> {};

TEST_P(DamagedGuidanceHeader, OfOtherTypesIsRefusedByName) {
  const auto file = file_with(GetParam());
  test::expect_error([&] { read_guidance_table(file); }, {file.string()});
}

INSTANTIATE_TEST_SUITE_P(All, DamagedGuidanceHeader,
                         ::testing::Values("{}", "[1]", R"({"format": 7, "version": 1})",
                                           R"({"format": "guidance", "version": "1"})",
                                           R"({"format": "guidance", "version": 1, "per": 3})"));

// Whose copy would take more stack than there is.
TEST_F(GuidanceHeader, NestedWithoutEndIsRefused) {
  constexpr std::size_t kDeep = 1'000'000;
  const auto file = file_with(R"({"format": "guidance", "version": 1, "per": "class", "provenance": )" +
                              std::string(kDeep, '[') + std::string(kDeep, ']') + "}");
  test::expect_error([&] { read_guidance_table(file); }, {file.string()});
}

}  // namespace
}  // namespace procsim
