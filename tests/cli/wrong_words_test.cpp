// A wrong word of the command line is found before anything is opened: in an empty folder without a workspace
// it is exit 2 with the option's name, not exit 1 because the workspace is missing.

#include <cctype>
#include <filesystem>
#include <ostream>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/support/run_program.hpp"
#include "tests/support/test_files.hpp"

namespace procsim::test {
namespace {

using ::testing::EndsWith;
using ::testing::HasSubstr;

using Words = std::vector<std::string>;

struct WrongWord {
  std::string program;
  Words words;         // the command line
  std::string option;  // that the message names
  std::string help;    // whose help it ends with: "noise inject"
};

void PrintTo(const WrongWord& wrong, std::ostream* out) {
  *out << fmt::format("{} {}", wrong.program, fmt::join(wrong.words, " "));
}

// The command line `command` (program, its subcommands, what it requires) with a wrong word for an option.
// What the option needs beside it stands in `more`.
struct Command {
  std::string program;
  Words names;
  Words required;

  WrongWord with(const std::string& option, const std::string& value, const Words& more = {}) const {
    auto wrong = with_words({option, value}, option);
    wrong.words.insert(wrong.words.end(), more.begin(), more.end());
    return wrong;
  }
  WrongWord with_words(const Words& added, const std::string& named) const {
    auto words = names;
    words.insert(words.end(), required.begin(), required.end());
    words.insert(words.end(), added.begin(), added.end());
    auto help = program;
    for (const auto& name : names) help += " " + name;
    return {program, words, named, help};
  }
};

// A place that nothing can be written to.
constexpr const char* kUri = "s3://bucket/x";

class WrongWords : public ::testing::TestWithParam<WrongWord> {};

TEST_P(WrongWords, AreUsageErrorsWithoutAWorkspace) {
  const TemporaryFolder folder;
  const auto& [program, words, option, help] = GetParam();
  ProgramOptions options;
  options.folder = folder.path();
  const auto result = run_program(program, words, options);
  EXPECT_EQ(result.exit_code, 2) << result.err;
  EXPECT_EQ(result.out, "");
  EXPECT_THAT(result.err, HasSubstr(option));
  EXPECT_THAT(result.err, EndsWith("\nTry: " + help + " --help\n"));
  EXPECT_TRUE(std::filesystem::is_empty(folder.path())) << "nothing is opened, nothing is made";
}

std::vector<WrongWord> wrong_words_of_taxo() {
  const Command build{"taxo", {"build"}, {"cub200"}}, import{"taxo", {"import"}, {"t.csv", "--dataset", "d"}},
      show{"taxo", {"show"}, {}}, outcome{"taxo", {"export"}, {"-o", "tree.svg"}},
      similarity{"taxo", {"query", "similarity"}, {"a", "b"}}, completion{"taxo", {"completion"}, {}};
  return {build.with("--split", "nope"),
          build.with("--split-seed", "-1"),
          import.with("--format", "nope"),
          Command{"taxo", {"import"}, {"tree.nope", "--dataset", "d"}}.with_words({}, "--format"),
          show.with("--depth", "deep"),
          outcome.with("--format", "nope"),
          outcome.with("--layout", "nope"),
          outcome.with("--measure", "nope"),
          outcome.with_words({"--full"}, "--full"),
          Command{"taxo", {"export"}, {}}.with_words({}, "--format"),
          Command{"taxo", {"export"}, {}}.with_words({"--format", "parquet"}, "-o FILE"),
          similarity.with("--measure", "nope"),
          completion.with_words({"nope"}, "shell"),
          outcome.with("--workspace", kUri),
          Command{"taxo", {"export"}, {}}.with("--output", kUri),
          Command{"taxo", {"doctor"}, {}}.with("--backup", kUri)};
}

std::vector<WrongWord> wrong_words_of_noise() {
  const Command inject{"noise", {"inject"}, {}}, uniform{"noise", {"inject"}, {"--uniform", "0.2"}},
      sweep{"noise", {"sweep"}, {}}, verify{"noise", {"verify"}, {}}, confusion{"noise", {"confusion"}, {}},
      diff{"noise", {"diff"}, {"a", "b"}}, import{"noise", {"import"}, {"l.csv"}},
      outcome{"noise", {"export"}, {"-o", "x"}};
  std::vector<WrongWord> wrong{inject.with_words({}, "--uniform"),
                               inject.with("--mix", "nope=0.2"),
                               inject.with("--mix", "uniform"),
                               inject.with("--mix", "uniform=2"),
                               inject.with("--mix", "matrix=0.2"),
                               inject.with("--mix", "uniform=0.7,semantic=0.7"),
                               inject.with("--mix", "uniform=0.1,uniform=0.1"),
                               inject.with_words({"--open-set", "0.2"}, "--foreign"),
                               inject.with("--class-rates", "r.csv", {"--replay", "l.csv"}),
                               inject.with_words({"--exact", "--replay", "l.csv"}, "--exact"),
                               uniform.with_words({"--semantic", "0.2"}, "--mix"),
                               uniform.with("--internal", "nope"),
                               uniform.with("--pair-map", "m.csv"),
                               uniform.with("--level", "0"),
                               uniform.with("--temperature", "0"),
                               uniform.with("--rivals", "-1"),
                               uniform.with("--min-per-class", "-1"),
                               uniform.with_words({"--stratify"}, "--stratify"),
                               uniform.with("--shard", "0/4"),
                               uniform.with("--shard", "nope"),
                               uniform.with("--seed", "-1"),
                               uniform.with("--threads", "-1"),
                               sweep.with("--models", "nope"),
                               sweep.with("--models", "matrix"),
                               sweep.with("--models", "open-set"),
                               sweep.with("--rates", "20"),
                               sweep.with("--seeds", "-1"),
                               sweep.with("--internal", "nope"),
                               sweep.with("--level", "0"),
                               sweep.with("--temperature", "0"),
                               verify.with("--rate", "20"),
                               verify.with("--top", "-1"),
                               Command{"noise", {"stats"}, {}}.with("--threads", "-1"),
                               confusion.with("--format", "nope"),
                               diff.with("--top", "-1"),
                               import.with("--format", "nope"),
                               outcome.with("--format", "nope")};
  for (const auto* model :
       {"--uniform", "--semantic", "--pair", "--superclass", "--distance", "--knn", "--open-set"})
    wrong.push_back(inject.with(model, "20"));
  return wrong;
}

std::vector<WrongWord> wrong_words_of_curate() {
  const Command apply{"curate", {"apply"}, {}}, serve{"curate", {"serve"}, {}},
      outcome{"curate", {"export"}, {}}, report{"curate", {"report"}, {}};
  return {apply.with("--auto", "20"),
          apply.with("--auto-action", "nope"),
          apply.with("--huggingface", kUri),
          apply.with("--unresolved", "nope"),
          apply.with("--min-agreement", "0"),
          serve.with("--audit", "20"),
          serve.with("--audit", "1"),
          serve.with("--planted", "20"),
          serve.with("--planted", "0.6", {"--audit", "0.6"}),
          serve.with("--reviews", "0"),
          serve.with("--reviews", "-1"),
          serve.with("--seed", "-1"),
          serve.with("--port", "70000"),
          serve.with("--top", "-1"),
          outcome.with("--format", "nope"),
          outcome.with("--format", "decisions"),
          outcome.with("--images", kUri),
          outcome.with_words({"--format", "csv", "--config"}, "--config"),
          report.with("--format", "nope"),
          report.with("--format", "html,nope"),
          report.with("--run", "a", {"--scores", "b"}),
          Command{"curate", {"import"}, {"f.json"}}.with("--format", "nope"),
          Command{"curate", {"import-scores"}, {"p.npy"}}.with("--rivals", "0"),
          Command{"curate", {"agreement"}, {}}.with("--top", "-1"),
          Command{"curate", {"hierarchy"}, {}}.with("--top", "-1"),
          Command{"curate", {"diff"}, {}}.with("--top", "-1"),
          Command{"curate", {"diff"}, {}}.with_words({"one.parquet"}, "two label sets"),
          Command{"curate", {"log"}, {}}.with("--sample", "nope")};
}

#ifdef PROCSIM_HAS_TRAIN
std::vector<WrongWord> wrong_words_of_train() {
  const Command train{"procsim-train", {}, {}}, preset{"procsim-train", {}, {"--preset", "fieldguide"}},
      score{"procsim-train", {"score"}, {}}, guide{"procsim-train", {"guide"}, {}},
      resumed{"procsim-train", {}, {"--resume"}};
  std::vector<WrongWord> wrong{
      train.with("--preset", "nope"),
      train.with("--device", "nope"),
      train.with("--cache", kUri),
      train.with("--output", kUri),
      train.with("--workers", "-1"),
      train.with("--name", "a/b"),
      train.with("--seed", "-1"),
      train.with("--backbone", "net.pt"),  // without --trust-code
      train.with("--train-from", "nope"),
      train.with("--batch", "7", {"--per-class", "2"}),
      preset.with("--batch", "50"),  // no multiple of what the preset says
      preset.with("--train-from", "block11"),
      resumed.with("--loss", "ms"),
      score.with("--backbone", "nope"),
      score.with("--save-embeddings", kUri),
      score.with("--image-size", "1"),
      score.with("--folds", "1"),
      score.with("--rounds", "0"),
      score.with("--fold-models", "1"),
      score.with("--checkpoint", "nope"),
      score.with("--device", "nope"),
      score.with_words({"--no-train", "--embeddings", "f"}, "--no-train"),
      score.with_words({"--no-train", "--run", "r"}, "--no-train"),
      score.with_words({"--no-train", "--fold-models", "2"}, "--fold-models"),
      score.with_words({"--no-taxonomy", "--taxonomy", "t"}, "--no-taxonomy"),
      guide.with("--guidance-per", "nope"),
      guide.with("--guidance-ranks", "0"),
      guide.with("--guidance-backbone", "nope"),
      guide.with("--text-pooling", "nope"),
      Command{"procsim-train", {"eval"}, {}}.with("--checkpoint", "nope"),
      Command{"procsim-train", {"eval"}, {}}.with("--sheets", "-1"),
      Command{"procsim-train", {"eval"}, {}}.with("--output", kUri),
      Command{"procsim-train", {"runs"}, {}}.with("--html", kUri),
      Command{"procsim-train", {"table"}, {"ablation"}}.with("--output", kUri),
      Command{"procsim-train", {"embed"}, {"-o", "e.parquet"}}.with("--split", "nope"),
      Command{"procsim-train", {"export"}, {"-o", "m"}}.with("--checkpoint", "nope")};
  for (const auto* option :
       {"--loss", "--confidence", "--confidence-from", "--confidence-scope", "--threshold", "--guidance",
        "--guidance-per", "--guidance-backbone", "--text-pooling", "--proxy-init", "--backbone",
        "--head-init", "--batch-norm", "--optimizer", "--precision"}) {
    wrong.push_back(train.with(option, "nope"));
    wrong.push_back(preset.with(option, "nope"));
  }
  for (const auto* option : {"--lambda", "--warmup", "--ms-alpha", "--proxy-scale", "--lr", "--epochs",
                             "--batch", "--per-class", "--image-size", "--views", "--eval-every", "--omega"})
    wrong.push_back(train.with(option, "-1"));
  return wrong;
}
#endif

std::vector<WrongWord> wrong_words() {
  auto all = wrong_words_of_taxo();
  const auto add = [&](const std::vector<WrongWord>& more) {
    all.insert(all.end(), more.begin(), more.end());
  };
  add(wrong_words_of_noise());
  add(wrong_words_of_curate());
#ifdef PROCSIM_HAS_TRAIN
  add(wrong_words_of_train());
#endif
  return all;
}

std::string name_of(const ::testing::TestParamInfo<WrongWord>& info) {
  auto name = fmt::format("{}_{}_{}", info.param.program, fmt::join(info.param.words, "_"), info.index);
  std::erase_if(name, [](unsigned char letter) { return std::isalnum(letter) == 0 && letter != '_'; });
  return name;
}

INSTANTIATE_TEST_SUITE_P(EveryCommand, WrongWords, ::testing::ValuesIn(wrong_words()), name_of);

}  // namespace
}  // namespace procsim::test
