#include "taxonomy/resolve/class_name.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace procsim::taxonomy {
namespace {

using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::IsEmpty;

std::vector<std::string> phrase_texts(std::string_view name) {
  std::vector<std::string> texts;
  for (const auto& phrase : phrases(split_class_name(name))) {
    std::string text;
    for (const auto& word : phrase.words) text += (text.empty() ? "" : " ") + word;
    texts.push_back(text);
  }
  return texts;
}

TEST(ClassName, IsSplitIntoWordsAndWhatStandsInParentheses) {
  const auto name = split_class_name("Crane (wading bird)");
  EXPECT_THAT(name.words, ElementsAre("crane"));
  EXPECT_THAT(name.aside, ElementsAre("wading", "bird"));
  EXPECT_THAT(split_class_name("(sparrow)").words, ElementsAre("sparrow"));
  EXPECT_THAT(split_class_name("Red-winged_Blackbird").words, ElementsAre("red-winged", "blackbird"));
  EXPECT_THAT(split_class_name("odd ) bird (").words, ElementsAre("odd", "bird"));
  EXPECT_THAT(split_class_name("").words, IsEmpty());
  EXPECT_THAT(split_class_name("鳥").words, IsEmpty());
}

TEST(ClassName, IsLookedUpFromTheWholeDownToTheHeadNoun) {
  EXPECT_THAT(phrase_texts("Great Crested Flycatcher"),
              ElementsAre("great crested flycatcher", "crested flycatcher", "flycatcher"));
  EXPECT_THAT(phrase_texts("Gray-crowned Rosy-Finch"),
              ElementsAre("gray-crowned rosy-finch", "rosy-finch", "finch"));
  EXPECT_THAT(phrase_texts("red bird of paradise"), ElementsAre("red bird of paradise", "red bird", "bird"));
  EXPECT_THAT(phrase_texts(""), IsEmpty());
}

TEST(ClassName, OfThousandsOfWordsIsCutShort) {
  std::string name;
  for (int i = 0; i < 5000; ++i) name += "very ";
  const auto all = phrases(split_class_name(name + "sparrow"));
  EXPECT_LT(all.size(), 20U);
  EXPECT_FALSE(all.front().full);
  EXPECT_THAT(all.back().words, ElementsAre("sparrow"));
}

TEST(Spellings, CoverWhatDataSetsLeaveOut) {
  EXPECT_THAT(spellings({"red", "winged", "blackbird"}), Contains("red-winged_blackbird"));
  EXPECT_THAT(spellings({"chuck", "will", "widow"}), Contains("chuck-will's-widow"));
  EXPECT_THAT(spellings({"forsters", "tern"}), Contains("forster's_tern"));
  EXPECT_THAT(spellings({"gray", "kingbird"}), Contains("grey_kingbird"));
  EXPECT_THAT(spellings({"scissor-tailed", "flycatcher"}), Contains("scissortailed_flycatcher"));
  EXPECT_THAT(spellings({"frigatebird"}), Contains("frigate_bird"));
  EXPECT_EQ(spellings({"house", "sparrow"}).front(), "house_sparrow");
}

TEST(Spellings, OfManyWordsStayFew) {
  EXPECT_EQ(spellings({"a", "b", "c", "d", "e", "f", "g", "h"}).size(), 1U);
  EXPECT_EQ(spellings({std::string(10'000, 'x')}).size(), 1U);
}

}  // namespace
}  // namespace procsim::taxonomy
