// What taxo does with a class tree that is there: show, query, stats, check, diff, export.
#include <string>
#include <vector>

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "tests/support/run_program.hpp"
#include "tests/support/test_files.hpp"

namespace procsim::test {
namespace {

using nlohmann::json;
using testing::HasSubstr;
using testing::IsEmpty;

constexpr const char* kTree =
    "((House_Sparrow,Fox_Sparrow)sparrow,Purple_Finch,((Ivory_Gull)gull)seabird)bird;\n";

// A workspace with one imported tree.
class TaxoTree : public testing::Test {
 protected:
  void SetUp() override {
    folder_.write("birds.nwk", kTree);
    const auto result = taxo({"import", "birds.nwk", "--dataset", "birds"});
    ASSERT_EQ(result.exit_code, 0) << result.err;
  }

  ProgramResult taxo(const std::vector<std::string>& words) const {
    ProgramOptions options;
    options.folder = folder_.path();
    return run_program("taxo", words, options);
  }

  TemporaryFolder folder_;
};

TEST_F(TaxoTree, ShowDrawsTheNewestTreeAndSaysWhichItPicked) {
  const auto result = taxo({"show"});
  EXPECT_EQ(result.exit_code, 0);
  EXPECT_EQ(result.out,
            "bird (4 classes)\n"
            "├── Ivory Gull\n"  // below seabird, which is collapsed and comes before sparrow
            "├── sparrow (2 classes)\n"
            "│   ├── House Sparrow\n"
            "│   └── Fox Sparrow\n"
            "└── Purple Finch\n");
  EXPECT_EQ(result.err, "taxonomy: birds (taxonomies/birds.json)\n");
  EXPECT_THAT(taxo({"show", "--quiet"}).err, IsEmpty());
}

TEST_F(TaxoTree, ShowFoldsAndFollowsAClass) {
  EXPECT_THAT(taxo({"show", "--depth", "1"}).out, HasSubstr("├── sparrow (2 classes) …\n"));
  EXPECT_THAT(taxo({"show", "--class", "Ivory Gull"}).out, HasSubstr("Ivory Gull  ◀"));
  EXPECT_EQ(taxo({"show", "--class", "sparrow"}).out,
            "sparrow (2 classes)\n├── House Sparrow\n└── Fox Sparrow\n");
  EXPECT_THAT(taxo({"show", "--full"}).out, HasSubstr("└── gull (1 class)"));
  EXPECT_EQ(json::parse(taxo({"show", "--json"}).out).at("name"), "bird");
}

TEST_F(TaxoTree, QueryAnswers) {
  EXPECT_EQ(taxo({"query", "siblings", "House Sparrow"}).out, "Fox Sparrow\n");
  EXPECT_EQ(taxo({"query", "siblings", "Purple Finch"}).out,
            "Ivory Gull\nsparrow (2 classes, birds:sparrow)\n");
  EXPECT_EQ(taxo({"query", "ancestors", "Ivory Gull"}).out,
            "gull (1 class, birds:gull)\nseabird (1 class, birds:seabird)\nbird (4 classes, birds:bird)\n");
  EXPECT_EQ(taxo({"query", "lca", "House Sparrow", "Fox Sparrow"}).out,
            "sparrow (2 classes, birds:sparrow)\n");
  EXPECT_EQ(taxo({"query", "lca", "House Sparrow", "Fox Sparrow", "3"}).out,
            "bird (4 classes, birds:bird)\n");
  EXPECT_EQ(taxo({"query", "distance", "House Sparrow", "Ivory Gull"}).out, "5\n");
  EXPECT_EQ(taxo({"query", "leaves", "sparrow"}).out, "House Sparrow\nFox Sparrow\n");
  // By hand: depths 2 and 3, meeting at the root; the deepest leaf is at 3.
  EXPECT_EQ(taxo({"query", "similarity", "House Sparrow", "Ivory Gull"}).out,
            "path              0.166667\nwu-palmer         0.285714\nleacock-chodorow  0.000000\n");
  const auto values = json::parse(taxo({"query", "similarity", "0", "1", "--json"}).out);
  EXPECT_DOUBLE_EQ(values.at("path").get<double>(), 1.0 / 3);
}

TEST_F(TaxoTree, UnknownNamesSuggestTheNearest) {
  const auto result = taxo({"query", "siblings", "House Sparow"});
  EXPECT_EQ(result.exit_code, 1);
  EXPECT_THAT(result.err, HasSubstr("did you mean 'House Sparrow'?"));
  EXPECT_THAT(taxo({"query", "leaves", "sparow"}).err, HasSubstr("did you mean 'sparrow'?"));
  EXPECT_EQ(taxo({"query", "distance", "House Sparrow"}).exit_code, 2);
  EXPECT_EQ(taxo({"query", "similarity", "0", "1", "--measure", "wupalmer"}).exit_code, 2);
}

TEST_F(TaxoTree, StatsCount) {
  const auto stats = json::parse(taxo({"stats", "--json"}).out);
  EXPECT_EQ(stats.at("classes"), 4);
  EXPECT_EQ(stats.at("nodes"), 4);
  EXPECT_EQ(stats.at("groups"), 2);
  EXPECT_THAT(taxo({"stats"}).out, HasSubstr("resolved by imported"));
}

TEST_F(TaxoTree, CheckWarnsButSucceedsOnASoundTree) {
  const auto result = taxo({"check"});
  EXPECT_EQ(result.exit_code, 0);
  EXPECT_THAT(result.out, HasSubstr("warning single-class-family: 2 classes are each the only one"));
  EXPECT_THAT(result.out, HasSubstr("0 defects"));
  EXPECT_EQ(taxo({"check", "--strict"}).exit_code, 1);
}

TEST_F(TaxoTree, CheckFindsDefectsInAFile) {
  folder_.write("cycle.json",
                R"({"format":"taxonomy","version":1,"dataset":"x","nodes":[
      {"id":"top","name":"","gloss":"","sense_key":"","parent":null},
      {"id":"a","name":"","gloss":"","sense_key":"","parent":"b"},
      {"id":"b","name":"","gloss":"","sense_key":"","parent":"a"}],"classes":[]})");
  const auto result = taxo({"check", "--taxonomy", "cycle.json", "--json"});
  EXPECT_EQ(result.exit_code, 1);
  const auto report = json::parse(result.out);
  EXPECT_FALSE(report.at("sound").get<bool>());
  EXPECT_EQ(report.at("findings").at(0).at("kind"), "cycle");
  EXPECT_EQ(report.at("findings").at(0).at("subjects"), json({"a", "b"}));
  folder_.write("broken.json", "{");
  EXPECT_THAT(taxo({"check", "--taxonomy", "broken.json"}).out,
              HasSubstr("defect  unreadable: broken.json is not valid JSON"));
  EXPECT_EQ(taxo({"show", "--taxonomy", "cycle.json"}).exit_code, 1);
}

TEST_F(TaxoTree, DiffComparesAFileWithTheWorkspace) {
  folder_.write("other.nwk",
                "((House_Sparrow,Fox_Sparrow,Purple_Finch)sparrow,((Ivory_Gull)gull)seabird)bird;");
  ASSERT_EQ(taxo({"import", "other.nwk", "--dataset", "birds", "-o", "other.json"}).exit_code, 0);
  const auto result = taxo({"diff", "other.json"});
  EXPECT_EQ(result.exit_code, 0);
  EXPECT_EQ(result.out, "~ class Purple Finch moved: birds:sparrow → birds:bird\n");
  EXPECT_EQ(taxo({"diff", "other.json", "other.json"}).out, "no differences\n");
  EXPECT_TRUE(json::parse(taxo({"diff", "other.json", "other.json", "--json"}).out).at("same").get<bool>());
}

TEST_F(TaxoTree, ExportWritesEveryFormat) {
  for (const auto* format :
       {"svg", "html", "dot", "json", "newick", "label-studio", "datumaro", "taxonomy"}) {
    const auto result = taxo({"export", "--format", format});
    EXPECT_EQ(result.exit_code, 0) << format << result.err;
    EXPECT_THAT(result.out, HasSubstr("Ivory Gull")) << format;
    EXPECT_EQ(taxo({"export", "--format", format}).out, result.out) << "the same bytes again: " << format;
  }
  EXPECT_EQ(taxo({"export", "-o", "tree.svg", "--layout", "layered"}).exit_code, 0);
  EXPECT_THAT(read_all(folder_ / "tree.svg"), HasSubstr("</svg>"));
}

TEST_F(TaxoTree, ExportNeverOverwritesUnasked) {
  folder_.write("tree.svg", "mine");
  const auto result = taxo({"export", "-o", "tree.svg"});
  EXPECT_EQ(result.exit_code, 1);
  EXPECT_THAT(result.err, HasSubstr("Use --force"));
  EXPECT_EQ(read_all(folder_ / "tree.svg"), "mine");
  EXPECT_EQ(taxo({"export", "-o", "tree.svg", "--force"}).exit_code, 0);
  EXPECT_THAT(read_all(folder_ / "tree.svg"), HasSubstr("<svg"));
}

TEST_F(TaxoTree, ExportExplainsWrongWords) {
  EXPECT_EQ(taxo({"export"}).exit_code, 2);
  EXPECT_THAT(taxo({"export", "--format", "svgg"}).err, HasSubstr("did you mean 'svg'?"));
  EXPECT_THAT(taxo({"export", "--format", "svg", "--layout", "radail"}).err,
              HasSubstr("did you mean 'radial'?"));
  EXPECT_THAT(taxo({"export", "--format", "parquet"}).err, HasSubstr("-o FILE"));
  EXPECT_EQ(taxo({"export", "--format", "svg", "--full"}).exit_code, 2);
}

// Read by pyarrow, an independent reader.
TEST_F(TaxoTree, ExportWritesTheMatrixForOtherReaders) {
  ASSERT_EQ(taxo({"export", "-o", "d.parquet"}).exit_code, 0);
  ASSERT_EQ(taxo({"export", "-o", "p.parquet", "--pairs", "--measure", "path"}).exit_code, 0);
  folder_.write(
      "read.py",
      "import pyarrow.parquet as pq, json\n"
      "t = pq.read_table('d.parquet'); p = pq.read_table('p.parquet')\n"
      "meta = json.loads(t.schema.metadata[b'procsim'])\n"
      "print(t.column_names, t['Ivory Gull'].to_pylist(), t['class'].to_pylist(), meta['measure'])\n"
      "print(p.num_rows, [round(v, 4) for v in p['path'].to_pylist()], p['label_b'].to_pylist())\n");
  ProgramOptions options;
  options.folder = folder_.path();
  const auto result = run_program(python_program().string(), {"read.py"}, options);
  EXPECT_EQ(result.out,
            "['label', 'class', 'House Sparrow', 'Fox Sparrow', 'Purple Finch', 'Ivory Gull'] [5, 5, 4, 0] "
            "['House Sparrow', 'Fox Sparrow', 'Purple Finch', 'Ivory Gull'] distance\n"
            "6 [0.3333, 0.25, 0.1667, 0.25, 0.1667, 0.2] [1, 2, 3, 2, 3, 3]\n")
      << result.err;
}

TEST_F(TaxoTree, MatrixOfManyClassesNamesTheOtherForm) {
  std::string csv = "child,parent\n";
  for (int i = 0; i < 2001; ++i) csv += fmt::format("c{},top\n", i);
  folder_.write("many.csv", csv);
  ASSERT_EQ(taxo({"import", "many.csv", "--dataset", "many", "-o", "many.json"}).exit_code, 0);
  const auto result = taxo({"export", "--taxonomy", "many.json", "-o", "m.parquet"});
  EXPECT_EQ(result.exit_code, 1);
  EXPECT_THAT(result.err, HasSubstr("Use --pairs"));
  EXPECT_EQ(taxo({"export", "--taxonomy", "many.json", "-o", "m.parquet", "--pairs"}).exit_code, 0);
}

TEST_F(TaxoTree, ImportMakesTheTreeTheNewestOfItsDataSet) {
  EXPECT_THAT(taxo({"import", "birds.nwk", "--dataset", "birds"}).out,
              HasSubstr("birds: 4 classes below 4 nodes, root 'bird'"));
  folder_.write("two.csv", "child,parent\nx,top\ny,top\n");
  EXPECT_EQ(taxo({"import", "two.csv", "--dataset", "letters"}).exit_code, 0);
  EXPECT_THAT(taxo({"show"}).out, HasSubstr("top (2 classes)")) << "the data set put last is the current one";
  EXPECT_THAT(taxo({"show", "--dataset", "birds"}).out, HasSubstr("bird (4 classes)"));
  EXPECT_THAT(taxo({"show", "--dataset", "cars"}).err, HasSubstr("no taxonomy of 'cars'"));
}

TEST_F(TaxoTree, ImportSaysWhatIsWrongWithAFile) {
  folder_.write("bad.nwk", "((a,b);");
  const auto result = taxo({"import", "bad.nwk", "--dataset", "x"});
  EXPECT_EQ(result.exit_code, 1);
  EXPECT_EQ(result.err, "taxo: bad.nwk, line 1, column 7: a '(' is never closed\n");
  folder_.write("cycle.csv", "child,parent\na,b\nb,a\n");
  EXPECT_THAT(taxo({"import", "cycle.csv", "--dataset", "x"}).err, HasSubstr("cycle"));
  EXPECT_THAT(taxo({"import", "none.csv", "--dataset", "x"}).err, HasSubstr("none.csv"));
  EXPECT_THAT(taxo({"import", "tree.txt", "--dataset", "x"}).err, HasSubstr("--format"));
}

TEST(TaxoWithoutWorkspace, SaysHowToMakeOne) {
  const TemporaryFolder folder;
  ProgramOptions options;
  options.folder = folder.path();
  const auto result = run_program("taxo", {"show"}, options);
  EXPECT_EQ(result.exit_code, 1);
  EXPECT_THAT(result.err, HasSubstr("taxo build"));
}

TEST(TaxoHelp, EverySubcommandEndsWithAnExample) {
  const std::vector<std::vector<std::string>> commands{{"import"},
                                                       {"show"},
                                                       {"query"},
                                                       {"query", "siblings"},
                                                       {"query", "ancestors"},
                                                       {"query", "lca"},
                                                       {"query", "distance"},
                                                       {"query", "leaves"},
                                                       {"query", "similarity"},
                                                       {"stats"},
                                                       {"check"},
                                                       {"diff"},
                                                       {"export"}};
  for (auto words : commands) {
    words.emplace_back("--help");
    const auto result = run_program("taxo", words);
    EXPECT_EQ(result.exit_code, 0);
    EXPECT_THAT(result.out, HasSubstr("Example:\n  taxo " + words[0]));
    EXPECT_THAT(result.err, IsEmpty());
  }
}

}  // namespace
}  // namespace procsim::test
