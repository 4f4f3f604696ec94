#include "data/base/base64.hpp"

#include <gtest/gtest.h>

namespace procsim {
namespace {

TEST(Base64, HasTheValuesOfRfc4648) {
  EXPECT_EQ(base64(""), "");
  EXPECT_EQ(base64("f"), "Zg==");
  EXPECT_EQ(base64("fo"), "Zm8=");
  EXPECT_EQ(base64("foo"), "Zm9v");
  EXPECT_EQ(base64("foobar"), "Zm9vYmFy");
  EXPECT_EQ(base64(std::string_view("\xff\xfe\x00", 3)), "//4A");
}

TEST(Base64, PiecesOfLongTextsJoin) {
  // Six megabytes and a byte: "AAAA" for every three zeros, and the padding only at the end.
  const std::string zeros((6U << 20) + 1, '\0');
  const auto text = base64(zeros);
  EXPECT_EQ(text.size(), (2U << 20) * 4 + 4);
  EXPECT_EQ(text.find_first_not_of('A'), text.size() - 2);
  EXPECT_TRUE(text.ends_with("AA=="));
}

}  // namespace
}  // namespace procsim
