#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "tests/support/run_program.hpp"
#include "tests/support/test_files.hpp"

namespace procsim::test {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;

class TaxoReview : public ::testing::Test {
 protected:
  void SetUp() override {
    const auto file = folder_.write("names.txt", "Ovenbird\nHerring Gull\nGadwall\nHorned Lark\n");
    ASSERT_EQ(taxo({"build", file.string(), "--root-synset", "bird.n.01", "--quiet"}).exit_code, 0);
  }
  ProgramResult taxo(const std::vector<std::string>& arguments, const std::string& input = "") {
    ProgramOptions options;
    options.folder = folder_.path();
    options.input = input;
    return run_program("taxo", arguments, options);
  }
  std::string node_of(std::size_t label) {
    const auto text = read_all(folder_ / ".procsim/taxonomies/names.json");
    return nlohmann::json::parse(text)["classes"][label]["node"];
  }
  std::string overrides() {
    const auto file = folder_ / ".procsim/overrides/names.tsv";
    return std::filesystem::exists(file) ? read_all(file) : "";
  }

  TemporaryFolder folder_;
};

TEST_F(TaxoReview, AsksForAmbiguousAndUnresolvedNamesOnly) {
  const auto done = taxo({"review"}, "s\ns\nq\n");
  EXPECT_EQ(done.exit_code, 0);
  EXPECT_THAT(done.err, AllOf(HasSubstr("3 names"), HasSubstr("[1/3] Gadwall"),
                              HasSubstr("[2/3] Horned Lark"), HasSubstr("[3/3] Ovenbird"),
                              HasSubstr("ovenbird%1:05:02::"), HasSubstr("tyrannid › passerine › bird")))
      << "no place at all, then the most doubtful";
  EXPECT_EQ(overrides(), "");
}

TEST_F(TaxoReview, NumbersSearchesAndSenseKeysDecide) {
  const auto done = taxo({"review"}, "/duck\n1\nlark%1:05:01::\n2\n");
  EXPECT_EQ(done.exit_code, 0) << done.err;
  EXPECT_EQ(node_of(0), "ovenbird.n.02");
  EXPECT_EQ(node_of(2), "duck.n.01");
  EXPECT_EQ(node_of(3), "lark.n.03");
  EXPECT_THAT(overrides(),
              AllOf(HasSubstr("Ovenbird\tovenbird%1:05:02::\tchosen in taxo review\n"),
                    HasSubstr("Gadwall\tduck%1:05:00::"), HasSubstr("Horned Lark\tlark%1:05:01::")));
  EXPECT_THAT(taxo({"review"}).err, HasSubstr("nothing to review"));
}

TEST_F(TaxoReview, SkipsGoesBackAndKeepsWhatWasDecidedAtTheEndOfInput) {
  const auto done = taxo({"review"}, "s\nb\nnonsense\n9\nsparrow%1:05:99::\ncar%1:06:00::\n1\n");
  EXPECT_EQ(done.exit_code, 0) << done.err;
  EXPECT_THAT(done.err, AllOf(HasSubstr("a number of the list"), HasSubstr("not below the root")));
  EXPECT_EQ(node_of(0), "ovenbird.n.01");
  EXPECT_EQ(node_of(2), "bird.n.01");
}

TEST_F(TaxoReview, ResolveSetsOneFromAScript) {
  auto done = taxo({"resolve", "Gadwall", "duck%1:05:00:: / dabblers", "--reason", "feeds at the surface"});
  EXPECT_EQ(done.exit_code, 0) << done.err;
  EXPECT_EQ(node_of(2), "names:duck.n.01/dabblers");
  EXPECT_THAT(overrides(), HasSubstr("Gadwall\tduck%1:05:00:: / dabblers\tfeeds at the surface\n"));
  done = taxo({"resolve", "2", "duck%1:05:00::"});
  EXPECT_EQ(done.exit_code, 0) << done.err;
  EXPECT_EQ(node_of(2), "duck.n.01");
}

TEST_F(TaxoReview, ResolveRefusesWhatDoesNotFitAndWritesNothing) {
  EXPECT_THAT(taxo({"resolve", "Gadwal", "duck%1:05:00::"}).err, HasSubstr("did you mean 'Gadwall'"));
  EXPECT_THAT(taxo({"resolve", "Gadwall", "duck%1:05:42::"}).err, HasSubstr("duck%1:05:00::"));
  const auto outside = taxo({"resolve", "Gadwall", "car%1:06:00::"});
  EXPECT_EQ(outside.exit_code, 1);
  EXPECT_THAT(outside.err, HasSubstr("not below the root bird.n.01"));
  const auto circle = taxo({"resolve", "Gadwall", "gull%1:05:00:: / odd / seabird%1:05:00::"});
  EXPECT_EQ(circle.exit_code, 1);
  EXPECT_EQ(overrides(), "");
  EXPECT_EQ(taxo({"resolve", "Gadwall"}).exit_code, 2);
}

TEST_F(TaxoReview, NamesSteerNoTerminal) {
  const auto file = folder_.write("steering.txt", "gull\nquux\x1b[31m\nQuux\x1b[31m\n");
  ASSERT_EQ(taxo({"build", file.string(), "--root-synset", "bird.n.01", "--quiet"}).exit_code, 0);
  const auto done = taxo({"review"}, "s\n/\x1b[2Jduck\nq\n");
  EXPECT_EQ(done.exit_code, 0) << done.err;
  EXPECT_THAT(done.err, HasSubstr(R"(x\x1b[31m)"));
  EXPECT_THAT(done.err, HasSubstr(R"(no meaning of '\x1b[2Jduck')"));
  EXPECT_EQ(done.err.find('\x1b'), std::string::npos) << done.err;
}

TEST_F(TaxoReview, WithoutAWorkspaceSaysWhatToDo) {
  TemporaryFolder empty;
  ProgramOptions options;
  options.folder = empty.path();
  const auto done = run_program("taxo", {"review"}, options);
  EXPECT_EQ(done.exit_code, 1);
  EXPECT_THAT(done.err, HasSubstr("taxo build"));
}

}  // namespace
}  // namespace procsim::test
