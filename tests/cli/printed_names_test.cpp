// Names come from files. What people read on a terminal shows their control characters; what programs read
// has them as they are.

#include <algorithm>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "tests/support/run_program.hpp"
#include "tests/support/test_files.hpp"

namespace procsim::test {
namespace {

using ::testing::HasSubstr;

class PrintedNames : public ::testing::Test {
 protected:
  void SetUp() override {
    const std::vector<std::string> names{"crow\x1b[31m", "\x1b]0;tern\x07", "gull"};
    std::string birds = "path,label\n", probabilities = "sample_id,p0,p1,p2\n";
    for (std::size_t i = 0; i < 60; ++i) {
      birds += std::to_string(i) + ".jpg," + names[i % 3] + "\n";
      probabilities += std::to_string(i) + (i % 2 == 0 ? ",0.8,0.1,0.1\n" : ",0.1,0.1,0.8\n");
    }
    folder_.write("birds.csv", birds);
    folder_.write("p.csv", probabilities);
    run({"taxo", "build", "birds.csv"});
    run({"noise", "inject", "--uniform", "0.3", "-o", "noisy.parquet"});
    run({"curate", "import-scores", "p.csv", "--labels", kClean, "-o", "scores.parquet"});
  }

  std::string run(const std::vector<std::string>& words) {
    ProgramOptions options;
    options.folder = folder_.path();
    const auto result = run_program(words.front(), {words.begin() + 1, words.end()}, options);
    EXPECT_EQ(result.exit_code, 0) << words.front() << " " << words[1] << ": " << result.err;
    return result.out;
  }

  static constexpr const char* kClean = ".procsim/labels/birds.parquet";
  TemporaryFolder folder_;
};

TEST_F(PrintedNames, SteerNoTerminal) {
  for (const std::vector<std::string>& words : {std::vector<std::string>{"taxo", "check"},
                                                {"taxo", "show"},
                                                {"noise", "stats", "--per-class"},
                                                {"noise", "diff", kClean, "noisy.parquet"},
                                                {"curate", "diff", kClean, "noisy.parquet"},
                                                {"curate", "hierarchy", "--scores", "scores.parquet"}}) {
    const auto out = run(words);
    EXPECT_TRUE(std::ranges::none_of(out, [](char byte) { return byte == '\x1b' || byte == '\x07'; }))
        << words[0] << " " << words[1];
    EXPECT_THAT(out, HasSubstr(R"(\x1b[31m)")) << words[0] << " " << words[1];
  }
}

TEST_F(PrintedNames, AreExactInJsonAndCsv) {
  const auto json = nlohmann::json::parse(run({"curate", "diff", kClean, "noisy.parquet", "--json"}));
  EXPECT_THAT(json.dump(), HasSubstr(R"(crow\u001b[31m)"));
  EXPECT_THAT(run({"curate", "diff", kClean, "noisy.parquet", "--rows"}), HasSubstr("crow\x1b[31m"));
}

}  // namespace
}  // namespace procsim::test
