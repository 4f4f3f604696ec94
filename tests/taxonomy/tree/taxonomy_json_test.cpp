#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "data/base/digest.hpp"
#include "data/base/error.hpp"
#include "taxonomy/tree/taxonomy.hpp"
#include "tests/taxonomy/sample_trees.hpp"

namespace procsim::taxonomy {
namespace {

using test::birds;
using test::make_parts;
using testing::HasSubstr;
using testing::Not;

std::string error_of(std::string_view text) {
  try {
    Taxonomy::from_json(text, "tree.json");
  } catch (const Error& error) {
    return error.what();
  }
  return "no error";
}

std::string replaced(std::string text, std::string_view from, std::string_view to) {
  const auto at = text.find(from);
  EXPECT_NE(at, std::string::npos) << from;
  return text.replace(at, from.size(), to);
}

// What the format looks like, written by hand: docs/formats.md.
constexpr std::string_view kSmall = R"({
"format": "taxonomy",
"version": 1,
"dataset": "two",
"nodes": [
{"id":"bird","name":"bird","gloss":"it flies","sense_key":"bird%1:05:00::","parent":null},
{"id":"duck","name":"duck","gloss":"","sense_key":"","parent":"bird","other_parents":["food"]},
{"id":"food","name":"food","gloss":"","sense_key":"","parent":"bird"}
],
"classes": [
{"label":0,"name":"Wood Duck","published":"Wood_Duck","node":"duck","how":"suffix","matched":"duck","reason":""},
{"label":1,"name":"Eider \"étrange\"","published":"Eider","node":"duck","how":"override","matched":"","reason":"a sea duck"}
]
}
)";

TEST(TaxonomyJson, WritesExactlyTheDocumentedBytes) {
  const auto taxonomy = Taxonomy::from_json(kSmall, "tree.json");
  EXPECT_EQ(taxonomy.to_json(), kSmall);
  EXPECT_EQ(taxonomy.digest(), sha256_hex(kSmall));
}

TEST(TaxonomyJson, ReadsWhatItWrote) {
  const auto taxonomy = Taxonomy::from_json(birds().to_json(), "tree.json");
  EXPECT_EQ(taxonomy.to_json(), birds().to_json());
  EXPECT_EQ(taxonomy.dataset(), "birds");
  EXPECT_EQ(taxonomy.class_at(2).name, "Crested Auklet");
  EXPECT_EQ(taxonomy.parents(*taxonomy.find_node("auk")).size(), 2u);
}

TEST(TaxonomyJson, KeepsStrangeNames) {
  const std::string strange = "</script>\n\t\"\\\x01 日本 🦆";
  const Taxonomy taxonomy(
      make_parts({{strange, "top"}}, {{strange, strange}, {std::string("a\0b", 3), "top"}}));
  const auto again = Taxonomy::from_json(taxonomy.to_json(), "tree.json");
  EXPECT_EQ(again.class_at(0).name, strange);
  EXPECT_EQ(again.class_at(1).name.size(), 3u);
}

TEST(TaxonomyJson, SaysWhichFormatAndVersionItFound) {
  EXPECT_EQ(error_of(replaced(std::string(kSmall), "\"version\": 1", "\"version\": 3")),
            "tree.json is version 3, this program reads up to 1. Use a newer program.");
  EXPECT_EQ(error_of(replaced(std::string(kSmall), "\"taxonomy\"", "\"labelset\"")),
            "tree.json is a file of format \"labelset\", expected \"taxonomy\"");
  EXPECT_THAT(error_of(replaced(std::string(kSmall), "\"version\": 1", "\"version\": 0")),
              HasSubstr("version 0"));
  EXPECT_THAT(error_of(replaced(std::string(kSmall), "\"version\": 1", "\"version\": \"1\"")),
              HasSubstr("must be a whole number"));
  EXPECT_THAT(error_of(replaced(std::string(kSmall), "\"version\": 1", "\"version\": 1.5")),
              HasSubstr("must be a whole number"));
  EXPECT_THAT(error_of(replaced(std::string(kSmall), "\"version\": 1", "\"version\": 18446744073709551615")),
              HasSubstr("must be a whole number"));
  EXPECT_THAT(error_of("{}"), HasSubstr("tree.json has no \"format\""));
}

TEST(TaxonomyJson, ChecksEveryReference) {
  const std::string small(kSmall);
  EXPECT_THAT(error_of(replaced(small, "\"parent\":\"bird\"", "\"parent\":\"brid\"")),
              HasSubstr("node 1 names the parent 'brid'"));
  EXPECT_THAT(error_of(replaced(small, "[\"food\"]", "[\"foot\"]")),
              HasSubstr("node 1 names the parent 'foot'"));
  EXPECT_THAT(error_of(replaced(small, "[\"food\"]", "[1]")), HasSubstr("must hold text"));
  EXPECT_THAT(error_of(replaced(small, "\"node\":\"duck\"", "\"node\":\"goose\"")), HasSubstr("'goose'"));
  EXPECT_THAT(error_of(replaced(small, "\"id\":\"food\"", "\"id\":\"duck\"")),
              HasSubstr("'duck' occurs twice"));
  EXPECT_THAT(error_of(replaced(small, "\"label\":1", "\"label\":0")), HasSubstr("class 1 has label 0"));
  EXPECT_THAT(error_of(replaced(small, "\"label\":1", "\"label\":1e99")), HasSubstr("whole number"));
  EXPECT_THAT(error_of(replaced(small, "\"suffix\"", "\"sufix\"")), HasSubstr("did you mean 'suffix'?"));
  EXPECT_THAT(error_of(replaced(small, "\"parent\":null", "\"parent\":\"duck\"")), HasSubstr("cycle"));
  EXPECT_THAT(error_of(replaced(small, "\"parent\":\"bird\"}", "\"parent\":null}")), HasSubstr("two roots"));
}

TEST(TaxonomyJson, SurvivesHostileText) {
  EXPECT_THAT(error_of(""), HasSubstr("not valid JSON (line 1, column 1)"));
  EXPECT_THAT(error_of("{\n\"format\": }"), HasSubstr("line 2, column 11"));
  EXPECT_THAT(error_of("[]"), HasSubstr("must be an object, not array"));
  EXPECT_THAT(error_of("null"), HasSubstr("must be an object, not null"));
  EXPECT_THAT(error_of(std::string(1'000'000, '[')), HasSubstr("nested too deeply"));
  EXPECT_THAT(error_of("{\"format\": 1e400}"), HasSubstr("out of range"));
  EXPECT_THAT(error_of("{\"format\": \"\xff\"}"), HasSubstr("not valid JSON"));
  EXPECT_THAT(
      error_of("{\"format\":\"taxonomy\",\"version\":1,\"dataset\":\"x\",\"nodes\":{},\"classes\":[]}"),
      HasSubstr("\"nodes\" of tree.json must be a list, not object"));
  EXPECT_THAT(
      error_of("{\"format\":\"taxonomy\",\"version\":1,\"dataset\":\"x\",\"nodes\":[],\"classes\":[]}"),
      HasSubstr("no nodes"));
}

// Cut anywhere, or with any byte changed, the file is either refused with one line or still a taxonomy.
TEST(TaxonomyJson, NeverCrashesOnADamagedFile) {
  const std::string small(kSmall);
  for (std::size_t length = 0; length + 2 < small.size(); ++length) {
    EXPECT_THAT(error_of(small.substr(0, length)), HasSubstr("tree.json")) << length;
  }
  for (std::size_t i = 0; i < small.size(); ++i) {
    for (const char c : {'0', '"', '}', '[', '\xff', '\0', 'a'}) {
      auto damaged = small;
      damaged[i] = c;
      EXPECT_THAT(error_of(damaged), Not(HasSubstr("\n")));
    }
  }
}

}  // namespace
}  // namespace procsim::taxonomy
