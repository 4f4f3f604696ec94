#include "taxonomy/resolve/overrides.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "data/base/error.hpp"
#include "tests/support/test_files.hpp"
#include "tests/taxonomy/real_wordnet.hpp"

namespace procsim::taxonomy {
namespace {

using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::ThrowsMessage;

TEST(Overrides, AreClassSenseAndReason) {
  const auto entries = parse_overrides(
      "# a comment\n"
      "\n"
      "Gadwall\tduck%1:05:00::\ta dabbling duck\r\n"
      "Audi A5\tconvertible%1:06:00:: / Audi / C/V / 2012\tan open car\n",
      "my.tsv");
  ASSERT_EQ(entries.size(), 2U);
  EXPECT_EQ(entries[0].class_name, "Gadwall");
  EXPECT_EQ(entries[0].sense, "duck%1:05:00::");
  EXPECT_THAT(entries[0].below, IsEmpty());
  EXPECT_EQ(entries[0].reason, "a dabbling duck");
  EXPECT_EQ(entries[0].source, "my.tsv:3");
  EXPECT_THAT(entries[1].below, ElementsAre("Audi", "C/V", "2012"));
}

TEST(Overrides, SayWhichLineIsWrong) {
  const auto parse = [](std::string_view text) { return [text] { parse_overrides(text, "f.tsv"); }; };
  EXPECT_THAT(parse("a\tb%1:05:00::\n"),
              ThrowsMessage<Error>(AllOf(HasSubstr("f.tsv:1"), HasSubstr("2 fields"))));
  EXPECT_THAT(parse("#\n\tb%1:05:00::\tr\n"), ThrowsMessage<Error>(HasSubstr("f.tsv:2: the class is empty")));
  EXPECT_THAT(parse("a\t\tr\n"), ThrowsMessage<Error>(HasSubstr("sense key is empty")));
  EXPECT_THAT(parse("a\tb%1:05:00:: /  / x\tr\n"), ThrowsMessage<Error>(HasSubstr("name")));
  EXPECT_THAT(parse("a\tb\tr\nc\td\tr\na\te\tr\n"),
              ThrowsMessage<Error>(AllOf(HasSubstr("f.tsv:3"), HasSubstr("f.tsv:1"))));
}

TEST(Overrides, ForUnknownClassesSuggestTheNearest) {
  const std::vector<DatasetClass> classes = {{"1.House_Sparrow", "House Sparrow", ""},
                                             {"2.Gadwall", "Gadwall", ""}};
  const std::vector<std::vector<Override>> lists = {parse_overrides("Gadwal\tduck%1:05:00::\tr\n", "f.tsv")};
  EXPECT_THAT([&] { match_overrides(classes, lists); },
              ThrowsMessage<Error>(AllOf(HasSubstr("f.tsv:1"), HasSubstr("did you mean 'Gadwall'"))));
}

TEST(Overrides, ThatShipMayNameMoreClassesThanAPartOfTheDataSetHas) {
  const std::vector<DatasetClass> some = {{"085.Horned_Lark", "Horned Lark", ""}, {"1.Pigeon", "Pigeon", ""}};
  const std::vector<std::vector<Override>> lists = {built_in_overrides("cub200")};
  const auto matched = match_overrides(some, lists);
  EXPECT_EQ(matched[0]->sense, "lark%1:05:01::");
  EXPECT_FALSE(matched[1]);
}

TEST(Overrides, MatchByNamePublishedNameOrCategoryAndLaterListsWin) {
  const std::vector<DatasetClass> classes = {{"1.House_Sparrow", "House Sparrow", ""},
                                             {"17", "bicycle 17", "bicycle"},
                                             {"18", "bicycle 18", "bicycle"}};
  const std::vector<std::vector<Override>> lists = {
      parse_overrides("1.House_Sparrow\ta%\tfirst\nbicycle\tb%\tall\n", "one"),
      parse_overrides("House Sparrow\tc%\tsecond\n18\td%\tone of them\n", "two")};
  const auto matched = match_overrides(classes, lists);
  EXPECT_EQ(matched[0]->reason, "second");
  EXPECT_EQ(matched[1]->reason, "all");
  EXPECT_EQ(matched[2]->reason, "one of them");
}

TEST(Overrides, AreSavedInPlaceAndLeaveTheRestOfTheFileAlone) {
  test::TemporaryFolder folder;
  const auto file = folder.write("o.tsv", "# mine\nA\ta%1:05:00::\tr\n\n# more\nB\tb%1:05:00::\tr\n");
  save_override(file, {"A", "c%1:05:00::", {"x", "y"}, "a\tbetter\nreason", ""});
  save_override(file, {"C", "d%1:05:00::", {}, "new", ""});
  EXPECT_EQ(
      test::read_all(file),
      "# mine\nA\tc%1:05:00:: / x / y\ta better reason\n\n# more\nB\tb%1:05:00::\tr\nC\td%1:05:00::\tnew\n");
  save_override(folder / "fresh/o.tsv", {"A", "a%1:05:00::", {}, "r", ""});
  EXPECT_EQ(read_overrides(folder / "fresh/o.tsv").size(), 1U);
}

TEST(Overrides, ThatShipNameOnlySensesThatWordNetHasAndGiveAReason) {
  for (const auto* dataset : {"cub200", "cars196", "sop"}) {
    const auto entries = built_in_overrides(dataset);
    EXPECT_GE(entries.size(), 12U) << dataset;
    for (const auto& entry : entries) {
      EXPECT_TRUE(real_wordnet().find_sense_key(entry.sense)) << entry.source << ' ' << entry.sense;
      for (const auto& part : entry.below) {
        EXPECT_TRUE(!is_sense_key(part) || real_wordnet().find_sense_key(part))
            << entry.source << ' ' << part;
      }
      EXPECT_GT(entry.reason.size(), 5U) << entry.source;
    }
  }
  EXPECT_THAT(built_in_overrides("imagenet"), IsEmpty());
}

}  // namespace
}  // namespace procsim::taxonomy
