#include "train/runs/run_scores.hpp"

#include <gtest/gtest.h>

#include "data/files/file_changes.hpp"
#include "tests/train/tiny_run.hpp"

namespace procsim::train {
namespace {

TEST(RunScores, SayThatARunsFeaturesLean) {
  const test::TinyRun run;
  const auto info = ScoresReader(run.files.scores()).info();
  EXPECT_EQ(info.provenance.label_set, run.data.digest);
  EXPECT_EQ(info.provenance.embeddings["from"], "run");
  EXPECT_TRUE(info.estimates->noise_rate.leaning);
}

TEST(RunScores, WhatTrainingRememberedComesBackForTheSameLabelsOnly) {
  test::TinyRun run;
  const auto memory = read_training_memory(run.data, run.files.scores());
  ASSERT_EQ(memory.sigma.size(), run.data.train.size());
  ScoresReader reader(run.files.scores());
  const auto rows = reader.next();
  for (std::size_t i = 0; i < rows.size(); ++i) {
    EXPECT_EQ(memory.proxy_loss[i], rows[i].proxy_loss);
    EXPECT_EQ(memory.sigma[i], rows[i].confidence);
  }
  run.data.digest = "of other labels";
  EXPECT_TRUE(read_training_memory(run.data, run.files.scores()).sigma.empty());
  EXPECT_TRUE(read_training_memory(run.data, run.dataset.folder / "nothing.parquet").sigma.empty());
}

TEST(RunScores, FeaturesOfAnotherModelDoNotLean) {
  const test::TinyRun run;
  LabelScores scores;
  scores.estimates.noise_rate = {0.1, 0.05, 0.2};
  scores.method = {{"name", "test"}};
  for (const auto& sample : run.data.train) {
    auto& row = scores.rows.emplace_back();
    row.sample_id = sample.id;
    row.path = sample.path;
    row.label = sample.label;
  }
  const auto out = run.dataset.folder / "scores.parquet";
  FileChanges files;
  write_scores(run.data, scores, {{"from", "file"}}, out, IfExists::kFail, files);
  files.replace();
  files.keep();
  const auto info = ScoresReader(out).info();
  EXPECT_EQ(info.provenance.embeddings["from"], "file");
  EXPECT_FALSE(info.estimates->noise_rate.leaning);
}

}  // namespace
}  // namespace procsim::train
