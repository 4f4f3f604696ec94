#include "curate/report/thumbnails.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "data/base/error.hpp"
#include "tests/curate/report/bird_report.hpp"
#include "tests/support/errors.hpp"
#include "tests/support/test_files.hpp"

namespace procsim::curate {
namespace {

using test::bird_table;
using test::report_of;
using test::scored;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Pair;

class Thumbnails : public ::testing::Test {
 protected:
  test::TemporaryFolder folder_;
};

TEST_F(Thumbnails, AreSharedAndOnlyForImagesInsideTheRoot) {
  auto first = scored(1, 0, 1, 0.9);
  first.near_given = {2, 3};
  first.near_suggested = {3};
  auto second = scored(2, 0, 1, 0.8);
  second.near_given = {1, 3};
  auto outside = scored(4, 0, 1, 0.7);
  outside.path = "../secret.jpg";
  auto absolute = scored(5, 0, 1, 0.6);
  absolute.path = (folder_ / "secret.jpg").string();
  auto linked = scored(6, 0, 1, 0.5);
  linked.path = "link/secret.jpg";
  auto missing = scored(7, 0, 1, 0.4);
  for (const auto* name :
       {"root/0/1.jpg", "root/0/2.jpg", "root/0/3.jpg", "secret.jpg", "elsewhere/secret.jpg"})
    test::write_image(folder_ / name, 1);
  std::filesystem::create_directory_symlink(folder_ / "elsewhere", folder_ / "root/link");
  const auto table = bird_table({first, second, scored(3, 0, 1, 0.01), outside, absolute, linked, missing});
  auto report = report_of(table, 6);
  const auto unreadable = add_thumbnails(report, table, ImageStore(folder_ / "root"));
  EXPECT_EQ(unreadable.count, 4U);
  EXPECT_THAT(unreadable.first, HasSubstr("../secret.jpg: outside the data set's folder"));
  EXPECT_EQ(report.thumbnails->images.size(), 3U);
  EXPECT_THAT(report.thumbnails->image_of, ElementsAre(Pair(1, 0), Pair(2, 1), Pair(3, 2)))
      << "two suspects, then a neighbour of both";
}

TEST_F(Thumbnails, EveryNeighbourOfAFewCardsIsThere) {
  auto suspect = scored(1, 0, 1, 0.9);
  std::vector<ScoreRow> rows;
  for (int id = 2; id <= 7; ++id) {
    suspect.near_given.push_back(id);
    rows.push_back(scored(id, 0, 1, 0.01));
  }
  rows.push_back(suspect);
  for (int id = 1; id <= 7; ++id) test::write_image(folder_ / fmt::format("root/0/{}.jpg", id), 1);
  const auto table = bird_table(rows);
  auto report = report_of(table, 1);
  add_thumbnails(report, table, ImageStore(folder_ / "root"));
  EXPECT_EQ(report.thumbnails->images.size(), 7U);
}

TEST_F(Thumbnails, ProgressCountsThemAndEndsThemByThrowing) {
  std::vector<ScoreRow> rows;
  for (int id = 1; id <= 60; ++id) rows.push_back(scored(id, 0, 1, 0.9));
  for (int id = 1; id <= 60; ++id) test::write_image(folder_ / fmt::format("root/0/{}.jpg", id), 1);
  const auto table = bird_table(rows);
  const ImageStore images(folder_ / "root");
  std::uint64_t calls = 0;
  auto report = report_of(table, 60);
  add_thumbnails(report, table, images, [&](std::uint64_t done, std::uint64_t total) {
    EXPECT_EQ(done, ++calls % 60 == 0 ? 60 : calls % 60);
    EXPECT_EQ(total, 60U);
  });
  EXPECT_GE(calls, 60U);
  calls = 0;
  EXPECT_THAT(test::error_of([&] {
                add_thumbnails(report, table, images, [&](std::uint64_t, std::uint64_t) {
                  ++calls;
                  throw Error("enough");
                });
              }),
              "enough");
  EXPECT_LT(calls, 60U) << "a thread ends what it has begun, no more";
}

}  // namespace
}  // namespace procsim::curate
