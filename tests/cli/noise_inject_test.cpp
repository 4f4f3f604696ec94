#include <algorithm>
#include <csignal>
#include <fstream>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <poll.h>
#include <sys/inotify.h>
#include <sys/mount.h>
#include <unistd.h>

#include "data/files/file_name.hpp"
#include "data/labels/scores.hpp"
#include "tests/cli/noise_workspace.hpp"

namespace procsim {
namespace {

using test::lines_of;
using test::NoiseFiles;
using test::NoiseWorkspace;
using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::MatchesRegex;

TEST(NoiseInject, TakesEverythingFromTheWorkspace) {
  const NoiseWorkspace workspace;
  const auto result = workspace.noise({"inject", "--semantic", "0.2"});
  ASSERT_EQ(result.exit_code, 0) << result.err;
  EXPECT_THAT(result.out,
              MatchesRegex("wrote \\.procsim/labels/birds-semantic-0\\.2-seed1\\.parquet: changed [0-9,]+ of "
                           "2,160 labels \\(0\\.[0-9]+\\); guards: none bound\n"));
  EXPECT_THAT(result.err, AllOf(HasSubstr("labels: birds as published (labels/birds.parquet)"),
                                HasSubstr("taxonomy: birds (12 classes")));
  const auto record = Workspace::open(workspace.folder.path()).newest_label_set("birds");
  ASSERT_TRUE(record);
  EXPECT_EQ(record->kind, "inject");
  EXPECT_EQ(record->summary, "semantic 0.2 seed 1");
  EXPECT_EQ(record->path, "labels/birds-semantic-0.2-seed1.parquet");
  EXPECT_GT(record->changed, 300);
}

TEST(NoiseInject, SaysNothingOnStderrWhenQuiet) {
  const NoiseWorkspace workspace;
  const auto result = workspace.noise({"inject", "--uniform", "0.2", "--quiet"});
  EXPECT_EQ(result.exit_code, 0);
  EXPECT_EQ(result.err, "");
}

TEST(NoiseInject, NeedsNoWorkspaceWithExplicitFiles) {
  const NoiseFiles files;
  const auto result = files.noise({"inject", "--semantic", "0.3", "--labels", "clean.parquet", "--taxonomy",
                                   "birds.json", "-o", "noisy.parquet", "--seed", "9", "--json"});
  ASSERT_EQ(result.exit_code, 0) << result.err;
  const auto json = nlohmann::ordered_json::parse(result.out);
  EXPECT_EQ(json.at("output"), "noisy.parquet");
  EXPECT_EQ(json.at("labelled"), 2160);
  EXPECT_EQ(json.at("digest"), parts_digest(files.folder / "noisy.parquet"));
  EXPECT_THAT(files.names(), ElementsAre("birds.json", "clean.parquet", "noisy.parquet"));
}

TEST(NoiseInject, SameCommandSameBytes) {
  const NoiseFiles files;
  for (const auto* name : {"a.parquet", "b.parquet"}) {
    files.noise({"inject", "--mix", "semantic=0.15,uniform=0.05", "--labels", "clean.parquet", "--taxonomy",
                 "birds.json", "-o", name, "--threads", name[0] == 'a' ? "1" : "8"});
  }
  EXPECT_EQ(parts_digest(files.folder / "a.parquet"), parts_digest(files.folder / "b.parquet"));
}

TEST(NoiseInject, AProbabilityIsWrittenAsAShare) {
  const NoiseFiles files;
  for (const auto* word : {"20", "20%", "-0.1", "1.5", "nan", "inf", "abc", ""}) {
    const auto result = files.noise(
        {"inject", std::string("--uniform=") + word, "--labels", "clean.parquet", "-o", "x.parquet"});
    EXPECT_EQ(result.exit_code, 2) << word;
    EXPECT_EQ(result.out, "");
  }
  EXPECT_THAT(files.noise({"inject", "--uniform", "20%", "--labels", "clean.parquet", "-o", "x.parquet"}).err,
              HasSubstr("write 0.2 for 20 %"));
  EXPECT_EQ(files.noise({"inject", "--mix", "uniform=20", "--labels", "clean.parquet", "-o", "x.parquet"})
                .exit_code,
            2);
  EXPECT_EQ(
      files.noise({"inject", "--mix", "uniform=0.7,semantic=0.7", "--labels", "clean.parquet", "-o", "x"})
          .exit_code,
      2);
}

TEST(NoiseInject, OneModelMustBeGivenAndOnlyOne) {
  const NoiseFiles files;
  EXPECT_EQ(files.noise({"inject", "--labels", "clean.parquet", "-o", "x.parquet"}).exit_code, 2);
  const auto two =
      files.noise({"inject", "--uniform", "0.1", "--pair", "0.1", "--labels", "clean.parquet", "-o", "x"});
  EXPECT_EQ(two.exit_code, 2);
  EXPECT_THAT(two.err, HasSubstr("--mix"));
  const auto slip =
      files.noise({"inject", "--mix", "semantik=0.1", "--labels", "clean.parquet", "-o", "x.parquet"});
  EXPECT_EQ(slip.exit_code, 2);
  EXPECT_THAT(slip.err, HasSubstr("did you mean 'semantic'"));
}

TEST(NoiseInject, BadMatricesAreRefusedInOneLine) {
  const NoiseFiles files;
  files.folder.write("sum.csv", "class,Barn Owl,Osprey\nBarn Owl,0.7,0.2\n");
  files.folder.write("name.csv", "from,to,probability\nBarn Owl,Bern Owl,1\n");
  const auto with = [&](const char* name) {
    return files.noise({"inject", "--matrix", name, "--labels", "clean.parquet", "-o", "x.parquet"});
  };
  const auto sum = with("sum.csv");
  EXPECT_EQ(sum.exit_code, 1);
  EXPECT_EQ(lines_of(sum.err), 1);
  EXPECT_THAT(sum.err, AllOf(HasSubstr("sum.csv"), HasSubstr("'Barn Owl' sums to 0.9")));
  const auto name = with("name.csv");
  EXPECT_EQ(name.exit_code, 1);
  EXPECT_THAT(name.err, HasSubstr("did you mean 'Barn Owl'"));
  EXPECT_EQ(with("absent.csv").exit_code, 1);
  EXPECT_FALSE(std::filesystem::exists(files.folder / "x.parquet"));
}

TEST(NoiseInject, ATaxonomyOfAnotherDataSetIsRefused) {
  const NoiseFiles files;
  files.folder.write("other.json", test::birds().to_json());
  const auto result = files.noise({"inject", "--semantic", "0.2", "--labels", "clean.parquet", "--taxonomy",
                                   "other.json", "-o", "x.parquet"});
  EXPECT_EQ(result.exit_code, 1);
  EXPECT_EQ(lines_of(result.err), 1);
  EXPECT_THAT(result.err, AllOf(HasSubstr("other.json"), HasSubstr("6 classes there, 12 here")));
}

TEST(NoiseInject, SemanticNoiseWithoutATaxonomySaysWhatToDo) {
  const NoiseFiles files;
  const auto result =
      files.noise({"inject", "--semantic", "0.2", "--labels", "clean.parquet", "-o", "x.parquet"});
  EXPECT_EQ(result.exit_code, 1);
  EXPECT_THAT(result.err, AllOf(HasSubstr("taxo build birds"), HasSubstr("--taxonomy")));
}

TEST(NoiseInject, ACorruptedParentIsAllowedAndRemembered) {
  const NoiseWorkspace workspace;
  ASSERT_EQ(workspace.noise({"inject", "--semantic", "0.2"}).exit_code, 0);
  const auto first = ".procsim/labels/birds-semantic-0.2-seed1.parquet";
  const auto result = workspace.noise({"inject", "--uniform", "0.1", "--labels", first});
  ASSERT_EQ(result.exit_code, 0) << result.err;
  EXPECT_THAT(result.out, HasSubstr("birds-semantic-0.2-seed1-uniform-0.1-seed1.parquet"));
  const auto info =
      LabelSetReader(workspace.folder / ".procsim/labels/birds-semantic-0.2-seed1-uniform-0.1-seed1.parquet")
          .info();
  EXPECT_EQ(info.provenance.at("parent").at("summary"), "semantic 0.2 seed 1");
  EXPECT_EQ(workspace.noise({"verify"}).exit_code, 0);
}

TEST(NoiseInject, AnExistingOutputIsReplacedOnlyWithForce) {
  const NoiseFiles files;
  const std::vector<std::string> command{"inject",        "--uniform", "0.2",          "--labels",
                                         "clean.parquet", "-o",        "noisy.parquet"};
  ASSERT_EQ(files.noise(command).exit_code, 0);
  const auto before = parts_digest(files.folder / "noisy.parquet");
  auto again = command;
  again.insert(again.end(), {"--seed", "2"});
  const auto refused = files.noise(again);
  EXPECT_EQ(refused.exit_code, 1);
  EXPECT_THAT(refused.err, HasSubstr("noisy.parquet already exists. Use --force to replace it."));
  EXPECT_EQ(parts_digest(files.folder / "noisy.parquet"), before);
  again.push_back("--force");
  EXPECT_EQ(files.noise(again).exit_code, 0);
  EXPECT_NE(parts_digest(files.folder / "noisy.parquet"), before);
}

TEST(NoiseInject, UnknownClassesAndSplitsAreNamed) {
  const NoiseFiles files;
  const auto name = files.noise(
      {"inject", "--uniform", "0.2", "--classes", "Barn Oul", "--labels", "clean.parquet", "-o", "x"});
  EXPECT_EQ(name.exit_code, 1);
  EXPECT_THAT(name.err, HasSubstr("did you mean 'Barn Owl'"));
  const auto split =
      files.noise({"inject", "--uniform", "0.2", "--split", "valid", "--labels", "clean.parquet", "-o", "x"});
  EXPECT_EQ(split.exit_code, 1);
  EXPECT_THAT(split.err, HasSubstr("it has test, train"));
  EXPECT_EQ(files.noise({"inject", "--uniform", "0.2", "--labels", "absent.parquet", "-o", "x"}).exit_code,
            1);
  EXPECT_EQ(files.noise({"inject", "--uniform", "0.2", "--labels", "birds.json", "-o", "x"}).exit_code, 1);
}

TEST(NoiseInject, GuardsSayWhereTheyBind) {
  const NoiseFiles files(240);
  files.folder.write("map.csv", "from,to\nBarn Owl,Osprey\n");
  const auto result = files.noise(
      {"inject", "--pair", "1", "--pair-map", "map.csv", "--labels", "clean.parquet", "-o", "noisy.parquet"});
  ASSERT_EQ(result.exit_code, 0) << result.err;
  EXPECT_THAT(result.err, HasSubstr("guard: 2 labels of 'Barn Owl' stay"));
  EXPECT_THAT(result.out, HasSubstr("guards kept 2 labels"));
}

TEST(NoiseInject, OfManyClassesWhereGuardsBindTheFirstAreNamed) {
  const NoiseFiles files(240);
  LabelSet set;
  set.info.dataset = "many";
  for (int label = 0; label < 100; ++label) {
    set.info.classes.push_back({"class " + std::to_string(label), "", ""});
    for (int i = 0; i < 2; ++i)
      set.rows.push_back({2 * label + i, std::to_string(2 * label + i) + ".jpg", "train", label, label});
  }
  write_label_set(files.folder / "many.parquet", set, IfExists::kFail);
  const auto result =
      files.noise({"inject", "--uniform", "0.9", "--labels", "many.parquet", "-o", "noisy.parquet"});
  ASSERT_EQ(result.exit_code, 0) << result.err;
  EXPECT_THAT(result.err, HasSubstr("more classes"));
  std::size_t lines = 0;
  for (auto at = result.err.find("guard: "); at != std::string::npos; at = result.err.find("guard: ", at + 1))
    ++lines;
  EXPECT_EQ(lines, 10U);
}

TEST(NoiseInject, ShardsMakeAFolderThatIsOneLabelSet) {
  const NoiseWorkspace workspace;
  ASSERT_EQ(workspace.noise({"inject", "--semantic", "0.2"}).exit_code, 0);
  for (int shard = 1; shard <= 4; ++shard) {
    const auto result =
        workspace.noise({"inject", "--semantic", "0.2", "--shard", std::to_string(shard) + "/4"});
    ASSERT_EQ(result.exit_code, 0) << result.err;
    EXPECT_THAT(result.out,
                HasSubstr("part-0000" + std::to_string(shard) + "-of-00004.parquet (600 rows of 2,400)"));
  }
  const auto folder = workspace.folder / ".procsim/labels/birds-semantic-0.2-seed1";
  EXPECT_EQ(read_label_set(folder).rows,
            read_label_set(workspace.folder / ".procsim/labels/birds-semantic-0.2-seed1.parquet").rows);
  EXPECT_EQ(Workspace::open(workspace.folder.path()).newest_label_set("birds")->path,
            "labels/birds-semantic-0.2-seed1");
  const auto verified = workspace.noise({"verify"});
  EXPECT_EQ(verified.exit_code, 0) << verified.out << verified.err;
  for (const auto* word : {"0/4", "5/4", "x", "1/", "1"}) {
    EXPECT_EQ(workspace.noise({"inject", "--semantic", "0.2", "--shard", word}).exit_code, 2) << word;
  }
}

TEST(NoiseInject, OpenSetImagesComeFromAnotherLabelSet) {
  const NoiseFiles files;
  LabelSet cars{{"cars", {{"Audi", "audi", ""}}, nlohmann::ordered_json::object()}, {}};
  for (int i = 0; i < 600; ++i) cars.rows.push_back({i, std::to_string(i) + ".jpg", "train", 0, 0});
  write_label_set(files.folder / "cars.parquet", cars, IfExists::kFail);
  const std::vector<std::string> command{"inject",        "--open-set", "0.1",         "--labels",
                                         "clean.parquet", "-o",         "open.parquet"};
  EXPECT_EQ(files.noise(command).exit_code, 2);  // from where?
  auto with = command;
  with.insert(with.end(), {"--foreign", "cars.parquet"});
  EXPECT_THAT(files.noise(with).err, HasSubstr("--foreign-prefix"));
  with.insert(with.end(), {"--foreign-prefix", "../cars/"});
  const auto result = files.noise(with);
  ASSERT_EQ(result.exit_code, 0) << result.err;
  EXPECT_THAT(result.out, MatchesRegex(".*changed 0 of 2,160 labels .*, replaced [0-9]+ images.*\n"));
  EXPECT_EQ(files
                .noise({"verify", "--labels", "open.parquet", "--parent", "clean.parquet", "--foreign",
                        "cars.parquet"})
                .exit_code,
            0);
}

TEST(NoiseInject, KnnNoiseGoesToTheRivalsOfAScoresFile) {
  const NoiseFiles files;
  const auto clean = read_label_set(files.folder / "clean.parquet");
  ScoresWriter writer(files.folder / "scores.parquet", IfExists::kFail);
  std::vector<ScoreRow> rows;
  for (const auto& row : clean.rows) {
    ScoreRow score;
    score.sample_id = row.sample_id;
    score.path = row.path;
    score.label = row.label;
    score.rivals = {{static_cast<std::int32_t>(row.sample_id % 12), 0.5f}, {(row.label + 1) % 12, 0.25f}};
    rows.push_back(score);
  }
  writer.append(rows);
  writer.finish({clean.info.dataset, clean.info.classes, {}, {}});
  const auto result = files.noise({"inject", "--knn", "0.4", "--scores", "scores.parquet", "--labels",
                                   "clean.parquet", "-o", "noisy.parquet"});
  ASSERT_EQ(result.exit_code, 0) << result.err;
  std::int64_t changed = 0;
  for (const auto& row : read_label_set(files.folder / "noisy.parquet").rows) {
    if (row.label == *row.true_label) continue;
    ++changed;
    EXPECT_TRUE(row.label == row.sample_id % 12 || row.label == (*row.true_label + 1) % 12);
  }
  EXPECT_GT(changed, 700);
  EXPECT_EQ(files.noise({"verify", "--labels", "noisy.parquet"}).exit_code, 0);
  EXPECT_EQ(files.noise({"inject", "--knn", "0.4", "--labels", "clean.parquet", "-o", "x.parquet"}).exit_code,
            2);
}

// --- the disk is full, the process is killed
// ----------------------------------------------------------------------

TEST(NoiseInject, AFileSizeLimitMidWayLeavesNothingBehind) {
  const NoiseFiles files(300000);
  const auto program = test::program_path("noise").string();
  test::ProgramOptions options;
  options.folder = files.folder.path();
  const auto result =
      test::run_program("/bin/sh",
                        {"-c", "ulimit -f 400; exec " + program +
                                   " inject --uniform 0.2 --labels clean.parquet -o noisy.parquet"},
                        options);
  EXPECT_EQ(result.exit_code, 1);
  EXPECT_EQ(lines_of(result.err), 1) << result.err;
  EXPECT_THAT(result.err, HasSubstr("noisy.parquet"));
  EXPECT_THAT(files.names(), ElementsAre("birds.json", "clean.parquet"));
}

TEST(NoiseInject, AFullDiskMidWayLeavesNothingBehind) {
  const NoiseFiles files(300000);
  const auto disk = files.folder / "disk";
  std::filesystem::create_directory(disk);
  if (::mount("tmpfs", disk.c_str(), "tmpfs", 0, "size=512k") != 0)
    GTEST_SKIP() << "may not mount a small disk here; a limit on files is tested above";
  const auto result =
      files.noise({"inject", "--uniform", "0.2", "--labels", "clean.parquet", "-o", "disk/noisy.parquet"});
  const auto left = files.names("disk");
  ::umount(disk.c_str());
  EXPECT_EQ(result.exit_code, 1);
  EXPECT_EQ(lines_of(result.err), 1) << result.err;
  EXPECT_THAT(result.err, AllOf(HasSubstr("disk/noisy.parquet"), HasSubstr("No space left")));
  EXPECT_THAT(left, IsEmpty());
}

TEST(NoiseInject, KillMidWayLeavesNoFileOfThatNameAndTheNextRunWorks) {
  const NoiseFiles files(300000);
  const auto out = files.folder / "out";
  std::filesystem::create_directory(out);
  const int watch = ::inotify_init1(IN_CLOEXEC);
  ASSERT_GE(watch, 0);
  ASSERT_GE(::inotify_add_watch(watch, out.c_str(), IN_MODIFY), 0);
  const auto labels = (files.folder / "clean.parquet").string();
  const auto target = (out / "noisy.parquet").string();
  test::RunningProgram injection("noise",
                                 {"inject", "--uniform", "0.2", "--quiet", "--labels", labels, "-o", target});
  pollfd waiting{watch, POLLIN, 0};
  ASSERT_EQ(::poll(&waiting, 1, 120000), 1)
      << "nothing was written";  // the first bytes of the unfinished file
  const auto killed = injection.stop(SIGKILL);
  ::close(watch);
  ASSERT_EQ(killed.exit_code, 128 + SIGKILL) << "it ended before it could be killed";
  EXPECT_FALSE(std::filesystem::exists(target));
  EXPECT_EQ(
      files.noise({"inject", "--uniform", "0.2", "--labels", "clean.parquet", "-o", "out/noisy.parquet"})
          .exit_code,
      0);
  EXPECT_EQ(read_label_set(out).rows.size(),
            300000u);  // what the killed run left behind is no part of the folder
}

TEST(NoiseInject, EveryHelpEndsWithAnExample) {
  const NoiseFiles files(24);
  for (const auto* command :
       {"inject", "sweep", "verify", "stats", "confusion", "diff", "import", "export"}) {
    const auto result = files.noise({command, "--help"});
    EXPECT_EQ(result.exit_code, 0);
    EXPECT_THAT(result.out, HasSubstr(std::string("Example:\n  noise ") + command)) << command;
    EXPECT_EQ(result.err, "");
  }
  EXPECT_EQ(files.noise({}).exit_code, 2);
  EXPECT_THAT(files.noise({"injekt"}).err, HasSubstr("did you mean 'inject'"));
}

}  // namespace
}  // namespace procsim
