#include "data/base/json_nesting.hpp"

#include <string>

#include <gtest/gtest.h>

namespace procsim {
namespace {

TEST(JsonNesting, CountsObjectsAndLists) {
  EXPECT_EQ(json_nesting("17"), 0U);
  EXPECT_EQ(json_nesting("{}"), 1U);
  EXPECT_EQ(json_nesting(R"({"a": [1, {"b": []}], "c": [[2]]})"), 4U);
  EXPECT_EQ(json_nesting(R"([[1], [2], [3]])"), 2U);
}

TEST(JsonNesting, BracketsInStringsAreText) {
  EXPECT_EQ(json_nesting(R"({"[{": "]}[[ \"[[ \\"})"), 1U);
  EXPECT_EQ(json_nesting(R"(["a\\", ["b"]])"), 2U);
}

TEST(JsonNesting, TextThatIsNoJsonIsCountedAllTheSame) {
  EXPECT_EQ(json_nesting("]]}"), 0U);
  EXPECT_EQ(json_nesting("\"never closed [[["), 0U);
  EXPECT_EQ(json_nesting(std::string(100000, '[')), 100000U);
}

}  // namespace
}  // namespace procsim
