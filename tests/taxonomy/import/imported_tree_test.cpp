#include "taxonomy/import/imported_tree.hpp"

#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "data/base/error.hpp"
#include "data/base/keyed_random.hpp"
#include "taxonomy/export/tree_export.hpp"
#include "taxonomy/export/tree_text.hpp"
#include "taxonomy/tree/display_tree.hpp"
#include "tests/support/test_files.hpp"
#include "tests/taxonomy/sample_trees.hpp"

namespace procsim::taxonomy {
namespace {

using test::TemporaryFolder;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using namespace std::string_view_literals;

Taxonomy adopt(ImportedTree tree, const std::vector<WantedClass>& wanted = {},
               Missing missing = Missing::kRefuse) {
  std::vector<std::string> notes;
  return adopt_tree(std::move(tree), "pets", wanted, missing, notes);
}

std::string drawn(const Taxonomy& taxonomy) {
  return tree_text(taxonomy, display_tree(taxonomy, Chains::kCollapse));
}

template <typename Run>
std::string error_of(Run run) {
  try {
    run();
  } catch (const Error& error) {
    return error.what();
  }
  return "no error";
}

std::vector<std::string> class_names(const Taxonomy& taxonomy) {
  std::vector<std::string> names;
  for (const auto& c : taxonomy.classes()) names.push_back(c.name);
  return names;
}

TEST(ImportedTree, ReadsParentChildCsvInAnyOrder) {
  const TemporaryFolder folder;
  const auto file = folder.write("tree.csv",
                                 "child,parent,name\n"
                                 "c1,f,cat\n"
                                 "f,a,feline\n"
                                 "d,a,dog\n"
                                 "a,,animal\n"
                                 "c2,f,\"lion\"\n");
  const auto taxonomy = adopt(read_csv_tree(file));
  EXPECT_EQ(tree_text(taxonomy, display_tree(taxonomy, Chains::kCollapse)),
            "animal (3 classes)\n├── feline (2 classes)\n│   ├── cat\n│   └── lion\n└── dog\n");
  EXPECT_THAT(class_names(taxonomy), ElementsAre("cat", "dog", "lion")) << "labels follow the file";
  EXPECT_EQ(taxonomy.class_at(0).published, "c1");
  EXPECT_EQ(taxonomy.node_count(), 2u) << "leaves became classes, not nodes";
}

TEST(ImportedTree, ReadsNestedJson) {
  const auto taxonomy = adopt(read_json_tree(
      R"({"name":"animal","children":["dog",{"name":"feline","children":[{"name":"cat"},{"name":"lion","children":[]}]}]})",
      "t.json"));
  EXPECT_THAT(class_names(taxonomy), ElementsAre("dog", "cat", "lion"));
  EXPECT_EQ(drawn(taxonomy),
            "animal (3 classes)\n├── feline (2 classes)\n│   ├── cat\n│   └── lion\n└── dog\n");
  EXPECT_EQ(taxonomy.class_at(1).node, "pets:feline");
  EXPECT_EQ(taxonomy.node(taxonomy.root()).id, "pets:animal");
}

TEST(ImportedTree, ReadsNewick) {
  const auto taxonomy =
      adopt(read_newick_tree("[a comment] (dog:1.5,( 'cat' :2, big_lion:1e-3)'fe''line')animal;\n", "t.nwk"));
  EXPECT_THAT(class_names(taxonomy), ElementsAre("dog", "cat", "big lion"));
  EXPECT_EQ(taxonomy.class_at(1).node, "pets:fe'line");
}

TEST(ImportedTree, ReadsNewickWithoutInnerNames) {
  const auto taxonomy = adopt(read_newick_tree("((a,b),(c,d));", "t.nwk"));
  EXPECT_EQ(taxonomy.class_count(), 4);
  EXPECT_EQ(taxonomy.node_count(), 3u);
  EXPECT_EQ(taxonomy.class_at(0).node, taxonomy.class_at(1).node);
  EXPECT_NE(taxonomy.class_at(0).node, taxonomy.class_at(2).node);
}

TEST(ImportedTree, ReadsWhatNewickExportWrote) {
  const auto before = test::birds();
  const auto text = newick(before, display_tree(before, Chains::kCollapse));
  const auto after = adopt(read_newick_tree(text, "t.nwk"));
  EXPECT_EQ(after.class_count(), before.class_count());
  for (const auto& c : before.classes()) {
    const auto label = after.find_class(c.name);
    EXPECT_EQ(after.class_at(label).node == "pets:gull", c.node == "gull") << c.name;
  }
}

TEST(ImportedTree, ReadsWhatJsonExportWrote) {
  const auto before = test::birds();
  const auto after =
      adopt(read_json_tree(nested_json(before, display_tree(before, Chains::kCollapse)), "t.json"));
  EXPECT_THAT(class_names(after), ElementsAre("Fox Sparrow", "House Sparrow", "Purple Finch",
                                              "Crested Auklet", "Heermann Gull", "Ivory Gull"));
  EXPECT_EQ(after.class_at(0).node, "sparrow") << "node ids are kept";
  EXPECT_EQ(after.class_at(3).node, "seabird") << "auk and auklet were collapsed on export";
}

TEST(ImportedTree, ReadsObo) {
  const auto taxonomy = adopt(
      read_obo_tree("format-version: 1.2\n\n[Term]\nid: T:1\nname: animal\n\n[Term]\nid: T:2\nname: feline\n"
                    "def: \"a \\\"cat\\\" of any kind\" [me]\nis_a: T:1 ! animal\n\n[Term]\nid: T:3\nname: "
                    "cat\nis_a: T:2\n\n"
                    "[Term]\nid: T:9\nname: gone\nis_obsolete: true\n\n[Typedef]\nid: part_of\n\n[Term]\nid: "
                    "T:4\nname: lion\nis_a: T:2\n",
                    "t.obo"));
  EXPECT_THAT(class_names(taxonomy), ElementsAre("cat", "lion"));
  EXPECT_EQ(taxonomy.node(*taxonomy.find_node("T:2")).gloss, "a \"cat\" of any kind");
}

TEST(ImportedTree, OboQualifiersAndCommentsAreNoPartOfAnId) {
  const auto taxonomy =
      adopt(read_obo_tree("[Term]\nid: T:1 {source=\"a\"} ! first\nname: animal {x=\"1\"}\n\n"
                          "[Term]\nid: T:2\nname: gull {grey}\nis_a: T:1 {source=\"x! {y}\"} ! animal\n\n"
                          "[Term]\nid: T:3\nname: owl\nis_a: T:1 {a=\"b\", c=\"d\"}\n\n"
                          "[Term]\nid: T:4\nname: gone\nis_a: T:1\nis_obsolete: true {since=\"2020\"}\n",
                          "t.obo"));
  EXPECT_THAT(class_names(taxonomy), ElementsAre("gull {grey}", "owl"));
  EXPECT_EQ(taxonomy.node_count(), 1U) << "the leaves are classes";
  EXPECT_EQ(taxonomy.node(*taxonomy.find_node("T:1")).name, "animal");
}

TEST(ImportedTree, PutsOneRootAboveSeveral) {
  std::vector<std::string> notes;
  const auto taxonomy = adopt_tree(read_newick_tree("(a,b)x;", "t"), "pets", {}, Missing::kRefuse, notes);
  EXPECT_THAT(notes, IsEmpty());
  const TemporaryFolder folder;
  const auto file = folder.write("tree.csv", "child,parent\na,x\nb,y\n");
  const auto forest = adopt_tree(read_csv_tree(file), "pets", {}, Missing::kRefuse, notes);
  EXPECT_EQ(forest.display_name(forest.root()), "pets");
  EXPECT_THAT(notes, ElementsAre(HasSubstr("2 nodes have no parent")));
}

TEST(ImportedTree, KeepsSecondParentsInTheGraph) {
  const TemporaryFolder folder;
  const auto file = folder.write("tree.csv", "child,parent\nm,x\nm,y\nx,top\ny,top\na,m\nb,x\nc,x\nc,y\n");
  const auto taxonomy = adopt(read_csv_tree(file));
  EXPECT_EQ(taxonomy.parents(*taxonomy.find_node("m")).size(), 2u);
  EXPECT_EQ(taxonomy.class_at(taxonomy.find_class("a")).node, "m");
  EXPECT_EQ(taxonomy.class_at(taxonomy.find_class("c")).node, "c")
      << "a class has one parent, so its node stays";
  EXPECT_EQ(taxonomy.parents(*taxonomy.find_node("c")).size(), 2u);
}

TEST(ImportedTree, FindsTheClassesOfADataSetByName) {
  const auto tree =
      read_newick_tree("((Black-footed_Albatross,'laysan albatross',other)albatross,gull)bird;", "t");
  const auto taxonomy = adopt(tree, {{"Gull", "002.Gull"},
                                     {"Laysan Albatross", "003.Laysan_Albatross"},
                                     {"Black footed Albatross", "001.Black_footed_Albatross"},
                                     {"Albatross", "004.Albatross"}});
  EXPECT_THAT(class_names(taxonomy),
              ElementsAre("Gull", "Laysan Albatross", "Black footed Albatross", "Albatross"))
      << "the data set's order";
  EXPECT_EQ(taxonomy.class_at(0).node, "pets:bird");
  EXPECT_EQ(taxonomy.class_at(1).node, "pets:albatross");
  EXPECT_EQ(taxonomy.class_at(3).node, "pets:albatross") << "a class may be an inner node of the tree";
  EXPECT_TRUE(taxonomy.find_node("pets:other")) << "a leaf that is no class stays as a node";
}

TEST(ImportedTree, RefusesOrHangsClassesThatTheTreeLacks) {
  const auto tree = read_newick_tree("(cat,dog)animal;", "t");
  const std::vector<WantedClass> wanted{{"cat", "cat"}, {"dgo", "dgo"}};
  EXPECT_THAT(error_of([&] { adopt(tree, wanted); }),
              HasSubstr("1 of 2 classes are not in the tree: 'dgo'; did you mean 'dog'?"));
  const auto taxonomy = adopt(tree, wanted, Missing::kHangFromRoot);
  EXPECT_EQ(taxonomy.class_at(1).how, Resolution::kUnresolved);
  EXPECT_EQ(taxonomy.class_at(1).node, "pets:animal");
}

TEST(ImportedTree, RefusesAmbiguousNames) {
  const auto tree = read_newick_tree("((crane,a)bird,(crane,b)machine)thing;", "t");
  EXPECT_THAT(error_of([&] { adopt(tree, {{"crane", "crane"}}); }), HasSubstr("fits several nodes"));
  EXPECT_EQ(adopt(tree).class_count(), 4) << "as leaves they are simply two classes";
}

TEST(ImportedTree, AdoptsATaxonomyFileForADataSet) {
  std::vector<std::string> notes;
  EXPECT_TRUE(is_taxonomy_file(test::birds().to_json()));
  EXPECT_FALSE(is_taxonomy_file("{\"name\": \"x\"}"));
  const std::vector<WantedClass> wanted{{"House Sparrow", "118.House_Sparrow"}, {"Raptor", "raptor"}};
  const auto taxonomy = adopt_taxonomy(test::birds().parts(), wanted, Missing::kRefuse, notes);
  EXPECT_THAT(class_names(taxonomy), ElementsAre("House Sparrow", "Raptor"));
  EXPECT_EQ(taxonomy.class_at(0).node, "sparrow");
  EXPECT_EQ(taxonomy.class_at(1).node, "raptor");
}

TEST(ImportedTree, SaysWhereAFileIsWrong) {
  const TemporaryFolder folder;
  EXPECT_THAT(error_of([&] { read_csv_tree(folder.write("a.csv", "x,y\n1,2\n")); }),
              HasSubstr("called path or category; found: x, y"));
  EXPECT_THAT(error_of([&] { read_csv_tree(folder.write("b.csv", "child,parent\n,a\n")); }),
              HasSubstr("line 2: the child is empty"));
  EXPECT_THAT(error_of([&] { adopt(read_csv_tree(folder.write("c.csv", "child,parent\n"))); }),
              HasSubstr("no nodes"));
  EXPECT_THAT(error_of([&] { adopt(read_csv_tree(folder.write("d.csv", "child,parent\na,b\nb,c\nc,a\n"))); }),
              HasSubstr("cycle"));
  const auto newick_error = [](std::string_view text) {
    return error_of([&] { read_newick_tree(text, "t.nwk"); });
  };
  EXPECT_THAT(newick_error("(a,\n(b c));"), HasSubstr("t.nwk, line 2, column 4: a second name"));
  EXPECT_THAT(newick_error("(a,b"), HasSubstr("without ';'"));
  EXPECT_THAT(newick_error("a,b;"), HasSubstr("',' outside"));
  EXPECT_THAT(newick_error("a);"), HasSubstr("')' without '('"));
  EXPECT_THAT(newick_error("((a);"), HasSubstr("never closed"));
  EXPECT_THAT(newick_error("('a);"), HasSubstr("a quote is never closed"));
  EXPECT_THAT(newick_error("(a)[x;"), HasSubstr("comment"));
  EXPECT_THAT(newick_error("(a);(b);"), HasSubstr("one tree a file"));
  EXPECT_THAT(newick_error(""), HasSubstr("empty"));
  const auto json_error = [](std::string_view text) {
    return error_of([&] { read_json_tree(text, "t.json"); });
  };
  EXPECT_THAT(json_error("{\"name\":\n}"), HasSubstr("line 2"));
  EXPECT_THAT(json_error("3"), HasSubstr("not number"));
  EXPECT_THAT(json_error("{}"), HasSubstr("neither"));
  EXPECT_THAT(json_error("{\"name\":{}}"), HasSubstr("must be text"));
  EXPECT_THAT(json_error("{\"name\":\"a\",\"children\":{}}"), HasSubstr("must be a list"));
  EXPECT_THAT(json_error(std::string(100'000, '[')), HasSubstr("levels deep"));
  EXPECT_THAT(error_of([] { read_obo_tree("hello\n", "t.obo"); }), HasSubstr("no [Term]"));
  EXPECT_THAT(error_of([] { tree_format_of("tree.txt"); }), HasSubstr("--format"));
  EXPECT_THAT(error_of([] { tree_format_from_string("newik"); }), HasSubstr("did you mean 'newick'"));
}

TEST(ImportedTree, ReadsAVeryDeepNewickTree) {
  const std::string text = std::string(50'000, '(') + "a" + std::string(50'000, ')') + ";";
  EXPECT_EQ(adopt(read_newick_tree(text, "t")).node_count(), 50'000u);
}

// Bytes changed, removed or doubled at random: each file is refused in one line, or makes a taxonomy that can
// be drawn.
TEST(ImportedTree, SurvivesDamagedFiles) {
  const std::string newick_text = "[c] (dog:1.5,('cat':2,big_lion)'fe''line',(a,b)x)animal;\n";
  const std::string json_text =
      R"({"name":"animal","id":"a","children":["dog",{"name":"feline","gloss":"g","children":[{"name":"cat"}]}]})";
  const std::string obo_text =
      "[Term]\nid: T:1\nname: animal\n\n[Term]\nid: T:2\ndef: \"x\\\"\" [y]\nis_a: T:1 ! animal\n[Term]\nid: "
      "T:3\nis_a: T:2\n";
  const std::string csv_text = "child,parent,name\nc,f,\"cat \"\"x\"\"\"\nf,a,feline\na,,animal\nd,a,dog\n";
  const TemporaryFolder folder;
  const auto damaged = [](std::string text, Draws& draws) {
    for (auto times = 1 + draws.below(4); times > 0 && !text.empty(); --times) {
      const auto at = static_cast<std::size_t>(draws.below(text.size()));
      constexpr auto kLetters =
          "()[]{}:;,'\"\\\n\t\0\xff\x80"
          "aT "sv;
      switch (draws.below(4)) {
        case 0:
          text[at] = kLetters[draws.below(kLetters.size())];
          break;
        case 1:
          text.erase(at, 1 + draws.below(5));
          break;
        case 2:
          text.insert(at, text.substr(at, draws.below(30)));
          break;
        default:
          text.resize(at);
          break;
      }
    }
    return text;
  };
  const auto survives = [&](auto read) {
    try {
      std::vector<std::string> notes;
      const auto taxonomy = adopt_tree(read(), "pets", {}, Missing::kRefuse, notes);
      drawn(taxonomy);
      Taxonomy::from_json(taxonomy.to_json(), "again");
    } catch (const Error& error) {
      EXPECT_EQ(std::string(error.what()).find('\n'), std::string::npos) << error.what();
    }
  };
  for (std::int64_t round = 0; round < 3000; ++round) {
    auto draws = KeyedRandom(7, "damaged-trees").for_id(round);
    survives([&] { return read_newick_tree(damaged(newick_text, draws), "t.nwk"); });
    survives([&] { return read_json_tree(damaged(json_text, draws), "t.json"); });
    survives([&] { return read_obo_tree(damaged(obo_text, draws), "t.obo"); });
    if (round % 10 == 0)
      survives([&] { return read_csv_tree(folder.write("t.csv", damaged(csv_text, draws))); });
  }
}

TEST(ComparableName, ForgivesCaseGapsAndNumbers) {
  EXPECT_EQ(comparable_name("001.Black_footed_Albatross"), "black footed albatross");
  EXPECT_EQ(comparable_name("black-footed  albatross "), "black footed albatross");
  EXPECT_EQ(comparable_name("2012 Audi"), "2012 audi");
  EXPECT_EQ(comparable_name(""), "");
}

}  // namespace
}  // namespace procsim::taxonomy
