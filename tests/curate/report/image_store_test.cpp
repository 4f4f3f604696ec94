#include "curate/report/image_store.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "data/base/error.hpp"
#include "tests/curate/scored_birds.hpp"
#include "tests/support/test_files.hpp"

namespace procsim::curate {
namespace {

using ::testing::HasSubstr;

class Images : public ::testing::Test {
 protected:
  test::TemporaryFolder folder_;
};

TEST_F(Images, LinksThatStayInsideAreFollowed) {
  test::write_image(folder_ / "root/real/1.jpg", 1);
  std::filesystem::create_directory_symlink("real", folder_ / "root/alias");
  const ImageStore store(folder_ / "root");
  EXPECT_TRUE(store.thumbnail("alias/1.jpg", 32, 70));
  EXPECT_FALSE(store.thumbnail("real/../real/1.jpg", 32, 70));
  EXPECT_FALSE(store.thumbnail("", 32, 70));
  EXPECT_FALSE(store.thumbnail(std::string("real/1.jpg\0.png", 15), 32, 70));
}

TEST_F(Images, ARootThatIsAPrefixOfAnotherFolderDoesNotOpenIt) {
  test::write_image(folder_ / "root/1.jpg", 1);
  test::write_image(folder_ / "root2/1.jpg", 1);
  std::filesystem::create_directory_symlink(folder_ / "root2", folder_ / "root/out");
  EXPECT_FALSE(ImageStore(folder_ / "root").thumbnail("out/1.jpg", 32, 70));
  EXPECT_THROW(ImageStore(folder_ / "nowhere"), Error);
}

// What looks like a row of a Parquet file and is a path all the same.
TEST_F(Images, AMarkInThePathDoesNotLeadOutside) {
  test::write_image(folder_ / "out/secret.jpg", 1);
  std::filesystem::create_directories(folder_ / "root/x#row=");
  std::filesystem::create_directory_symlink(folder_ / "out", folder_ / "root/x#row=/link");
  std::filesystem::create_symlink(folder_ / "out/secret.jpg", folder_ / "root/linked.jpg");
  const ImageStore store(folder_ / "root");
  for (const auto* path : {"x#row=/../../out/secret.jpg", "x#row=/link/secret.jpg", "linked.jpg"})
    EXPECT_FALSE(store.thumbnail(path, 32, 70)) << path;
}

TEST_F(Images, SayWhyThereIsNone) {
  folder_.write("root/notes.txt", "not an image");
  const ImageStore store(folder_ / "root");
  std::string why;
  EXPECT_FALSE(store.thumbnail("../root/notes.txt", 32, 70, &why));
  EXPECT_EQ(why, "outside the data set's folder");
  EXPECT_FALSE(store.thumbnail("notes.txt", 32, 70, &why));
  EXPECT_THAT(why, HasSubstr("notes.txt"));
  EXPECT_EQ(without_path("a/1.jpg: it is empty", "a/1.jpg"), "it is empty");
  EXPECT_EQ(without_path("a/1.jpg.png: it is empty", "a/1.jpg"), "a/1.jpg.png: it is empty");
  EXPECT_EQ(without_path("it is empty", "a/1.jpg"), "it is empty");
}

}  // namespace
}  // namespace procsim::curate
