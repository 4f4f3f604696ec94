// stats, confusion, diff, import, export and sweep.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/cli/noise_workspace.hpp"

namespace procsim {
namespace {

using test::NoiseFiles;
using test::NoiseWorkspace;
using testing::AllOf;
using testing::HasSubstr;
using testing::Not;
using testing::SizeIs;

TEST(NoiseStats, DescribesTheNewestLabelSet) {
  const NoiseWorkspace workspace;
  ASSERT_EQ(workspace.noise({"inject", "--semantic", "0.2", "--exact"}).exit_code, 0);
  const auto result = workspace.noise({"stats", "--per-class"});
  ASSERT_EQ(result.exit_code, 0) << result.err;
  EXPECT_THAT(result.out, AllOf(HasSubstr("wrong labels    432 of 2,160: 0.2000, 95 % interval 0.18"),
                                HasSubstr("432 of 432 errors (100.0 %) stay below the true class's parent"),
                                HasSubstr("Blue-winged Warbler")));
  const auto json = nlohmann::ordered_json::parse(workspace.noise({"stats", "--json"}).out);
  EXPECT_EQ(json.at("wrong"), 432);
  EXPECT_THAT(json.at("classes"), SizeIs(12));
  EXPECT_LT(json.at("tree").at("mean_distance").get<double>(),
            json.at("tree").at("mean_distance_uniform").get<double>());
}

TEST(NoiseConfusion, WritesPicturesThatParse) {
  const NoiseWorkspace workspace;
  ASSERT_EQ(workspace.noise({"inject", "--semantic", "0.4"}).exit_code, 0);
  for (const auto* format : {"svg", "html", "csv"}) {
    const auto name = std::string("c.") + format;
    ASSERT_EQ(workspace.noise({"confusion", "--format", format, "-o", name}).exit_code, 0);
    EXPECT_EQ(workspace.noise({"confusion", "--format", format, "-o", name}).exit_code, 0);  // it is equal
  }
  workspace.folder.write("mine.svg", "mine");
  EXPECT_EQ(workspace.noise({"confusion", "-o", "mine.svg"}).exit_code, 1);
  EXPECT_EQ(test::read_all(workspace.folder / "mine.svg"), "mine");
  const auto parsed = test::run_program(
      test::python_program().string(),
      {"-c",
       "import sys, xml.dom.minidom as m; print(len(m.parse(sys.argv[1]).getElementsByTagName('path')))",
       (workspace.folder / "c.svg").string()});
  EXPECT_EQ(parsed.exit_code, 0) << parsed.err;
  const auto to_stdout = workspace.noise({"confusion"});
  EXPECT_EQ(to_stdout.out, test::read_all(workspace.folder / "c.svg"));
  EXPECT_EQ(workspace.noise({"confusion", "--format", "png"}).exit_code, 2);
}

TEST(NoiseDiff, CountsAndListsChanges) {
  const NoiseFiles files;
  ASSERT_EQ(
      files.noise({"inject", "--pair", "0.5", "--exact", "--labels", "clean.parquet", "-o", "noisy.parquet"})
          .exit_code,
      0);
  const auto result = files.noise({"diff", "clean.parquet", "noisy.parquet"});
  EXPECT_EQ(result.exit_code, 0);
  EXPECT_THAT(
      result.out,
      AllOf(
          HasSubstr("1,080 of 2,400 common samples carry another label (1,080 right before, 0 right after)"),
          HasSubstr("Barn Owl → Osprey")));
  const auto rows = files.noise({"diff", "clean.parquet", "noisy.parquet", "--rows"});
  EXPECT_EQ(test::lines_of(rows.out), 1081);
  EXPECT_EQ(files.noise({"diff", "clean.parquet", "absent.parquet"}).exit_code, 1);
}

TEST(NoiseDiff, ATruthThatWasUnknownBeforeIsNoOther) {
  const NoiseFiles files;
  auto own = test::even_labels(files.taxonomy, 240);
  for (auto& row : own.rows) row.true_label.reset();
  write_label_set(files.folder / "own.parquet", own, IfExists::kFail);
  ASSERT_EQ(
      files.noise({"inject", "--uniform", "0.2", "--labels", "own.parquet", "-o", "noisy.parquet"}).exit_code,
      0);
  EXPECT_EQ(files.noise({"verify", "--labels", "noisy.parquet", "--parent", "own.parquet"}).exit_code, 0);
  const auto result = files.noise({"diff", "own.parquet", "noisy.parquet"});
  EXPECT_THAT(result.out, AllOf(HasSubstr("0 right after"), Not(HasSubstr("another true label"))));
}

TEST(NoiseImport, ReadsBackWhatPrismListsSay) {
  const NoiseWorkspace workspace;
  ASSERT_EQ(workspace.noise({"inject", "--uniform", "0.3", "-o", "noisy.parquet"}).exit_code, 0);
  ASSERT_EQ(workspace
                .noise({"export", "--labels", "noisy.parquet", "--format", "prism", "-o", "list.csv",
                        "--image-prefix", "/data/birds/"})
                .exit_code,
            0);
  const auto result = workspace.noise({"import", "list.csv"});
  ASSERT_EQ(result.exit_code, 0) << result.err;
  EXPECT_THAT(result.err, HasSubstr("counted from 1"));
  EXPECT_EQ(read_label_set(workspace.folder / ".procsim/labels/birds-list.parquet").rows,
            read_label_set(workspace.folder / "noisy.parquet").rows);
  EXPECT_EQ(Workspace::open(workspace.folder.path()).newest_label_set("birds")->kind, "import");
  EXPECT_EQ(
      workspace.noise({"verify", "--labels", ".procsim/labels/birds-list.parquet", "--replay", "list.csv"})
          .exit_code,
      0);
  // The same through --replay.
  ASSERT_EQ(workspace.noise({"inject", "--replay", "list.csv", "-o", "replayed.parquet"}).exit_code, 0);
  EXPECT_EQ(read_label_set(workspace.folder / "replayed.parquet").rows,
            read_label_set(workspace.folder / "noisy.parquet").rows);
}

TEST(NoiseImport, PicklesAreNotRun) {
  const NoiseFiles files;
  files.folder.write("CIFAR-10_human.pt", "PK\x03\x04 archive");
  const auto result =
      files.noise({"import", "CIFAR-10_human.pt", "--labels", "clean.parquet", "-o", "x.parquet"});
  EXPECT_EQ(result.exit_code, 1);
  EXPECT_THAT(result.err, AllOf(HasSubstr("pickle"), HasSubstr("numpy.save")));
  EXPECT_EQ(files.noise({"import", "--labels", "clean.parquet", "-o", "x.parquet"}).exit_code, 2);
}

TEST(NoiseExport, WritesCsvAndLinks) {
  const NoiseWorkspace workspace(120);
  workspace.folder.write("images/images/0.jpg", "zero");
  ASSERT_EQ(workspace.noise({"export", "--format", "csv", "-o", "all.csv"}).exit_code, 0);
  EXPECT_EQ(test::lines_of(test::read_all(workspace.folder / "all.csv")), 121);
  ASSERT_EQ(workspace.noise({"export", "--format", "imagefolder", "-o", "links"}).exit_code, 0);
  EXPECT_EQ(test::read_all(workspace.folder / "links/train/Heermann Gull/1-0.jpg"), "zero");
  EXPECT_EQ(workspace.noise({"export", "--format", "csv", "-o", "all.csv"}).exit_code, 1);
  EXPECT_EQ(workspace.noise({"export"}).exit_code, 2);
}

TEST(NoiseSweep, WritesThePapersGridOnce) {
  const NoiseWorkspace workspace;
  const auto result = workspace.noise({"sweep"});
  ASSERT_EQ(result.exit_code, 0) << result.err;
  EXPECT_EQ(test::lines_of(result.out), 9);
  EXPECT_THAT(result.out, AllOf(HasSubstr("birds-none-seed1.parquet: changed 0 of"),
                                HasSubstr("birds-uniform-0.5-seed1.parquet"),
                                HasSubstr("birds-semantic-0.3-seed1.parquet")));
  const auto again = workspace.noise({"sweep"});
  EXPECT_EQ(again.exit_code, 0);
  EXPECT_THAT(again.out, AllOf(Not(HasSubstr("wrote")), HasSubstr("is there already")));
  const auto seeds =
      workspace.noise({"sweep", "--models", "semantic", "--rates", "0.2", "--seeds", "1,2,3", "--json"});
  ASSERT_EQ(seeds.exit_code, 0) << seeds.err;
  EXPECT_THAT(nlohmann::ordered_json::parse(seeds.out), SizeIs(4));
  EXPECT_EQ(workspace.noise({"sweep", "--rates", "20"}).exit_code, 2);
  EXPECT_EQ(workspace.noise({"sweep", "--models", "semantik"}).exit_code, 2);
}

}  // namespace
}  // namespace procsim
