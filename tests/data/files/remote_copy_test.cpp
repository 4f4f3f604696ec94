#include "data/files/remote_copy.hpp"

#include <cstdlib>
#include <filesystem>
#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "data/base/error.hpp"
#include "tests/support/expect_error.hpp"
#include "tests/support/s3_server.hpp"
#include "tests/support/test_files.hpp"

namespace procsim {
namespace {

using test::expect_error;
using test::read_all;
using test::S3Server;
using test::TemporaryFolder;

// The user's cache and credentials stay out of it.
class RemoteCopy : public ::testing::Test {
 protected:
  RemoteCopy() {
    ::setenv("XDG_CACHE_HOME", folder.path().c_str(), 1);
    for (const auto& [name, value] : S3Server::environment()) ::setenv(name.c_str(), value.c_str(), 1);
  }

  TemporaryFolder folder;
};

TEST_F(RemoteCopy, TellsUrisFromPaths) {
  for (const auto* uri : {"s3://bucket/key", "gs://b/k", "file:///tmp/x", "https://host/x", "S3X://"})
    EXPECT_EQ(is_uri(uri), std::string_view(uri) != "S3X://") << uri;
  for (const auto* path :
       {"labels.parquet", "/data/x", "a://", "://x", "C:/x", "./s3:/x", "", "two words://x"})
    EXPECT_EQ(is_uri(path), std::string_view(path) == "a://") << path;
}

TEST_F(RemoteCopy, KeepsTheNameAndTellsUrisApart) {
  const auto copy = remote_copy("s3://bucket/folder/labels.parquet?region=eu-west-1");
  EXPECT_EQ(copy.filename(), "labels.parquet");
  EXPECT_EQ(copy.parent_path().parent_path(), folder.path() / "procsim/remote");
  EXPECT_NE(copy, remote_copy("s3://other/folder/labels.parquet?region=eu-west-1"));
  EXPECT_EQ(remote_copy("gs://bucket/parts/").filename(), "parts");
  EXPECT_EQ(remote_copy("s3://user:secret@bucket").filename(), "bucket");
  EXPECT_EQ(remote_copy("file:///data/labels.csv"), "/data/labels.csv");
}

TEST_F(RemoteCopy, RefusesWhatItCannotRead) {
  expect_error([] { remote_copy("https://host/x.parquet"); }, {"https:// is not read"});
  expect_error([] { remote_copy("s3://"); }, {"names no bucket"});
  expect_error([] { remote_copy("file://data/x"); }, {"three slashes"});
}

TEST_F(RemoteCopy, HidesPasswords) {
  EXPECT_EQ(without_password("s3://key:secret@bucket/a@b"), "s3://***@bucket/a@b");
  EXPECT_EQ(without_password("s3://bucket/a@b?x=c@d"), "s3://bucket/a@b?x=c@d");
  EXPECT_EQ(without_password("abfs://container@account.host/a"), "abfs://container@account.host/a");
  S3Server server;
  auto uri = server.uri("nothing.parquet");
  uri.insert(5, "testing:testing@");
  try {
    fetch_remote(uri);
    FAIL() << "there is no such key";
  } catch (const Error& error) {
    EXPECT_THAT(error.what(), ::testing::HasSubstr("does not exist"));
    EXPECT_THAT(error.what(), ::testing::Not(::testing::HasSubstr("testing")));
  }
}

TEST_F(RemoteCopy, FetchesAFileOnceAndAgainWhenItHasChanged) {
  S3Server server;
  std::string content;
  for (int i = 0; i < 1'000'000; ++i) content += std::to_string(i) + "\n";  // more than one piece
  server.put("a/labels.csv", folder.write("first", content));
  const auto uri = server.uri("a/labels.csv");
  const auto first = fetch_remote(uri);
  EXPECT_EQ(first.fetched, 1);
  EXPECT_EQ(first.bytes, content.size());
  EXPECT_EQ(read_all(remote_copy(uri)), content);
  const auto reads = server.reads();
  EXPECT_EQ(fetch_remote(uri).fetched, 0);
  EXPECT_EQ(server.reads(), reads);

  server.put("a/labels.csv", folder.write("second", "sample_id,label\n"));
  EXPECT_EQ(fetch_remote(uri).fetched, 1);
  EXPECT_EQ(read_all(remote_copy(uri)), "sample_id,label\n");
  // A copy that somebody has cut off is not taken for the file.
  folder.write(std::filesystem::relative(remote_copy(uri), folder.path()).string(), "sample");
  EXPECT_EQ(fetch_remote(uri).fetched, 1);
  EXPECT_EQ(read_all(remote_copy(uri)), "sample_id,label\n");

  server.remove("a/labels.csv");
  expect_error([&] { fetch_remote(uri); }, {"does not exist"});
  EXPECT_EQ(read_all(remote_copy(uri)), "sample_id,label\n");
}

TEST_F(RemoteCopy, KeepsAFolderLikeTheOneThere) {
  S3Server server;
  const auto uri = server.uri("parts/");
  server.put("parts/part-0.parquet", folder.write("0", "zero"));
  server.put("parts/deep/er/part-1.parquet", folder.write("1", "one"));
  server.put("partsbeside.parquet", folder.write("2", "two"));
  const auto copy = remote_copy(uri);
  EXPECT_EQ(fetch_remote(uri).files, 2);
  EXPECT_EQ(read_all(copy / "part-0.parquet"), "zero");
  EXPECT_EQ(read_all(copy / "deep/er/part-1.parquet"), "one");
  EXPECT_FALSE(std::filesystem::exists(copy / "beside.parquet"));

  server.remove("parts/part-0.parquet");
  server.put("parts/part-2.parquet", folder.write("3", "three"));
  const auto again = fetch_remote(uri);
  EXPECT_EQ(again.files, 2);
  EXPECT_EQ(again.fetched, 1);
  EXPECT_FALSE(std::filesystem::exists(copy / "part-0.parquet"));
  EXPECT_EQ(read_all(copy / "part-2.parquet"), "three");

  server.remove("parts/deep/er/part-1.parquet");
  server.remove("parts/part-2.parquet");
  expect_error([&] { fetch_remote(uri); }, {"does not exist"});
}

TEST_F(RemoteCopy, NoKeyLeadsOutOfTheCopy) {
  S3Server server;
  server.put("parts/../../escaped", folder.write("0", "zero"));
  expect_error([&] { fetch_remote(server.uri("parts")); }, {"no path below it"});
  EXPECT_FALSE(std::filesystem::exists(folder.path() / "procsim/remote/escaped"));
}

}  // namespace
}  // namespace procsim
