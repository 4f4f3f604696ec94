#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "tests/cli/noise_workspace.hpp"

namespace procsim {
namespace {

using test::NoiseWorkspace;
using ::testing::AllOf;
using ::testing::HasSubstr;

TEST(TaxoDoctor, SaysWhatIsWrongAndCleansUpWhatItCan) {
  const NoiseWorkspace workspace(60);
  ASSERT_EQ(workspace.noise({"inject", "--uniform", "0.2", "-o", "noisy.parquet"}).exit_code, 0);
  test::ProgramOptions here;
  here.folder = workspace.folder.path();
  const auto taxo = [&](const std::vector<std::string>& words) {
    return test::run_program("taxo", words, here);
  };
  const auto healthy = taxo({"doctor"});
  EXPECT_EQ(healthy.exit_code, 0) << healthy.out << healthy.err;
  EXPECT_THAT(healthy.out, HasSubstr("all as recorded"));

  workspace.folder.write(".procsim/labels/.x.parquet.999999999.0.tmp", "of a killed program");
  std::filesystem::remove(workspace.folder / "noisy.parquet");
  const auto ill = taxo({"doctor"});
  EXPECT_EQ(ill.exit_code, 1);
  EXPECT_THAT(ill.out, AllOf(HasSubstr("noisy.parquet is not there"), HasSubstr("removed")));
  EXPECT_FALSE(std::filesystem::exists(workspace.folder / ".procsim/labels/.x.parquet.999999999.0.tmp"));

  const auto saved = taxo({"doctor", "--backup", "copy", "--json"});
  EXPECT_EQ(nlohmann::json::parse(saved.out)["problems"].size(), 1U);
  EXPECT_TRUE(std::filesystem::exists(workspace.folder / "copy/.procsim/labels/birds.parquet"));
}

}  // namespace
}  // namespace procsim
