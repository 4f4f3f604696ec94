#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "data/labels/guidance_table.hpp"
#include "tests/cli/procsim_train_workspace.hpp"
#include "tests/train/model_folder.hpp"

namespace procsim {
namespace {

using ::testing::HasSubstr;

class ProcsimTrainGuide : public ::testing::Test {
 protected:
  test::TrainWorkspace workspace;

  static bool pretrained() {
    return test::text_model_folder() &&
           std::filesystem::exists(test::model_folder() / "efficientnet-lite0.safetensors");
  }
};

TEST_F(ProcsimTrainGuide, WithoutModelsItSaysHowToGetThem) {
  const auto result = workspace.run({"guide", "--models", (workspace.dataset.folder / "none").string()});
  EXPECT_EQ(result.exit_code, 1);
  EXPECT_THAT(result.err, HasSubstr("scripts/setup.sh --models"));
}

TEST_F(ProcsimTrainGuide, UnknownGuidanceNamesTheChoices) {
  const auto result = workspace.run(workspace.quick({"--guidance", "plug"}));
  EXPECT_EQ(result.exit_code, 2);
  EXPECT_THAT(result.err, HasSubstr("--guidance plug"));
  EXPECT_THAT(result.err, HasSubstr("plg"));
}

TEST_F(ProcsimTrainGuide, MakesATableThatTrainingUses) {
  if (!pretrained()) GTEST_SKIP() << "no pretrained models: run scripts/setup.sh --models";
  const auto models = test::model_folder().string();
  const auto made = workspace.run({"guide", "--json", "--models", models, "--device", "cpu"});
  ASSERT_EQ(made.exit_code, 0) << made.err;
  const auto json = nlohmann::json::parse(made.out);
  const auto table = read_guidance_table(json["file"].get<std::string>());
  EXPECT_EQ(table.entries.size(), 6U);
  EXPECT_EQ(table.ranks(), 5U);
  EXPECT_EQ(table.dimension, 384);
  const auto again = workspace.run({"guide", "--models", models});
  EXPECT_THAT(again.err, HasSubstr("there already"));
  const auto trained = workspace.run(workspace.quick({"--guidance", "plg", "--models", models}));
  ASSERT_EQ(trained.exit_code, 0) << trained.err;
  EXPECT_THAT(trained.err, HasSubstr(json["file"].get<std::string>()));
  EXPECT_EQ(trained.err.find("making the table"), std::string::npos) << trained.err;
  EXPECT_THAT(test::read_all(workspace.run_folder("tiny-1") / "report.html"),
              HasSubstr("What the ImageNet classifier takes these classes for, the best first"));
}

// Pseudo-labels of a table that was made elsewhere, for classes that somebody named.
TEST_F(ProcsimTrainGuide, NamesSteerNoTerminal) {
  if (!pretrained()) GTEST_SKIP() << "no pretrained models: run scripts/setup.sh --models";
  for (auto& entry : workspace.dataset.labels.info.classes) entry.name += "\x1b[31m";
  workspace.dataset.rewrite();
  const auto printed = workspace.run({"guide", "--print", "--labels", workspace.dataset.label_file().string(),
                                      "--models", test::model_folder().string(), "--device", "cpu"});
  ASSERT_EQ(printed.exit_code, 0) << printed.err;
  EXPECT_THAT(printed.out, HasSubstr(R"(class 0\x1b[31m)"));
  EXPECT_EQ(printed.out.find('\x1b'), std::string::npos) << printed.out;
}

TEST_F(ProcsimTrainGuide, ATableWrittenElsewhereGuidesThroughFile) {
  if (!pretrained()) GTEST_SKIP() << "no pretrained models: run scripts/setup.sh --models";
  const auto models = test::model_folder().string();
  const auto table = (workspace.dataset.folder / "table.parquet").string();
  ASSERT_EQ(workspace.run({"guide", "--output", table, "--models", models}).exit_code, 0);
  for (const auto& guidance : {std::string("plg"), "file:" + table}) {
    const auto trained = workspace.run(workspace.quick({"--guidance", guidance, "--models", models}));
    ASSERT_EQ(trained.exit_code, 0) << trained.err;
  }
  EXPECT_EQ(test::read_all(workspace.run_folder("tiny-2") / "metrics.csv"),
            test::read_all(workspace.run_folder("tiny-1") / "metrics.csv"));
}

}  // namespace
}  // namespace procsim
