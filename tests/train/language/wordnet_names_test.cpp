#include "train/language/wordnet_names.hpp"

#include <gtest/gtest.h>

namespace procsim::train {
namespace {

TEST(ImageNetClasses, HaveTheirNamesFromWordNet) {
  const auto classes = imagenet_classes();
  ASSERT_EQ(classes.size(), 1000U);
  EXPECT_EQ(classes[0].name, "tench");
  EXPECT_EQ(classes[146].wnid, "n02058221");
  EXPECT_EQ(classes[146].name, "albatross");
  EXPECT_EQ(classes[999].name, "toilet tissue");
}

}  // namespace
}  // namespace procsim::train
