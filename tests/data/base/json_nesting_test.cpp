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

TEST(ParseJson, TakesNoMoreLevelsThanThereIsStackFor) {
  const auto lists = [](std::size_t depth) { return std::string(depth, '[') + std::string(depth, ']'); };
  EXPECT_EQ(parse_json<nlohmann::json>(R"({"a": [1]})"), (nlohmann::json{{"a", {1}}}));
  EXPECT_TRUE(parse_json<nlohmann::json>("{").is_discarded());
  EXPECT_TRUE(parse_json<nlohmann::json>(lists(kDeepestJson)).is_array());
  EXPECT_TRUE(parse_json<nlohmann::json>(lists(kDeepestJson + 1)).is_discarded());
  EXPECT_TRUE(parse_json<nlohmann::ordered_json>(lists(1'000'000)).is_discarded());
}

}  // namespace
}  // namespace procsim
