#include <fstream>
#include <future>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>
#include <sys/stat.h>

#include "data/labels/label_set.hpp"
#include "data/workspace/workspace.hpp"
#include "tests/support/run_program.hpp"
#include "tests/support/test_files.hpp"

namespace procsim::test {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;

// Both labels are wrong.
LabelSet gulls() {
  LabelSet set;
  set.info.dataset = "gulls";
  set.info.classes = {{"Herring Gull", "01.Herring_Gull", "herring_gull.n.01"},
                      {"Laughing Gull", "02.Laughing_Gull", "laughing_gull.n.01"}};
  set.rows = {{1, "a.jpg", "train", 1, 0}, {2, "b.jpg", "train", 0, 1}};
  return set;
}

class TaxoBuild : public ::testing::Test {
 protected:
  ProgramResult taxo(std::vector<std::string> arguments, const std::string& input = "") {
    ProgramOptions options;
    options.folder = folder_.path();
    options.input = input;
    options.environment = environment_;
    return run_program("taxo", arguments, options);
  }
  std::string names(const std::string& text) { return folder_.write("names.txt", text).string(); }

  TemporaryFolder folder_;
  std::map<std::string, std::string> environment_;
};

// Six classes as people type them: case, blanks, hyphens, an umlaut of one letter and of two, nothing but
// blanks, semicolons as spreadsheets write them where a comma is a decimal mark.
class HandTyped : public TaxoBuild {
 protected:
  HandTyped() {
    folder_.write("labels.csv",
                  "Path ; Label\n"
                  "1.jpg;Ibis\n2.jpg;Ibis\n3.jpg; ibis\n4.jpg;IBIS \n5.jpg;white ibis\n6.jpg;White-Ibis\n"
                  "7.jpg;white_ibis\n8.jpg;m\u00F6we\n9.jpg;mo\u0308we\n10.jpg;M\u00D6WE\n11.jpg;M\u00F6we\n"
                  "12.jpg;tern\n13.jpg;Tern\n14.jpg;   \n15.jpg;heron\n16.jpg;owl\n17.jpg;\u00A0owl\n");
  }
  LabelSet labels() { return read_label_set(folder_ / ".procsim/labels/labels.parquet"); }
};

TEST_F(HandTyped, BlanksAndLettersMakeNoClassesAndLookAlikesAreShown) {
  const auto result = taxo({"build", "labels.csv"});
  ASSERT_EQ(result.exit_code, 0) << result.err;
  EXPECT_THAT(result.err, HasSubstr("4 names look like another's"));
  EXPECT_THAT(result.err, HasSubstr("Ibis (2), IBIS (1), ibis (1)"));
  EXPECT_THAT(result.err, HasSubstr("m\u00F6we (2), M\u00D6WE (1), M\u00F6we (1)"))
      << "of two letters or of one";
  EXPECT_THAT(result.err, HasSubstr("--merge-alike"));
  EXPECT_THAT(result.err, HasSubstr("1 samples carry no label"));
  EXPECT_EQ(labels().info.classes.size(), 13U);
}

TEST_F(HandTyped, LookAlikesBecomeOneClassOnRequest) {
  const auto result = taxo({"build", "labels.csv", "--merge-alike"});
  ASSERT_EQ(result.exit_code, 0) << result.err;
  EXPECT_THAT(result.err, HasSubstr("merged: Ibis (2), IBIS (1), ibis (1)"));
  const auto set = labels();
  EXPECT_THAT(set.info.class_names(),
              ::testing::UnorderedElementsAre("Ibis", "White-Ibis", "m\u00F6we", "Tern", "heron", "owl"));
  EXPECT_EQ(set.rows[3].label, set.rows[0].label);
  EXPECT_EQ(set.rows[13].label, kUnlabelled);
  ASSERT_EQ(taxo({"resolve", "owl", "owl%1:05:00::"}).exit_code, 0) << "which builds again";
  EXPECT_EQ(labels().info.classes.size(), 6U);
}

TEST_F(HandTyped, LookAlikesAreMergedOneByOne) {
  ASSERT_EQ(taxo({"build", "labels.csv"}).exit_code, 0);
  const auto result = taxo({"review"}, "m\ns\nq\nq\n");
  ASSERT_EQ(result.exit_code, 0) << result.err;
  EXPECT_THAT(result.err, HasSubstr("[1/4] these names look alike: Ibis (2), IBIS (1), ibis (1)"));
  EXPECT_EQ(labels().info.classes.size(), 11U);
  EXPECT_THAT(taxo({"review"}, "q\nq\n").err, HasSubstr("[1/3] these names look alike"));
}

TEST_F(TaxoBuild, TwoTablesOfOneNameDoNotTakeEachOthersPlace) {
  folder_.write("a/labels.csv", "path,label\n1.jpg,tern\n2.jpg,gull\n");
  folder_.write("b/labels.csv", "path,label\n1.jpg,owl\n2.jpg,heron\n");
  ASSERT_EQ(taxo({"build", "a/labels.csv"}).exit_code, 0);
  const auto second = taxo({"build", "b/labels.csv"});
  EXPECT_EQ(second.exit_code, 1);
  EXPECT_THAT(second.err, HasSubstr("--name NAME"));
  ASSERT_EQ(taxo({"build", "b/labels.csv", "--name", "night"}).exit_code, 0);
  EXPECT_THAT(taxo({"show", "--dataset", "labels"}).out, HasSubstr("tern"));
  EXPECT_THAT(taxo({"show"}).out, HasSubstr("heron")) << "the one that was built last";
  ASSERT_EQ(taxo({"build", "a/labels.csv"}).exit_code, 0) << "the same one again";
  EXPECT_THAT(taxo({"show"}).out, HasSubstr("tern"));
}

TEST_F(TaxoBuild, MakesATaxonomyFromAFileOfNames) {
  const auto done =
      taxo({"build", names("House Sparrow\nHerring Gull\nGadwall\n"), "--root-synset", "bird.n.01"});
  EXPECT_EQ(done.exit_code, 0) << done.err;
  EXPECT_THAT(done.out, AllOf(HasSubstr("names: 3 classes under bird.n.01"),
                              HasSubstr("unresolved                 1")));
  EXPECT_THAT(done.err, HasSubstr("taxo review"));
  const auto taxonomy = nlohmann::json::parse(read_all(folder_ / ".procsim/taxonomies/names.json"));
  EXPECT_EQ(taxonomy["classes"][0]["node"], "english_sparrow.n.01");
  EXPECT_EQ(taxonomy["classes"][2]["how"], "unresolved");
  const auto table = read_all(folder_ / ".procsim/taxonomies/names.resolution.tsv");
  EXPECT_THAT(table, HasSubstr("Gadwall\tGadwall\tunresolved"));
  const auto workspace = Workspace::open(folder_.path());
  EXPECT_EQ(workspace.current_dataset()->name, "names");
  EXPECT_TRUE(workspace.newest_taxonomy("names"));
}

// WordNet files an ewer under pitcher, and viii under eight.
TEST_F(TaxoBuild, TreeAndDrawingsShowTheUsersNames) {
  ASSERT_EQ(taxo({"build", names("ewer\nviii\nbarrel\n")}).exit_code, 0);
  EXPECT_THAT(taxo({"show"}).out, AllOf(HasSubstr(" ewer\n"), HasSubstr(" viii\n"), Not(HasSubstr("pitcher")),
                                        Not(HasSubstr(" eight\n"))));
  EXPECT_THAT(taxo({"export", "--format", "svg"}).out,
              AllOf(HasSubstr(">ewer<"), HasSubstr(">viii<"), Not(HasSubstr(">pitcher<")),
                    Not(HasSubstr(">eight<"))));
  EXPECT_THAT(taxo({"export", "--format", "html"}).out,
              AllOf(HasSubstr("\"n\":\"ewer\""), HasSubstr("\"n\":\"viii\""),
                    Not(HasSubstr("\"n\":\"pitcher\"")), Not(HasSubstr("\"n\":\"eight\""))));
  EXPECT_THAT(taxo({"export", "--format", "newick"}).out,
              AllOf(HasSubstr("ewer"), HasSubstr("viii"), Not(HasSubstr("pitcher"))));
}

TEST_F(TaxoBuild, SaysWhichRootItFound) {
  const auto done = taxo({"build", names("House Sparrow\nHerring Gull\n")});
  EXPECT_EQ(done.exit_code, 0);
  EXPECT_THAT(done.err, HasSubstr("root: bird.n.01, the lowest common hypernym"));
  EXPECT_EQ(taxo({"build", names("House Sparrow\nHerring Gull\n"), "--quiet"}).err, "");
}

TEST_F(TaxoBuild, RunTwiceGivesTheSameBytes) {
  const auto file = names("House Sparrow\nHerring Gull\nLaysan Albatross\n");
  const auto first = taxo({"build", file});
  const auto taxonomy = read_all(folder_ / ".procsim/taxonomies/names.json");
  const auto table = read_all(folder_ / ".procsim/taxonomies/names.resolution.tsv");
  const auto second = taxo({"build", file});
  EXPECT_EQ(second.exit_code, 0) << second.err;
  EXPECT_EQ(first.out, second.out);
  EXPECT_EQ(read_all(folder_ / ".procsim/taxonomies/names.json"), taxonomy);
  EXPECT_EQ(read_all(folder_ / ".procsim/taxonomies/names.resolution.tsv"), table);
}

TEST_F(TaxoBuild, NamesThatWordNetDoesNotKnowMakeAFlatTree) {
  const auto file = folder_.write("sku.csv", "path,label\na.jpg,QX-1001\nb.jpg,QX-1002\nc.jpg,QX-1001\n");
  const auto strict = taxo({"build", file.string(), "--strict"});
  EXPECT_EQ(strict.exit_code, 1);
  EXPECT_THAT(strict.err, HasSubstr("2 of 2 classes are not in WordNet"));
  const auto done = taxo({"build", file.string()});
  EXPECT_EQ(done.exit_code, 0) << done.err;
  EXPECT_THAT(done.out, HasSubstr("sku: 2 classes under entity.n.01 (entity), 1 nodes"));
  EXPECT_THAT(done.err,
              HasSubstr("WordNet knows none of the class names below entity.n.01: the tree is flat"));
  EXPECT_EQ(read_label_set(folder_ / ".procsim/labels/sku.parquet").rows.size(), 3U);
  EXPECT_EQ(taxo({"build", names("QX-1001\nQX-1002\n")}).exit_code, 0);
}

TEST_F(TaxoBuild, StrictFailsAndNamesWhatIsUnresolved) {
  const auto done = taxo({"build", names("House Sparrow\nGadwall\nGreen Violetear\n"), "--root-synset",
                          "bird.n.01", "--strict"});
  EXPECT_EQ(done.exit_code, 1);
  EXPECT_THAT(done.err,
              AllOf(HasSubstr("2 of 3"), HasSubstr("Gadwall, Green Violetear"), HasSubstr("--overrides")));
  EXPECT_FALSE(std::filesystem::exists(folder_ / ".procsim/taxonomies/names.json"));
}

TEST_F(TaxoBuild, TakesOverridesAndRefusesWrongOnes) {
  const auto good = folder_.write("good.tsv", "Gadwall\tduck%1:05:00::\ta duck\n").string();
  const auto list = names("House Sparrow\nGadwall\n");
  const auto done =
      taxo({"build", list, "--root-synset", "bird.n.01", "--overrides", good, "--strict", "--json"});
  EXPECT_EQ(done.exit_code, 0) << done.err;
  const auto report = nlohmann::json::parse(done.out);
  EXPECT_EQ(report["resolved"]["override"], 1);
  EXPECT_EQ(report["open"].size(), 0U);
  const auto wrong = folder_.write("wrong.tsv", "# my own\nGadwal\tduck%1:05:00::\ta duck\n").string();
  const auto failed = taxo({"build", list, "--root-synset", "bird.n.01", "--overrides", wrong});
  EXPECT_EQ(failed.exit_code, 1);
  EXPECT_THAT(failed.err, AllOf(HasSubstr("wrong.tsv:2"), HasSubstr("did you mean 'Gadwall'")));
  const auto no_key = folder_.write("key.tsv", "Gadwall\tduck%1:05:77::\ta duck\n").string();
  const auto unknown = taxo({"build", list, "--root-synset", "bird.n.01", "--overrides", no_key});
  EXPECT_EQ(unknown.exit_code, 1);
  EXPECT_THAT(unknown.err, AllOf(HasSubstr("key.tsv:1"), HasSubstr("duck%1:05:00::")));
}

TEST_F(TaxoBuild, AnEmptyLineOrFileSaysWhere) {
  EXPECT_THAT(taxo({"build", names("gull\n\nduck\n")}).err, HasSubstr("names.txt:2"));
  EXPECT_EQ(taxo({"build", names("gull\n\nduck\n")}).exit_code, 1);
  EXPECT_THAT(taxo({"build", names("")}).err, HasSubstr("is empty"));
}

TEST_F(TaxoBuild, OddNamesDoNotDisturb) {
  std::string text =
      "Chuck-will's-widow\nCrane (bird)\nKākāpō\ngull\ngull\n" + std::string(10'000, 'x') + "\n\"quoted\"\n";
  const auto done = taxo({"build", names(text), "--root-synset", "bird.n.01", "--json"});
  EXPECT_EQ(done.exit_code, 0) << done.err;
  EXPECT_EQ(nlohmann::json::parse(done.out)["classes"], 7);
}

TEST_F(TaxoBuild, ADatabaseThatIsMissingOrDamagedGivesOneLine) {
  const auto list = names("gull\n");
  environment_["WNSEARCHDIR"] = (folder_ / "nowhere").string();
  auto failed = taxo({"build", list});
  EXPECT_EQ(failed.exit_code, 1);
  EXPECT_THAT(failed.err, HasSubstr("apt-get install wordnet-base"));
  EXPECT_EQ(std::count(failed.err.begin(), failed.err.end(), '\n'), 1);
  std::filesystem::create_directory(folder_ / "half");
  for (const auto& file : std::filesystem::directory_iterator("/usr/share/wordnet")) {
    std::filesystem::create_symlink(file.path(), folder_ / "half" / file.path().filename());
  }
  std::filesystem::remove(folder_ / "half/data.noun");
  folder_.write("half/data.noun", read_all("/usr/share/wordnet/data.noun").substr(0, 8'000'000));
  environment_["WNSEARCHDIR"] = (folder_ / "half").string();
  failed = taxo({"senses", "gull"});
  EXPECT_EQ(failed.exit_code, 1);
  EXPECT_THAT(failed.err, AllOf(HasSubstr("damaged"), HasSubstr("data.noun"), HasSubstr("wordnet-base")));
}

TEST_F(TaxoBuild, WrongCommandLinesEndWithTwo) {
  EXPECT_EQ(taxo({"build"}).exit_code, 2);
  EXPECT_EQ(taxo({"build", "cub200", "--split", "offical"}).exit_code, 2);
  EXPECT_THAT(taxo({"build", "cub200", "--split", "offical"}).err, HasSubstr("did you mean 'official'"));
  EXPECT_EQ(taxo({"build", "no-such-thing"}).exit_code, 1);
}

TEST_F(TaxoBuild, EveryHelpEndsWithAnExample) {
  for (const auto* command : {"build", "review", "resolve", "senses"}) {
    const auto help = taxo({command, "--help"});
    EXPECT_EQ(help.exit_code, 0);
    EXPECT_THAT(help.out, HasSubstr(std::string("taxo ") + command));
  }
}

TEST_F(TaxoBuild, BuildsCubWithItsLabels) {
  const auto data = shared_data("cub200");
  if (!data) GTEST_SKIP() << "no ../shared/cub200";
  const auto done = taxo({"build", "cub200", "--root", data->string(), "--json", "--strict"});
  ASSERT_EQ(done.exit_code, 0) << done.err;
  const auto report = nlohmann::json::parse(done.out);
  EXPECT_EQ(report["classes"], 200);
  EXPECT_EQ(report["ambiguous"], 0);
  EXPECT_EQ(report["samples"], 11788);
  const auto labels = read_label_set(folder_ / ".procsim/labels/cub200.parquet");
  EXPECT_EQ(labels.rows.size(), 11788U);
  EXPECT_EQ(labels.info.classes[117].node, "english_sparrow.n.01");
  // A label set is a source of names too.
  const auto again =
      taxo({"build", (folder_ / ".procsim/labels/cub200.parquet").string(), "--json", "--quiet"});
  ASSERT_EQ(again.exit_code, 0) << again.err;
  EXPECT_EQ(nlohmann::json::parse(again.out)["classes"], 200);
}

TEST_F(TaxoBuild, FieldguideLivesInTheWorkspace) {
  const auto done = taxo({"build", "fieldguide", "--json", "--strict"});
  ASSERT_EQ(done.exit_code, 0) << done.err;
  EXPECT_TRUE(std::filesystem::exists(folder_ / ".procsim/data"));
  EXPECT_EQ(nlohmann::json::parse(done.out)["missing_images"], 0);
}

TEST_F(TaxoBuild, FieldguideLivesBelowProcsimDataWhereItIsSetUnlessARootIsGiven) {
  environment_["PROCSIM_DATA"] = (folder_ / "data").string();
  ASSERT_EQ(taxo({"build", "fieldguide", "--quiet"}).exit_code, 0);
  EXPECT_TRUE(std::filesystem::exists(folder_ / "data/fieldguide/fieldguide.json"));
  EXPECT_FALSE(std::filesystem::exists(folder_ / ".procsim/data"));
  environment_["PROCSIM_DATA"] = "/nowhere";
  ASSERT_EQ(taxo({"build", "fieldguide", "--quiet", "--root", (folder_ / "data").string()}).exit_code, 0);
  EXPECT_EQ(Workspace::open(folder_.path()).dataset("fieldguide")->root,
            (folder_ / "data/fieldguide").string());
}

TEST_F(TaxoBuild, MissingImagesAreCountedAndListed) {
  folder_.write("birds/here.jpg", "");
  const auto csv = folder_.write(
      "birds/birds.csv", "path,label\nhere.jpg,House Sparrow\ngone/1.jpg,Herring Gull\n2.jpg,Herring Gull\n");
  const auto done = taxo({"build", csv.string(), "--quiet"});
  ASSERT_EQ(done.exit_code, 0) << done.err;
  EXPECT_THAT(done.out, AllOf(HasSubstr("2 images missing"), HasSubstr("birds.missing.txt")));
  EXPECT_EQ(read_all(folder_ / ".procsim/labels/birds.missing.txt"), "gone/1.jpg\n2.jpg\n");
  folder_.write("birds/gone/1.jpg", "");
  folder_.write("birds/2.jpg", "");
  EXPECT_THAT(taxo({"build", csv.string(), "--quiet"}).out, HasSubstr("0 images missing"));
  EXPECT_FALSE(std::filesystem::exists(folder_ / ".procsim/labels/birds.missing.txt"));
}

TEST_F(TaxoBuild, AFolderOfPartsIsOneLabelSetWithItsTruth) {
  auto part = gulls();
  part.rows.resize(1);
  write_label_set(folder_ / "data/parts/part-1.parquet", part, IfExists::kFail);
  part.rows = {gulls().rows[1]};
  write_label_set(folder_ / "data/parts/part-2.parquet", part, IfExists::kFail);
  const auto done = taxo({"build", "parts/", "--quiet", "--root", (folder_ / "data").string()});
  ASSERT_EQ(done.exit_code, 0) << done.err;
  EXPECT_EQ(read_label_set(folder_ / ".procsim/labels/gulls.parquet").rows, gulls().rows);
  EXPECT_EQ(Workspace::open(folder_.path()).dataset("gulls")->source, (folder_ / "data/parts").string());
}

TEST_F(TaxoBuild, TheImagesOfALabelSetAreBelowTheGivenRoot) {
  write_label_set(folder_ / "gulls.parquet", gulls(), IfExists::kFail);
  folder_.write("images/a.jpg", "");
  const auto guessed = taxo({"build", "gulls.parquet", "--quiet"});
  EXPECT_THAT(guessed.out, HasSubstr("2 images missing")) << guessed.err;
  const auto given = taxo({"build", "gulls.parquet", "--root", "images", "--quiet"});
  EXPECT_THAT(given.out, HasSubstr("1 images missing")) << given.err;
  EXPECT_EQ(read_all(folder_ / ".procsim/labels/gulls.missing.txt"), "b.jpg\n");
  EXPECT_EQ(Workspace::open(folder_.path()).dataset("gulls")->root, (folder_ / "images").string());
  const auto none = taxo({"build", "gulls.parquet", "--root", "none"});
  EXPECT_EQ(none.exit_code, 1);
  EXPECT_THAT(none.err, HasSubstr("none (--root) does not exist"));
}

TEST_F(TaxoBuild, OptionsThatCannotApplyAreRefused) {
  write_label_set(folder_ / "gulls.parquet", gulls(), IfExists::kFail);
  for (const auto* option : {"--split", "--split-seed", "--label-column", "--path-column"}) {
    const std::string value = option == std::string("--split") ? "own" : "7";
    const auto refused = taxo({"build", "gulls.parquet", option, value});
    EXPECT_EQ(refused.exit_code, 2) << option;
    EXPECT_THAT(refused.err, HasSubstr(std::string(option) + " does not apply to a label set"));
  }
  const auto list = folder_.write("gulls.txt", "Herring Gull\nLaughing Gull\n").string();
  EXPECT_THAT(taxo({"build", list, "--root", "."}).err,
              HasSubstr("--root does not apply to a file of names"));

  ASSERT_EQ(taxo({"build", list, "--quiet"}).exit_code, 0);
  EXPECT_EQ(taxo({"build", "gulls.parquet", "--root", ".", "--quiet"}).exit_code, 0)
      << "a file of names knows no images";
  folder_.write("gulls/gulls.csv", "path,label\na.jpg,Herring Gull\nb.jpg,Laughing Gull\n");
  const auto taken = taxo({"build", "gulls/gulls.csv"});
  EXPECT_EQ(taken.exit_code, 1);
  EXPECT_THAT(taken.err, HasSubstr("the workspace has a data set 'gulls' already"));
  ASSERT_EQ(taxo({"build", "gulls/gulls.csv", "--name", "gulls", "--quiet"}).exit_code, 0);
  const auto known = taxo({"build", "gulls.parquet", "--root", "."});
  EXPECT_EQ(known.exit_code, 2);
  EXPECT_THAT(known.err, AllOf(HasSubstr("gulls.csv"), HasSubstr("--root")));
  EXPECT_EQ(Workspace::open(folder_.path()).dataset("gulls")->root, (folder_ / "gulls").string());
  EXPECT_EQ(taxo({"build", "gulls.parquet", "--quiet"}).exit_code, 0);
}

TEST_F(TaxoBuild, ALabelSetBesideABenchmarkIsNotTheDataSet) {
  folder_.write("sop/Ebay_train.txt", "image_id class_id super_class_id path\n1 1 1 mug_final/1.JPG\n");
  folder_.write("sop/Ebay_test.txt", "image_id class_id super_class_id path\n2 2 1 mug_final/2.JPG\n");
  write_label_set(folder_ / "sop/labels.parquet", gulls(), IfExists::kFail);
  const auto done = taxo({"build", "sop/", "--quiet"});
  ASSERT_EQ(done.exit_code, 0) << done.err;
  EXPECT_EQ(Workspace::open(folder_.path()).current_dataset()->kind, "sop");
}

// Every file below a folder with its content, without the database, which is looked at through its rows.
std::map<std::string, std::string> contents(const std::filesystem::path& folder) {
  std::map<std::string, std::string> found;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(folder)) {
    const auto name = entry.path().filename().string();
    if (entry.is_regular_file() && !name.starts_with("workspace.db"))
      found[entry.path().lexically_relative(folder).string()] = read_all(entry.path());
  }
  return found;
}

TEST_F(TaxoBuild, AFullDiskLeavesTheWorkspaceAsItWas) {
  std::string table = "path,label\n";
  for (int i = 0; i < 3000; ++i) {
    table += std::to_string(i * 7919 % 3001) + ".jpg," + (i % 2 == 0 ? "Herring Gull\n" : "Laughing Gull\n");
  }
  const auto csv = folder_.write("birds.csv", table + "x.jpg,House Sparrow\n").string();
  ASSERT_EQ(taxo({"build", csv, "--quiet"}).exit_code, 0);
  const auto before = contents(folder_ / ".procsim");
  const auto digest = Workspace::open(folder_.path()).newest_label_set("birds")->digest;
  const auto tree = Workspace::open(folder_.path()).newest_taxonomy("birds")->digest;
  folder_.write("birds.csv", table + "y.jpg,Robin\n");

  int failures = 0;
  for (int kilobytes = 1; kilobytes < 4096; kilobytes = kilobytes * 5 / 4 + 1) {
    ProgramOptions options;
    options.folder = folder_.path();
    const auto limited = "ulimit -f " + std::to_string(kilobytes) + "; exec " +
                         program_path("taxo").string() + " build birds.csv --quiet 2>/dev/null";
    if (run_program("/bin/bash", {"-c", limited}, options).exit_code == 0) break;
    ++failures;
    ASSERT_EQ(contents(folder_ / ".procsim"), before) << kilobytes;
    const auto workspace = Workspace::open(folder_.path());
    ASSERT_EQ(workspace.newest_label_set("birds")->digest, digest) << kilobytes;
    ASSERT_EQ(workspace.newest_taxonomy("birds")->digest, tree) << kilobytes;
  }
  EXPECT_GT(failures, 5);
  EXPECT_NE(Workspace::open(folder_.path()).newest_label_set("birds")->digest, digest);
}

TEST_F(TaxoBuild, AFailureLeavesAWorkspaceThatAnotherProgramMadeMeanwhile) {
  const auto table = folder_ / "birds.csv";
  ASSERT_EQ(::mkfifo(table.c_str(), 0600), 0);
  auto build = std::async(std::launch::async, [&] { return taxo({"build", "birds.csv"}); });
  std::ofstream pipe(table);  // waits until the build has begun to read
  Workspace::open_or_create(folder_.path()).put_dataset({"cub200", "cub200", "", "", 200, 1, "{}"});
  pipe << "path,label\n,no path\n";
  pipe.close();
  EXPECT_EQ(build.get().exit_code, 1);
  EXPECT_TRUE(Workspace::open(folder_.path()).dataset("cub200"));
}

TEST_F(TaxoBuild, AFailureLeavesNoWorkspaceWhereThereWasNone) {
  const auto list = names("Herring Gull\nLaughing Gull\n");
  folder_.write(".procsim/taxonomies/names.json/in the way", "");
  EXPECT_EQ(taxo({"build", list}).exit_code, 1);
  EXPECT_FALSE(Workspace::exists_in(folder_.path()));
  std::filesystem::remove_all(folder_ / ".procsim");
  EXPECT_EQ(taxo({"build", list, "--strict", "--root-synset", "dog.n.01"}).exit_code, 1);
  EXPECT_FALSE(std::filesystem::exists(folder_ / ".procsim"));
}

TEST_F(TaxoBuild, SensesListsMeaningsWithKeysAndPaths) {
  const auto done = taxo({"senses", "sparrow", "--root-synset", "bird.n.01", "--json"});
  ASSERT_EQ(done.exit_code, 0) << done.err;
  const auto senses = nlohmann::json::parse(done.out);
  ASSERT_EQ(senses.size(), 2U);
  EXPECT_EQ(senses[0]["sense_key"], "sparrow%1:05:00::");
  EXPECT_EQ(senses[0]["path"], (std::vector<std::string>{"passerine", "bird"}));
  EXPECT_THAT(taxo({"senses", "house", "sparrow"}).out, HasSubstr("english_sparrow%1:05:00::"));
  const auto none = taxo({"senses", "purple sparrow"});
  EXPECT_EQ(none.exit_code, 1);
  EXPECT_THAT(none.err, HasSubstr("taxo senses sparrow"));
}

}  // namespace
}  // namespace procsim::test
