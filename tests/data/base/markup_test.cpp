#include "data/base/markup.hpp"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

namespace procsim {
namespace {

TEST(Markup, TextStaysTextBetweenTagsAndInAttributes) {
  EXPECT_EQ(markup_text("<a href='x'>\"&\""), "&lt;a href=&#39;x&#39;&gt;&quot;&amp;&quot;");
  EXPECT_EQ(markup_text("a\tb\nc\x01"), "a&#9;b&#10;c\xEF\xBF\xBD");
}

TEST(Markup, NothingInScriptJsonEndsTheElement) {
  const nlohmann::ordered_json document{{"name", "</script><!-- & ö"}};
  const auto text = script_json(document);
  EXPECT_EQ(text, R"({"name":"\u003c/script\u003e\u003c!-- \u0026 \u00f6"})");
  EXPECT_EQ(nlohmann::ordered_json::parse(text), document);
}

TEST(Markup, AMarkIsReplacedOnceAndItsTextIsNotReadAgain) {
  std::string page = "<b>@a@</b>@a@";
  replace_mark(page, "@a@", "@a@ and $1");
  EXPECT_EQ(page, "<b>@a@ and $1</b>@a@");
  replace_mark(page, "@none@", "x");
  EXPECT_EQ(page, "<b>@a@ and $1</b>@a@");
}

}  // namespace
}  // namespace procsim
