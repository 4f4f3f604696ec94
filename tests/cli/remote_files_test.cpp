// Files by URI (docs/scaling.md): every command that reads one.

#include <filesystem>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/cli/noise_workspace.hpp"
#include "tests/support/s3_server.hpp"

namespace procsim {
namespace {

using test::NoiseFiles;
using test::S3Server;
using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

class RemoteFiles : public ::testing::Test {
 protected:
  test::ProgramResult noise(const std::vector<std::string>& arguments) const {
    test::ProgramOptions options;
    options.folder = files.folder.path();
    options.environment = S3Server::environment();
    options.environment["XDG_CACHE_HOME"] = (files.folder / "cache").string();
    return test::run_program("noise", arguments, options);
  }

  NoiseFiles files;
};

TEST_F(RemoteFiles, AreReadLikeFilesHere) {
  S3Server server;
  server.put("sets/clean.parquet", files.folder / "clean.parquet");
  server.put("birds.json", files.folder / "birds.json");
  const auto here = noise({"inject", "--semantic", "0.3", "--labels", "clean.parquet", "--taxonomy",
                           "birds.json", "-o", "here.parquet"});
  ASSERT_EQ(here.exit_code, 0) << here.err;
  const auto there = noise({"inject", "--semantic", "0.3", "--labels=" + server.uri("sets/clean.parquet"),
                            "--taxonomy", server.uri("birds.json"), "-o", "there.parquet"});
  ASSERT_EQ(there.exit_code, 0) << there.err;
  EXPECT_THAT(there.err, HasSubstr("fetched s3://labels/sets/clean.parquet"));
  const auto difference = noise({"diff", "here.parquet", "there.parquet", "--json"});
  EXPECT_EQ(nlohmann::json::parse(difference.out).at("changed"), 0) << difference.out;

  const auto parts = server.uri("sets");
  server.remove("sets/clean.parquet");
  server.put("sets/part-0.parquet", files.folder / "here.parquet");
  const auto stats = noise({"stats", "--labels", parts, "--taxonomy", "birds.json", "--json"});
  ASSERT_EQ(stats.exit_code, 0) << stats.err;
  const auto expected = noise({"stats", "--labels", "here.parquet", "--taxonomy", "birds.json", "--json"});
  EXPECT_EQ(nlohmann::json::parse(stats.out).at("wrong"), nlohmann::json::parse(expected.out).at("wrong"));
}

TEST_F(RemoteFiles, ByFileUriAreTheFilesThemselves) {
  const auto result = noise({"stats", "--labels", "file://" + (files.folder / "clean.parquet").string()});
  EXPECT_EQ(result.exit_code, 0) << result.err;
  EXPECT_FALSE(std::filesystem::exists(files.folder / "cache"));
}

TEST_F(RemoteFiles, AreNotWritten) {
  const auto output =
      noise({"inject", "--uniform", "0.1", "--labels", "clean.parquet", "-o", "s3://k:p@labels/x.parquet"});
  EXPECT_EQ(output.exit_code, 2);
  EXPECT_THAT(output.err, AllOf(HasSubstr("--output: it writes on this machine"), Not(HasSubstr("k:p"))));
  const auto workspace = noise({"stats", "--workspace", "s3://labels/x"});
  EXPECT_EQ(workspace.exit_code, 2);
  EXPECT_THAT(workspace.err, HasSubstr("--workspace: it writes on this machine"));
}

TEST_F(RemoteFiles, SayWhatCannotBeRead) {
  const auto scheme = noise({"stats", "--labels", "https://host/x.parquet"});
  EXPECT_EQ(scheme.exit_code, 2);
  EXPECT_THAT(scheme.err, HasSubstr("https:// is not read; s3://, gs://"));
  S3Server server;
  const auto missing = noise({"stats", "--labels", server.uri("missing.parquet")});
  EXPECT_EQ(missing.exit_code, 1);
  EXPECT_THAT(missing.err, HasSubstr("does not exist"));
  // Words are checked before anything is fetched.
  EXPECT_EQ(noise({"inject", "--uniform", "20", "--labels", server.uri("missing.parquet")}).exit_code, 2);
}

}  // namespace
}  // namespace procsim
