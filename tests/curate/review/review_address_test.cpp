#include "curate/review/review_address.hpp"

#include <gtest/gtest.h>

#include "tests/support/test_files.hpp"

namespace procsim::curate {
namespace {

namespace fs = std::filesystem;

TEST(ReviewAddress, StaysTheSameAndIsReadByItsOwnerOnly) {
  const test::TemporaryFolder folder;
  auto address = read_review_address(folder.path());
  EXPECT_EQ(address.secret.size(), 32U);
  address.port = 4321;
  write_review_address(folder.path(), address);
  const auto again = read_review_address(folder.path());
  EXPECT_EQ(again.token(), address.token());
  EXPECT_EQ(again.card_secret(), address.card_secret());
  EXPECT_EQ(again.port, 4321);
  EXPECT_EQ(fs::status(folder / "review.json").permissions() & fs::perms::mask,
            fs::perms::owner_read | fs::perms::owner_write);
}

TEST(ReviewAddress, IsMadeNewWhenOthersCouldReadItOrItIsDamaged) {
  const test::TemporaryFolder folder;
  const auto address = read_review_address(folder.path());
  write_review_address(folder.path(), address);
  fs::permissions(folder / "review.json", fs::perms::group_read, fs::perm_options::add);
  EXPECT_NE(read_review_address(folder.path()).token(), address.token());
  fs::remove(folder / "review.json");
  folder.write("review.json", "{");
  fs::permissions(folder / "review.json", fs::perms::owner_read);
  EXPECT_EQ(read_review_address(folder.path()).secret.size(), 32U);
}

TEST(ReviewAddress, SecretsDifferFromEachOtherAndFromRunToRun) {
  const ReviewAddress a{random_token(), 0}, b{random_token(), 0};
  EXPECT_NE(a.secret, b.secret);
  EXPECT_NE(a.token(), b.token());
  EXPECT_NE(a.token(), a.card_secret().substr(0, 32));
}

}  // namespace
}  // namespace procsim::curate
