// What every program of ours does alike: help, version, completion, errors and exit codes.

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <sstream>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/support/run_program.hpp"
#include "tests/support/test_files.hpp"

namespace procsim {
namespace {

using test::run_program;
using test::TemporaryFolder;
using ::testing::AllOf;
using ::testing::Contains;
using ::testing::HasSubstr;
using ::testing::StartsWith;

std::vector<std::string> lines_of(const std::string& text) {
  std::vector<std::string> lines;
  std::istringstream in(text);
  for (std::string line; std::getline(in, line);) lines.push_back(line);
  return lines;
}

std::vector<std::string> completions(const std::string& program, std::vector<std::string> words) {
  words.insert(words.begin(), "__complete");
  return lines_of(run_program(program, words).out);
}

class EveryProgram : public ::testing::TestWithParam<std::string> {
 protected:
  std::vector<std::string> subcommands() const {
    std::vector<std::string> found;
    for (const auto& word : completions(GetParam(), {})) {
      if (!word.starts_with("-")) found.push_back(word);
    }
    return found;
  }
};

TEST_P(EveryProgram, TellsItsVersion) {
  const auto result = run_program(GetParam(), {"--version"});
  EXPECT_EQ(result.exit_code, 0);
  EXPECT_THAT(result.out, StartsWith(GetParam() + " 0."));
  EXPECT_EQ(result.err, "");
}

TEST_P(EveryProgram, HelpsOnEveryLevelWithAnExample) {
  const auto top = run_program(GetParam(), {"--help"});
  EXPECT_EQ(top.exit_code, 0);
  EXPECT_EQ(top.err, "");
  ASSERT_FALSE(subcommands().empty());
  for (const auto& command : subcommands()) {
    EXPECT_THAT(top.out, HasSubstr(command));
    const auto help = run_program(GetParam(), {command, "--help"});
    EXPECT_EQ(help.exit_code, 0) << command;
    EXPECT_EQ(help.err, "") << command;
    EXPECT_THAT(help.out, HasSubstr("Example:\n")) << command;
    EXPECT_THAT(help.out, HasSubstr("--quiet")) << command;
  }
}

// tools/<program>/ has a file for each subcommand and nothing else that looks like one.
TEST_P(EveryProgram, HasAFileForEachSubcommandAndNoOther) {
  const bool trains = GetParam() == "procsim-train";
  std::vector<std::string> expected{"main.cpp", "commands.hpp", "shared"};
  if (trains) expected.emplace_back("train.cpp");  // the program without a subcommand
  for (auto name : subcommands()) {
    std::replace(name.begin(), name.end(), '-', '_');
    if (name != "completion") expected.push_back(name + ".cpp");  // of all programs, in tools/program/
  }
  std::vector<std::string> found;
  const auto folder = std::filesystem::path(PROCSIM_SOURCE_DIR) / "tools" / (trains ? "train" : GetParam());
  for (const auto& entry : std::filesystem::directory_iterator(folder))
    found.push_back(entry.path().filename().string());
  EXPECT_THAT(found, ::testing::UnorderedElementsAreArray(expected));
}

TEST_P(EveryProgram, RefusesAnUnknownOptionWithTheNearestOne) {
  for (const auto& command : subcommands()) {
    const auto result = run_program(GetParam(), {command, "--quite"});
    EXPECT_EQ(result.exit_code, 2) << command;
    EXPECT_EQ(result.out, "") << command;
    EXPECT_EQ(result.err, fmt::format("{0}: unknown option '--quite'; did you mean '--quiet'?\n"
                                      "Try: {0} {1} --help\n",
                                      GetParam(), command));
  }
  const auto result = run_program(GetParam(), {"--quite"});
  EXPECT_EQ(result.exit_code, 2);
  EXPECT_THAT(result.err, HasSubstr("unknown option '--quite'; did you mean '--quiet'?"));
}

TEST_P(EveryProgram, CompletesCommandsAndOptions) {
  EXPECT_THAT(completions(GetParam(), {}), AllOf(Contains("completion"), Contains("--quiet")));
  EXPECT_THAT(completions(GetParam(), {"completion"}), AllOf(Contains("--workspace"), Contains("fish")));
  for (const auto* shell : {"bash", "zsh", "fish"}) {
    const auto result = run_program(GetParam(), {"completion", shell});
    EXPECT_EQ(result.exit_code, 0);
    EXPECT_THAT(result.out, HasSubstr(GetParam() + " __complete"));
  }
  const auto bash =
      run_program("/bin/bash", {"-n", "-c", run_program(GetParam(), {"completion", "bash"}).out});
  EXPECT_EQ(bash.exit_code, 0) << bash.err;
}

TEST(Completion, OffersTheValuesOfAnOption) {
  using ::testing::ElementsAre;
  EXPECT_THAT(completions("noise", {"export", "--format"}), ElementsAre("csv", "prism", "imagefolder"));
  EXPECT_THAT(completions("noise", {"export", "--format", "="}), ElementsAre("csv", "prism", "imagefolder"));
  EXPECT_THAT(completions("noise", {"export", "--format", "csv"}), Contains("--output"));
  EXPECT_TRUE(completions("noise", {"inject", "--seed"}).empty()) << "files, as the shell has them";
  EXPECT_THAT(completions("noise", {"inject", "--quiet"}), Contains("--seed")) << "a flag has no value";
}

#ifdef PROCSIM_HAS_TRAIN
TEST(Completion, IsFedByTheRegistryAndTheSettings) {
  const auto values = [](const std::string& option) { return completions("procsim-train", {option}); };
  EXPECT_THAT(values("--method"), AllOf(Contains("procsim"), Contains("co-teaching+")));
  EXPECT_THAT(values("--preset"), AllOf(Contains("cub200"), Contains("fieldguide-best")));
  EXPECT_THAT(values("--backbone"), AllOf(Contains("resnet50"), Contains("dinov2-vits14")));
  EXPECT_THAT(values("--guidance"), AllOf(Contains("plg"), Contains("file:")));
  EXPECT_THAT(values("--ms-mining"), ::testing::ElementsAre("true", "false"));
  EXPECT_THAT(completions("procsim-train", {"score", "--backbone"}), Contains("swin-t"));
}
#endif

INSTANTIATE_TEST_SUITE_P(Programs, EveryProgram,
                         ::testing::ValuesIn(std::vector<std::string>{PROCSIM_PROGRAMS}),
                         [](const auto& program) {
                           auto name = program.param;
                           std::replace(name.begin(), name.end(), '-', '_');
                           return name;
                         });

TEST(Program, WithoutACommandNamesThem) {
  const auto result = run_program("noise", {});
  EXPECT_EQ(result.exit_code, 2);
  EXPECT_THAT(result.err, AllOf(HasSubstr("a command is missing"), HasSubstr("inject")));
}

TEST(Program, AnUnknownCommandSuggestsTheNearest) {
  const auto result = run_program("noise", {"injct"});
  EXPECT_EQ(result.exit_code, 2);
  EXPECT_THAT(result.err, HasSubstr("unknown command 'injct'; did you mean 'inject'?"));
}

TEST(Program, ASlipInAnOptionSuggestsTheRightOne) {
  const auto error = [](const std::vector<std::string>& words) {
    const auto result = run_program("noise", words);
    EXPECT_EQ(result.exit_code, 2);
    EXPECT_EQ(result.out, "");
    return result.err;
  };
  const std::string inject = "\nTry: noise inject --help\n";
  EXPECT_EQ(error({"inject", "--semantc=0.2"}),
            "noise: unknown option '--semantc'; did you mean '--semantic'?" + inject);
  EXPECT_EQ(error({"inject", "--semantc", "0.2"}),
            "noise: unknown option '--semantc'; did you mean '--semantic'?" + inject);
  EXPECT_EQ(error({"inject", "--out", "x"}),
            "noise: unknown option '--out'; did you mean '--output'?" + inject);
  EXPECT_EQ(error({"inject", "--nothing-like-it"}), "noise: unknown option '--nothing-like-it'" + inject);
  EXPECT_EQ(error({"export", "--fromat", "csv"}),
            "noise: unknown option '--fromat'; did you mean '--format'?\nTry: noise export --help\n")
      << "not: --format is required";
  EXPECT_EQ(error({"--semantc=0.2", "inject"}),
            "noise: unknown option '--semantc'; did you mean '--semantic'?" + inject);
  EXPECT_EQ(error({"--semantic", "0.2", "inject"}),
            "noise: option '--semantic' stands before its command; write it after 'noise inject'" + inject);
  EXPECT_EQ(error({"--semantc", "0.2"}),
            "noise: unknown option '--semantc'; did you mean '--semantic' of 'noise inject'?\n"
            "Try: noise --help\n");
}

TEST(Program, AUsageErrorEndsWithTheHelpOfItsCommand) {
  EXPECT_THAT(run_program("noise", {"confusion", "--format", "png"}).err,
              ::testing::EndsWith("\nTry: noise confusion --help\n"));
  EXPECT_THAT(
      run_program("taxo", {"query", "siblngs"}).err,
      AllOf(HasSubstr("did you mean 'siblings'?"), ::testing::EndsWith("\nTry: taxo query --help\n")));
}

TEST(Program, WithoutAWorkspaceSaysHowToMakeOne) {
  const TemporaryFolder folder;
  for (const auto& [program, command] : {std::pair{"noise", "inject"}, std::pair{"taxo", "show"}}) {
    std::vector<std::string> words{command};
    if (std::string(command) == "inject") words.insert(words.end(), {"--uniform", "0.2"});
    const auto result = run_program(program, words, {folder.path(), {}, ""});
    EXPECT_EQ(result.exit_code, 1);
    EXPECT_EQ(result.out, "");
    EXPECT_THAT(result.err, HasSubstr("taxo build"));
    EXPECT_EQ(lines_of(result.err).size(), 1u) << result.err;
  }
}

TEST(Program, TestsDoNotSeeTheDataAndWorkspaceOfTheUser) {
  ::setenv("PROCSIM_DATA", "/the/users/own", 1);
  ::setenv("PROCSIM_WORKSPACE", "/the/users/own", 1);
  const auto seen = run_program("/bin/sh", {"-c", "echo $PROCSIM_DATA,$PROCSIM_WORKSPACE"}).out;
  ::unsetenv("PROCSIM_DATA");
  ::unsetenv("PROCSIM_WORKSPACE");
  EXPECT_EQ(seen, ",\n");
}

TEST(Program, ProbabilitiesAreWrittenAsFractions) {
  const auto error = [](const std::string& rate) {
    return run_program("noise", {"inject", "--uniform", rate});
  };
  EXPECT_THAT(error("20").err, HasSubstr("write 0.2 for 20 %"));
  EXPECT_THAT(error("20%").err, HasSubstr("write 0.2 for 20 %"));
  EXPECT_THAT(error("1.5").err, HasSubstr("write 0.015 for 1.5 %"));
  EXPECT_THAT(error("-0.1").err, HasSubstr("number from 0 to 1"));
  EXPECT_THAT(error("nan").err, HasSubstr("number from 0 to 1"));
  EXPECT_THAT(error("").err, HasSubstr("number from 0 to 1"));
  for (const auto* rate : {"20", "20%", "-0.1", "nan"}) EXPECT_EQ(error(rate).exit_code, 2) << rate;
}

TEST(Program, SeedsAreWholeNumbersFromZeroOn) {
  std::vector<std::pair<std::string, std::vector<std::string>>> commands{
      {"noise", {"inject", "--seed"}},
      {"noise", {"sweep", "--seeds"}},
      {"curate", {"serve", "--seed"}},
      {"taxo", {"build", "cub200", "--split-seed"}}};
#ifdef PROCSIM_HAS_TRAIN
  commands.push_back({"procsim-train", {"--seed"}});
  commands.push_back({"procsim-train", {"score", "--seed"}});
#endif
  for (auto [program, words] : commands)
    for (const std::string seed : {"-1", "1.5", "99999999999999999999"}) {
      auto arguments = words;
      arguments.push_back(seed);
      const auto result = run_program(program, arguments);
      EXPECT_EQ(result.exit_code, 2) << program;
      EXPECT_THAT(result.err, HasSubstr(seed + " is no seed; write a whole number from 0 on")) << program;
    }
}

TEST(Program, AnErrorTakesOneLineWhateverItQuotes) {
  const auto result = run_program("noise", {"inject", "--uniform", "a\nb"});
  EXPECT_EQ(result.exit_code, 2);
  EXPECT_THAT(lines_of(result.err), testing::SizeIs(2)) << result.err;  // the second says: Try --help
  const auto missing = run_program("noise", {"stats", "--labels", "no\nsuch\r.parquet"});
  EXPECT_EQ(missing.exit_code, 1);
  EXPECT_EQ(missing.err, "noise: no\\nsuch\\x0d.parquet does not exist\n");
}

TEST(Program, AFullStandardOutputIsAnError) {
  const auto command = test::program_path("taxo").string() + " --help > /dev/full";
  const auto result = run_program("/bin/sh", {"-c", command});
  EXPECT_EQ(result.exit_code, 1);
  EXPECT_THAT(result.err, HasSubstr("standard output"));
}

}  // namespace
}  // namespace procsim
