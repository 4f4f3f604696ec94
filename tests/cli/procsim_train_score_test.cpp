#include <cmath>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "data/base/digest.hpp"
#include "data/base/keyed_random.hpp"
#include "data/files/table.hpp"
#include "data/labels/scores.hpp"
#include "tests/cli/procsim_train_workspace.hpp"
#include "tests/train/model_folder.hpp"

namespace procsim {
namespace {

using ::testing::HasSubstr;

std::vector<ScoreRow> read_scores(const std::filesystem::path& path) {
  std::vector<ScoreRow> all;
  ScoresReader reader(path);
  for (auto rows = reader.next(); !rows.empty(); rows = reader.next())
    all.insert(all.end(), rows.begin(), rows.end());
  return all;
}

// Features made elsewhere: clusters around the true classes.
struct ForeignFeatures : test::TrainWorkspace {
  std::filesystem::path file = dataset.folder / "foreign.parquet";
  std::filesystem::path out = dataset.folder / "foreign-scores.parquet";

  ForeignFeatures() {
    write([](std::int64_t, std::int64_t) { return false; });
  }

  // `spoilt(row, number)`: that number becomes NaN.
  void write(const std::function<bool(std::int64_t, std::int64_t)>& spoilt, std::size_t left_out = 0) const {
    constexpr std::int64_t width = 16;
    std::vector<std::int64_t> ids;
    TableColumn::FloatLists lists{width, {}};
    const KeyedRandom random(1, "test/foreign");
    for (std::size_t i = left_out; i < dataset.labels.rows.size(); ++i) {
      const auto& row = dataset.labels.rows[i];
      auto draws = random.for_id(row.sample_id);
      ids.push_back(row.sample_id);
      for (std::int64_t d = 0; d < width; ++d) {
        const double centre = row.true_label.value_or(row.label) % width == d ? 3 : 0;
        const bool bad = spoilt(static_cast<std::int64_t>(i), d);
        lists.values.push_back(bad ? std::nanf("") : static_cast<float>(centre + 0.5 * draws.normal()));
      }
    }
    Table table;
    table.columns = {{"sample_id", std::move(ids)}, {"vector", std::move(lists)}};
    write_parquet_table(file, table, IfExists::kReplace);
  }

  test::ProgramResult score(std::vector<std::string> more = {}) const {
    std::vector<std::string> words{"score", "--embeddings", file.string(), "--output", out.string()};
    words.insert(words.end(), more.begin(), more.end());
    return run(words);
  }
};

TEST(ProcsimTrainScore, TheTunedNumbersCanBeVaried) {
  const ForeignFeatures features;
  ASSERT_EQ(features.score().exit_code, 0);
  const auto tuned = read_scores(features.out);
  EXPECT_FALSE(ScoresReader(features.out).info().provenance.method.contains("scoring_options"));
  const auto file =
      features.dataset.folder.write("options.json", R"({"listing": {"rivals": 2, "neighbours": 1}})");
  const auto result = features.score({"--force", "--scoring-options", file.string()});
  ASSERT_EQ(result.exit_code, 0) << result.err;
  const auto varied = read_scores(features.out);
  EXPECT_EQ(tuned[0].rivals.size(), 5U);
  EXPECT_EQ(varied[0].rivals.size(), 2U);
  EXPECT_EQ(varied[0].near_given.size(), 1U);
  EXPECT_EQ(varied[0].suspicion, tuned[0].suspicion);
  const auto method = ScoresReader(features.out).info().provenance.method;
  EXPECT_EQ(method["scoring_options"]["listing"]["rivals"], 2) << "the file says what it was made with";
}

TEST(ProcsimTrainScore, AWrongScoringOptionIsAWrongWord) {
  const ForeignFeatures features;
  const auto file = features.dataset.folder.write("options.json", R"({"noise": {"pair_strenght": 1}})");
  const auto result = features.score({"--scoring-options", file.string()});
  EXPECT_EQ(result.exit_code, 2);
  EXPECT_THAT(result.err, HasSubstr("options.json: noise: unknown option 'pair_strenght'"));
  EXPECT_THAT(result.err, HasSubstr("pair_strength"));
  EXPECT_FALSE(std::filesystem::exists(features.out));
}

TEST(ProcsimTrainScore, FeaturesMadeElsewhereFindTheWrongLabels) {
  const ForeignFeatures features;
  const auto result = features.score({"--json", "--compare-sigma"});
  ASSERT_EQ(result.exit_code, 0) << result.err;
  EXPECT_THAT(result.err, HasSubstr("labels: tiny"));
  const auto json = nlohmann::json::parse(result.out);
  EXPECT_EQ(json["samples"], 96);
  EXPECT_LE(json["noise_rate"]["low"].get<double>(), 6.0 / 96);
  EXPECT_GE(json["noise_rate"]["high"].get<double>(), 6.0 / 96);
  ASSERT_EQ(json["rankings"].size(), 6U);
  EXPECT_EQ(json["rankings"].back()["name"], "suspicion");
  EXPECT_GT(json["rankings"].back()["auroc"].get<double>(), 0.95);
  ScoresReader reader(features.out);
  EXPECT_EQ(reader.info().estimates->by_class.size(), 12U);
  for (const auto& row : read_scores(features.out)) {
    EXPECT_GE(row.fold, 0);
    EXPECT_GE(row.p_mislabelled, 0);
    EXPECT_LE(row.p_mislabelled, 1);
  }
}

TEST(ProcsimTrainScore, ScoresWithoutATrainingAreFoundByTheCommandsThatFollow) {
  const ForeignFeatures features;
  ASSERT_EQ(features.score().exit_code, 0);
  ASSERT_EQ(features.score({"--force"}).exit_code, 0);
  const auto workspace = Workspace::open(features.dataset.folder.path());
  const auto scores = workspace.scores("");
  ASSERT_EQ(scores.size(), 1U) << "made again, they are the same scores";
  EXPECT_EQ(scores[0].name, "foreign-scores");
  EXPECT_EQ(scores[0].digest, sha256_file(features.out));
  EXPECT_TRUE(workspace.runs().empty()) << "scores are no run";
  EXPECT_EQ(features.run({"runs", "--json"}).out, "[]\n");
  const auto report = features.run({"report", "--format", "csv"}, "curate");
  EXPECT_EQ(report.exit_code, 0) << report.err;
  EXPECT_THAT(report.err, HasSubstr("run foreign-scores"));
  const auto named =
      features.run({"report", "--run", "foreign-scores", "--format", "csv", "--force"}, "curate");
  EXPECT_EQ(named.exit_code, 0) << named.err;
  const auto no_model = features.run({"score"});
  EXPECT_EQ(no_model.exit_code, 1);
  EXPECT_THAT(no_model.err, HasSubstr("no trained run yet"));
  EXPECT_THAT(no_model.err, HasSubstr("--no-train or --embeddings"));
  const auto evaluated = features.run({"eval", "--run", "foreign-scores"});
  EXPECT_EQ(evaluated.exit_code, 1);
  EXPECT_THAT(evaluated.err, HasSubstr("'foreign-scores' has no model"));
}

TEST(ProcsimTrainScore, TheScoresThatWereMadeLastAreTheNewest) {
  const ForeignFeatures features;
  const auto reported = [&] { return features.run({"report", "--format", "csv", "--force"}, "curate").err; };
  ASSERT_EQ(features.run(features.quick()).exit_code, 0);
  ASSERT_EQ(features.score().exit_code, 0);
  EXPECT_THAT(reported(), HasSubstr("run foreign-scores"));
  const auto listed = features.run({"runs", "tiny-1", "--json"}).out;
  ASSERT_EQ(features.run({"score", "--run", "tiny-1", "--force", "--device", "cpu"}).exit_code, 0);
  EXPECT_THAT(reported(), HasSubstr("run tiny-1"));
  EXPECT_EQ(features.run({"runs", "tiny-1", "--json"}).out, listed);
  ASSERT_EQ(features.score({"--force"}).exit_code, 0);
  EXPECT_THAT(reported(), HasSubstr("run foreign-scores"));
}

TEST(ProcsimTrainScore, ScoresOfLabelsThatTheWorkspaceDoesNotKnowAreNotRecorded) {
  const ForeignFeatures features;
  auto strange = features.dataset.labels;
  std::swap(strange.rows[0].label, strange.rows[1].label);
  const auto file = features.dataset.folder / "strange.parquet";
  write_label_set(file, strange, IfExists::kFail);
  const auto result = features.score({"--labels", file.string()});
  ASSERT_EQ(result.exit_code, 0);
  EXPECT_THAT(result.err, HasSubstr("not recorded, the workspace does not know these labels; go on with: "
                                    "curate report --scores " +
                                    features.out.string()));
  EXPECT_TRUE(Workspace::open(features.dataset.folder.path()).scores("").empty());
}

TEST(ProcsimTrainScore, TheSameSeedGivesTheSameBytesWhateverTheThreads) {
  const ForeignFeatures features;
  ASSERT_EQ(features.score({"--threads", "1"}).exit_code, 0);
  const auto first = test::read_all(features.out);
  const auto refused = features.score();
  EXPECT_EQ(refused.exit_code, 1);
  EXPECT_THAT(refused.err, HasSubstr("--force"));
  ASSERT_EQ(features.score({"--threads", "3", "--force"}).exit_code, 0);
  EXPECT_EQ(test::read_all(features.out), first);
}

TEST(ProcsimTrainScore, EveryLabelledSplitIsJudgedUnlessToldOtherwiseAndSaid) {
  const ForeignFeatures features;
  auto result = features.score();
  ASSERT_EQ(result.exit_code, 0) << result.err;
  EXPECT_THAT(result.err, HasSubstr("96 labels are judged, of every split"));
  EXPECT_EQ(read_scores(features.out).size(), 96U);
  result = features.score({"--split", "test", "--force"});
  ASSERT_EQ(result.exit_code, 0) << result.err;
  EXPECT_THAT(result.err, HasSubstr("48 labels are judged; 48 of splits that --split does not name are not"));
  EXPECT_EQ(read_scores(features.out).size(), 48U);
  EXPECT_THAT(features.score({"--split", "valid", "--force"}).err, HasSubstr("no labelled row of the split"));
  EXPECT_EQ(features.run({"score", "--split", "train"}).exit_code, 2) << "a run was trained on one";
}

TEST(ProcsimTrainScore, BadFeaturesAreOneLineThatNamesTheSample) {
  const ForeignFeatures features;
  features.write([](std::int64_t row, std::int64_t number) { return row == 4 && number == 2; });
  auto result = features.score();
  EXPECT_EQ(result.exit_code, 1);
  EXPECT_THAT(result.err, HasSubstr("number 3 of sample"));
  features.write([](std::int64_t, std::int64_t) { return false; }, 5);
  result = features.score();
  EXPECT_EQ(result.exit_code, 1);
  EXPECT_THAT(result.err, HasSubstr("lacks 5 of the 96 samples"));
  EXPECT_FALSE(std::filesystem::exists(features.out));
}

TEST(ProcsimTrainScore, WrongWordsAreUsageErrors) {
  const ForeignFeatures features;
  EXPECT_EQ(features.score({"--no-train"}).exit_code, 2);
  EXPECT_EQ(features.score({"--folds", "1"}).exit_code, 2);
  EXPECT_EQ(features.run({"score", "--run", "tiny-1", "--no-train"}).exit_code, 2);
}

TEST(ProcsimTrainScore, WhatItReadsIsNeverReplaced) {
  const ForeignFeatures features;
  const auto tree = features.dataset.folder / "tree.json";
  features.dataset.folder.write("tree.json", "not read before the refusal");
  auto workspace = Workspace::open(features.dataset.folder.path());
  workspace.put_taxonomy({0, "tiny", workspace.stored_path(tree), "digest"});
  const auto other = (features.dataset.folder / "other.json").string();
  const auto labels = features.dataset.label_file().string();
  const auto link = features.dataset.folder / "link.parquet";
  std::filesystem::create_symlink(features.file, link);
  const auto features_before = test::read_all(features.file);
  const auto labels_before = test::read_all(labels);
  const auto expect_refused = [&](const std::vector<std::string>& more, const std::string& message) {
    std::vector<std::string> words{"score", "--embeddings", features.file.string(), "--force"};
    words.insert(words.end(), more.begin(), more.end());
    const auto result = features.run(words);
    EXPECT_EQ(result.exit_code, 2) << message;
    EXPECT_THAT(result.err, HasSubstr("procsim-train: " + message + "\n"));
  };
  const auto out = features.out.string();
  for (const auto& same : {features.file.string(), std::string("./foreign.parquet"), link.string()}) {
    expect_refused({"--output", same}, "--output is the file that --embeddings reads");
    expect_refused({"--output", out, "--save-embeddings", same},
                   "--save-embeddings is the file that --embeddings reads");
  }
  expect_refused({"--output", labels}, "--output is the file of the labels");
  expect_refused({"--labels", labels, "--output", labels}, "--output is the file of the labels");
  const auto parts = features.dataset.folder / "parts";
  std::filesystem::create_directory(parts);
  std::filesystem::copy(labels, parts / "0.parquet");
  expect_refused({"--labels", parts.string(), "--output", (parts / "0.parquet").string()},
                 "--output is the file of the labels");
  expect_refused({"--output", tree.string()}, "--output is the file of the workspace's taxonomy");
  expect_refused({"--taxonomy", other, "--output", other}, "--output is the file that --taxonomy reads");
  expect_refused({"--output", out, "--save-embeddings", "./foreign-scores.parquet"},
                 "--save-embeddings is the file of --output");
  EXPECT_EQ(test::read_all(features.file), features_before);
  EXPECT_EQ(test::read_all(labels), labels_before);
}

TEST(ProcsimTrainScore, ARunIsScoredByEmbeddingsThatItsModelMadeBefore) {
  const ForeignFeatures features;  // 16 numbers each
  ASSERT_EQ(features.run(features.quick({"--dimension", "8"})).exit_code, 0);
  const auto made = (features.dataset.folder / "made.parquet").string();
  ASSERT_EQ(features.run({"embed", "--run", "tiny-1", "--output", made, "--device", "cpu"}).exit_code, 0);
  ASSERT_EQ(features.run({"score", "--run", "tiny-1", "--force", "--device", "cpu"}).exit_code, 0);
  const auto with_images = read_scores(features.run_folder("tiny-1") / "scores.parquet");

  const auto refused = features.score({"--run", "tiny-1"});
  EXPECT_EQ(refused.exit_code, 1);
  EXPECT_THAT(refused.err, HasSubstr("the embeddings have 16 numbers, the model's have 8"));
  EXPECT_FALSE(std::filesystem::exists(features.out));

  std::filesystem::remove_all(features.dataset.root());
  const auto result =
      features.run({"score", "--run", "tiny-1", "--embeddings", made, "--output", features.out.string()});
  ASSERT_EQ(result.exit_code, 0) << result.err;
  EXPECT_EQ(read_scores(features.out), with_images);
}

TEST(ProcsimTrainScore, ARunIsScoredByHeadsThatHaveNotSeenTheLabelAndKeepsItsMemory) {
  const test::TrainWorkspace workspace;
  ASSERT_EQ(workspace.run(workspace.quick()).exit_code, 0);
  const auto file = workspace.run_folder("tiny-1") / "scores.parquet";
  const auto from_training = read_scores(file);
  const auto info = ScoresReader(file).info();
  EXPECT_EQ(info.provenance.method["name"], "cross-fitted discriminants");
  EXPECT_TRUE(info.estimates->noise_rate.leaning);
  const auto result = workspace.run({"score", "--run", "tiny-1", "--force", "--device", "cpu", "--json"});
  ASSERT_EQ(result.exit_code, 0) << result.err;
  const auto again = read_scores(file);
  ASSERT_EQ(again.size(), from_training.size());
  for (std::size_t i = 0; i < again.size(); ++i) {
    EXPECT_EQ(again[i].proxy_loss, from_training[i].proxy_loss);
    EXPECT_EQ(again[i].confidence, from_training[i].confidence);
    EXPECT_NEAR(again[i].p_mislabelled, from_training[i].p_mislabelled, 0.02);
  }
}

TEST(ProcsimTrainScore, AnExistingFileIsRefusedBeforeAnythingIsComputed) {
  const test::TrainWorkspace workspace;
  ASSERT_EQ(workspace.run(workspace.quick()).exit_code, 0);
  std::filesystem::remove_all(workspace.dataset.root());  // whoever looks at images now fails otherwise
  const auto result = workspace.run({"score", "--run", "tiny-1", "--device", "cpu"});
  EXPECT_EQ(result.exit_code, 1);
  EXPECT_THAT(result.err, HasSubstr("--force"));
}

TEST(ProcsimTrainScore, OutputsThatCannotBeWrittenAreRefusedBeforeAnythingIsComputed) {
  const ForeignFeatures features;
  features.write([](std::int64_t, std::int64_t) { return true; });  // whoever reads them now fails otherwise
  const auto& folder = features.dataset.folder;
  folder.write("file", "");
  const auto expect_refused = [&](const std::string& option, const std::string& path,
                                  const std::string& message) {
    std::vector<std::string> words{"score", "--embeddings", features.file.string(), option, path};
    if (option != "--output") words.insert(words.end(), {"--output", features.out.string()});
    const auto result = features.run(words);
    EXPECT_EQ(result.exit_code, 1);
    EXPECT_THAT(result.err, HasSubstr(message));
  };
  for (const std::string option : {"--output", "--save-embeddings"}) {
    expect_refused(option, folder.path().string(), " is a folder, not a file");
    expect_refused(option, (folder / "new/").string(), " is a folder, not a file");
    expect_refused(option, (folder / "file").string(), "file already exists. Use --force");
    expect_refused(option, (folder / "file/scores.parquet").string(), "cannot create folder");
  }
}

TEST(ProcsimTrainScore, WhatTrainingSawOfOtherLabelsIsNotKept) {
  const test::TrainWorkspace workspace;
  ASSERT_EQ(workspace.run(workspace.quick()).exit_code, 0);
  const auto trained = read_scores(workspace.run_folder("tiny-1") / "scores.parquet");
  const auto other = workspace.dataset.folder / "other.parquet";
  auto set = workspace.dataset.labels;
  for (auto& row : set.rows)
    if (row.split == "train") row.label = (row.label + 1) % 6;
  write_label_set(other, set, IfExists::kFail);
  // The run's own file would lose what training remembered.
  const auto refused =
      workspace.run({"score", "--run", "tiny-1", "--labels", other.string(), "--force", "--device", "cpu"});
  EXPECT_EQ(refused.exit_code, 2);
  EXPECT_THAT(refused.err, HasSubstr("--output"));
  EXPECT_EQ(read_scores(workspace.run_folder("tiny-1") / "scores.parquet"), trained);
  const auto out = workspace.dataset.folder / "other-scores.parquet";
  const auto result = workspace.run(
      {"score", "--run", "tiny-1", "--labels", other.string(), "--output", out.string(), "--device", "cpu"});
  ASSERT_EQ(result.exit_code, 0) << result.err;
  double kept = 0;
  const auto scores = read_scores(out);
  for (std::size_t i = 0; i < scores.size(); ++i) kept += scores[i].proxy_loss == trained[i].proxy_loss;
  EXPECT_EQ(kept, 0);
}

TEST(ProcsimTrainScore, NetworksOfFoldsJudgeWhatTheyHaveNotSeenAndAreUsedAgain) {
  const test::TrainWorkspace workspace;
  const auto trained = workspace.run(workspace.quick({"--fold-models", "2"}));
  ASSERT_EQ(trained.exit_code, 0) << trained.err;
  EXPECT_THAT(trained.err, HasSubstr("judge 2 of 2: a network that has not seen 24 of the labels"));
  const auto run = workspace.run_folder("tiny-1");
  EXPECT_TRUE(ScoresReader(run / "scores.parquet").info().provenance.method["fold_models"].get<bool>());
  const auto first = test::read_all(run / "folds/1-of-2/last.safetensors");
  const auto second = test::read_all(run / "folds/2-of-2/last.safetensors");
  EXPECT_NE(first, second);
  const auto scores = read_scores(run / "scores.parquet");
  const auto again =
      workspace.run({"score", "--run", "tiny-1", "--force", "--device", "cpu", "--threads", "1"});
  ASSERT_EQ(again.exit_code, 0) << again.err;
  EXPECT_EQ(test::read_all(run / "folds/1-of-2/last.safetensors"), first);
  EXPECT_EQ(read_scores(run / "scores.parquet"), scores);
  // Another number of folds is another set of networks; a run that is made anew starts without any.
  ASSERT_EQ(workspace.run({"score", "--run", "tiny-1", "--fold-models", "3", "--force", "--device", "cpu"})
                .exit_code,
            0);
  EXPECT_TRUE(std::filesystem::exists(run / "folds/3-of-3/last.safetensors"));
  ASSERT_EQ(workspace.run(workspace.quick({"--name", "tiny-1", "--force"})).exit_code, 0);
  EXPECT_FALSE(std::filesystem::exists(run / "folds"));
}

TEST(ProcsimTrainScore, SavedFeaturesGiveTheSameScores) {
  const ForeignFeatures features;
  const auto saved = features.dataset.folder / "saved.parquet";
  ASSERT_EQ(features.score({"--save-embeddings", saved.string()}).exit_code, 0);
  const auto first = read_scores(features.out);
  ASSERT_EQ(
      features.run({"score", "--embeddings", saved.string(), "--output", features.out.string(), "--force"})
          .exit_code,
      0);
  EXPECT_EQ(read_scores(features.out), first);
  ASSERT_EQ(features.score({"--rounds", "1", "--force"}).exit_code, 0);
  EXPECT_NE(read_scores(features.out), first);
}

// Tiny pictures of one colour a class: any network tells them apart.
TEST(ProcsimTrainScore, APretrainedBackboneFindsWrongLabelsWithoutTraining) {
  if (!std::filesystem::exists(test::model_folder() / "efficientnet-lite0.safetensors"))
    GTEST_SKIP() << "no pretrained weights: get them with scripts/setup.sh --models";
  const test::TrainWorkspace workspace;
  const auto result =
      workspace.run({"score", "--no-train", "--image-size", "64", "--models", test::model_folder().string(),
                     "--device", "cpu", "--json", "--compare-sigma"});
  ASSERT_EQ(result.exit_code, 0) << result.err;
  const auto json = nlohmann::json::parse(result.out);
  EXPECT_EQ(json["samples"], 96);
  EXPECT_GT(json["rankings"].back()["auroc"].get<double>(), 0.9);
  const auto info = ScoresReader(json["scores"].get<std::string>()).info();
  EXPECT_EQ(info.provenance.embeddings["from"], "pretrained");
  EXPECT_FALSE(info.estimates->noise_rate.leaning);
  const auto precision = info.provenance.embeddings["precision"].get<std::string>();
  EXPECT_THAT(precision, testing::AnyOf("fp32", "bf16"));
  EXPECT_THAT(result.err, HasSubstr("precision: " + precision + " (the processor has "));
}

TEST(ProcsimTrainScore, BrokenAndMissingImagesAreLeftOutOnRequest) {
  const test::TrainWorkspace workspace;
  auto words = workspace.quick({"--epochs", "0"});
  ASSERT_EQ(workspace.run(words).exit_code, 0);
  workspace.dataset.folder.write("images/0/3.jpg", "\xff\xd8\xff no picture");
  std::filesystem::remove(workspace.dataset.root() / "0/4.jpg");
  const auto strict = workspace.run({"score", "--force"});
  EXPECT_EQ(strict.exit_code, 1);
  EXPECT_THAT(strict.err, HasSubstr("--skip-broken"));
  const auto lenient = workspace.run({"score", "--force", "--skip-broken", "--json"});
  ASSERT_EQ(lenient.exit_code, 0) << lenient.err;
  const auto json = nlohmann::json::parse(lenient.out);
  EXPECT_EQ(json["samples"], 46);
  ScoresReader reader(json["scores"].get<std::string>());
  std::size_t placed = 0, with_rivals = 0;
  for (auto rows = reader.next(); !rows.empty(); rows = reader.next()) {
    for (const auto& row : rows) {
      placed += row.place ? 1 : 0;
      with_rivals += row.near_rivals.empty() ? 0 : 1;
    }
  }
  EXPECT_EQ(placed, 46U) << "on the page's map";
  EXPECT_GT(with_rivals, 0U);
  EXPECT_THAT(lenient.err, testing::AllOf(HasSubstr("0/3.jpg"), HasSubstr("0/4.jpg")));
  const auto both = workspace.run({"score", "--embeddings", "f", "--skip-broken"});
  EXPECT_EQ(both.exit_code, 2) << both.err;
}

TEST(ProcsimTrainScore, RandomWeightsAreNoPretrainedFeatures) {
  const test::TrainWorkspace workspace;
  const auto result = workspace.run({"score", "--no-train", "--backbone", "small", "--image-size", "32"});
  EXPECT_EQ(result.exit_code, 1);
  EXPECT_THAT(result.err, HasSubstr("small has no pretrained weights"));
}

}  // namespace
}  // namespace procsim
