#include "taxonomy/export/tree_export.hpp"

#include <algorithm>
#include <set>
#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "taxonomy/export/tree_page.hpp"
#include "taxonomy/export/tree_text.hpp"
#include "taxonomy/tree/display_tree.hpp"
#include "tests/taxonomy/sample_trees.hpp"

namespace procsim::taxonomy {
namespace {

using nlohmann::json;
using test::birds;
using test::make_parts;
using testing::HasSubstr;
using testing::Not;

ClassTree collapsed(const Taxonomy& taxonomy) { return display_tree(taxonomy, Chains::kCollapse); }

TEST(TreeText, DrawsBranchesAndCounts) {
  const auto taxonomy = birds();
  EXPECT_EQ(tree_text(taxonomy, collapsed(taxonomy)),
            "bird (6 classes)\n"
            "├── finch (3 classes)\n"
            "│   ├── sparrow (2 classes)\n"
            "│   │   ├── Fox Sparrow\n"
            "│   │   └── House Sparrow\n"
            "│   └── Purple Finch\n"
            "└── seabird (3 classes)\n"
            "    ├── Crested Auklet\n"
            "    └── gull (2 classes)\n"
            "        ├── Heermann Gull\n"
            "        └── Ivory Gull\n");
}

TEST(TreeText, FoldsBelowADepthAndBesideAPath) {
  const auto taxonomy = birds();
  TreeTextOptions shallow;
  shallow.depth = 1;
  EXPECT_EQ(tree_text(taxonomy, collapsed(taxonomy), shallow),
            "bird (6 classes)\n├── finch (3 classes) …\n└── seabird (3 classes) …\n");
  TreeTextOptions path;
  path.path_to = 3;
  EXPECT_EQ(tree_text(taxonomy, collapsed(taxonomy), path),
            "bird (6 classes)\n"
            "├── finch (3 classes)\n"
            "│   ├── sparrow (2 classes) …\n"
            "│   └── Purple Finch  ◀\n"
            "└── seabird (3 classes) …\n");
}

TEST(TreeText, KeepsChainsWhenAsked) {
  const auto taxonomy = birds();
  const auto text = tree_text(taxonomy, display_tree(taxonomy, Chains::kKeep));
  EXPECT_THAT(
      text,
      HasSubstr("    ├── auk (1 class)\n    │   └── auklet (1 class)\n    │       └── Crested Auklet\n"));
  EXPECT_THAT(text, Not(HasSubstr("raptor"))) << "a branch without classes is not shown";
}

TEST(TreeText, KeepsOneLinePerNode) {
  const Taxonomy taxonomy(make_parts({}, {{"two\nlines", "top"}, {"b", "top"}}));
  EXPECT_THAT(tree_text(taxonomy, collapsed(taxonomy)), HasSubstr("├── two\\nlines\n"));
}

TEST(Newick, QuotesNamesAndCountsEdgesOfTheFullTree) {
  const auto taxonomy = birds();
  EXPECT_EQ(newick(taxonomy, collapsed(taxonomy)),
            "((('Fox Sparrow':1,'House Sparrow':1)sparrow:1,'Purple Finch':1)finch:1,"
            "('Crested Auklet':3,('Heermann Gull':1,'Ivory Gull':1)gull:1)seabird:1)bird;\n");
  const Taxonomy odd(
      make_parts({}, {{"it's", "top"}, {"a(b):c,d", "top"}, {"under_score", "top"}, {"", "top"}}));
  EXPECT_EQ(newick(odd, collapsed(odd)), "('it''s':1,'a(b):c,d':1,'under_score':1,'':1)top;\n");
}

TEST(NestedJson, IsAnObjectWithChildren) {
  const Taxonomy taxonomy(make_parts({{"a\"b", "top"}}, {{"x\\y\n", "a\"b"}, {"z", "a\"b"}, {"w", "top"}}));
  const auto tree = json::parse(nested_json(taxonomy, collapsed(taxonomy)));
  EXPECT_EQ(tree.at("name"), "top");
  EXPECT_EQ(tree.at("children").at(0).at("id"), "a\"b");
  EXPECT_EQ(tree.at("children").at(0).at("children").at(0).at("name"), "x\\y\n");
  EXPECT_EQ(tree.at("children").at(1).at("label"), 2);
}

Taxonomy deep_tree() {
  TaxonomyParts parts;
  for (int i = 0; i < 20'000; ++i) {
    parts.nodes.push_back({std::to_string(100'000 + i), "", "", ""});
    parts.tree_parent.push_back(i == 0 ? std::nullopt : std::optional<NodeIndex>(i - 1));
    if (i > 0) parts.edges.push_back({static_cast<NodeIndex>(i), static_cast<NodeIndex>(i - 1)});
  }
  parts.classes.push_back({"deep", "deep", parts.nodes.back().id, Resolution::kImported, "", ""});
  return Taxonomy(std::move(parts));
}

// Whose text would have 2·10⁸ characters of indentation.
TEST(TreeText, FoldsWhatIsDeeperThanAnybodyReads) {
  const auto taxonomy = deep_tree();
  TreeTextOptions deepest;
  deepest.depth = 10'000;
  for (const auto& options : {TreeTextOptions{}, deepest}) {
    const auto text = tree_text(taxonomy, display_tree(taxonomy, Chains::kKeep), options);
    EXPECT_THAT(text, HasSubstr("└── 100500 (1 class) …\n"));
    EXPECT_EQ(std::ranges::count(text, '\n'), 501);
  }
}

TEST(NestedJson, SurvivesADeepTree) {
  const auto taxonomy = deep_tree();
  const auto tree = display_tree(taxonomy, Chains::kKeep);
  EXPECT_THAT(nested_json(taxonomy, tree), HasSubstr("\"deep\""));
  EXPECT_THAT(newick(taxonomy, tree), HasSubstr("(deep:1)"));
  EXPECT_LT(label_studio_config(taxonomy, tree).size(), 20'000'000U);
  EXPECT_FALSE(html_page(taxonomy, tree).empty());
}

TEST(DotGraph, EscapesAndDashesFurtherParents) {
  const auto taxonomy = birds();
  const auto text = dot_graph(taxonomy, display_tree(taxonomy, Chains::kKeep));
  EXPECT_THAT(text, HasSubstr("label=\"House Sparrow\", shape=box"));
  EXPECT_THAT(text, HasSubstr("[style=dashed, constraint=false]"));
  const Taxonomy odd(make_parts({}, {{"a\"b\\c & d\n", "top"}, {"e", "top"}}));
  EXPECT_THAT(dot_graph(odd, collapsed(odd)), HasSubstr("label=\"a\\\"b\\\\c &amp; d\\\\n\""));
}

TEST(LabelStudioConfig, NestsChoicesAndEscapes) {
  auto parts = make_parts({{"<b>", "top"}}, {{"x & \"y\"", "<b>"}, {"z", "<b>"}, {"w", "top"}});
  parts.classes[1].published = "001.z";
  const Taxonomy taxonomy(std::move(parts));
  EXPECT_EQ(
      label_studio_config(taxonomy, collapsed(taxonomy)),
      "<View>\n"
      "  <Image name=\"image\" value=\"$image\"/>\n"
      "  <Taxonomy name=\"class\" toName=\"image\" leafsOnly=\"true\" maxUsages=\"1\" showFullPath=\"true\" "
      "pathSeparator=\" › \">\n"
      "    <Choice value=\"top\">\n"
      "      <Choice value=\"&lt;b&gt;\">\n"
      "        <Choice value=\"x &amp; &quot;y&quot;\" alias=\"x &amp; &quot;y&quot;\"/>\n"
      "        <Choice value=\"z\" alias=\"001.z\"/>\n"
      "      </Choice>\n"
      "      <Choice value=\"w\" alias=\"w\"/>\n"
      "    </Choice>\n"
      "  </Taxonomy>\n"
      "</View>\n");
}

TEST(DatumaroCategories, HasClassesFirstAndUniqueNamesWithKnownParents) {
  auto parts = make_parts({{"crane", "top"}}, {{"crane", "crane"}, {"crane", "crane"}, {"w", "top"}});
  parts.classes[1].published = "crane (machine)";
  const Taxonomy taxonomy(std::move(parts));
  const auto all = json::parse(datumaro_categories(taxonomy, collapsed(taxonomy)));
  const auto& labels = all.at("categories").at("label").at("labels");
  ASSERT_EQ(labels.size(), 5u);
  EXPECT_EQ(labels[0].at("name"), "crane");
  EXPECT_EQ(labels[1].at("name"), "crane (machine)");
  EXPECT_EQ(labels[2].at("name"), "w");
  std::set<std::string> names;
  for (const auto& label : labels) names.insert(label.at("name").get<std::string>());
  EXPECT_EQ(names.size(), labels.size());
  for (const auto& label : labels) {
    const auto parent = label.at("parent").get<std::string>();
    EXPECT_TRUE(parent.empty() || names.count(parent) > 0) << parent;
  }
  EXPECT_EQ(labels[0].at("parent"), labels[1].at("parent"));
  EXPECT_NE(labels[0].at("parent"), labels[2].at("parent"));
  EXPECT_TRUE(all.at("items").empty());
}

TEST(HtmlPage, KeepsNamesOutOfTheMarkup) {
  const std::string attack = "</script><script>alert('x')</script><!--";
  const Taxonomy taxonomy(make_parts({{attack, "top"}}, {{attack, attack}, {"b", attack}}, attack));
  const auto page = html_page(taxonomy, collapsed(taxonomy));
  EXPECT_THAT(page, Not(HasSubstr("alert('x')</script>")));
  EXPECT_THAT(page, HasSubstr("<title>&lt;/script&gt;"));
  EXPECT_THAT(page, Not(HasSubstr("@data@")));
  EXPECT_THAT(page, Not(HasSubstr("http-equiv=\"refresh\"")));
  // Nothing is loaded: the only addresses are XML name spaces.
  for (auto at = page.find("http"); at != std::string::npos; at = page.find("http", at + 1)) {
    EXPECT_TRUE(page.substr(at).starts_with("http://www.w3.org/") ||
                page.substr(at).starts_with("http-equiv"));
  }
  const auto start = page.find("id=\"data\">") + 10;
  const auto data = json::parse(page.substr(start, page.find("</script>", start) - start));
  EXPECT_EQ(data.at("nodes").at(0).at("n"), attack) << "the text itself is all there";
}

}  // namespace
}  // namespace procsim::taxonomy
