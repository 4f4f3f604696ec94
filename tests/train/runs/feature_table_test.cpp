#include "train/runs/feature_table.hpp"

#include <gtest/gtest.h>

#include "tests/support/expect_error.hpp"
#include "tests/train/tiny_run.hpp"
#include "train/models/torch.hpp"

namespace procsim::train {
namespace {

TEST(FeatureTable, WhatARunGaveIsReadBackAsItWasWritten) {
  const test::TinyRun run;
  const auto features = FeatureTable::of_run(run.config, run.data, run.files.last(), run.machine, {});
  const auto path = run.dataset.folder / "features.parquet";
  features.write(run.data, path, IfExists::kFail);
  EXPECT_TRUE(torch::equal(FeatureTable::read(path, run.data, 16).rows(), features.rows()));
  test::expect_error([&] { FeatureTable::read(path, run.data, 17); }, {"16 numbers", "the model's have 17"});
  test::expect_error([&] { features.write(run.data, path, IfExists::kFail); },
                     {"features.parquet", "exists"});
}

}  // namespace
}  // namespace procsim::train
