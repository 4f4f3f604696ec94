#include "train/runs/run_tasks.hpp"

#include <fstream>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "data/files/table.hpp"
#include "data/images/image.hpp"
#include "tests/support/expect_error.hpp"
#include "tests/train/tiny_run.hpp"
#include "train/models/safetensors.hpp"

namespace procsim::train {
namespace {

TEST(RunTasks, EvaluationAgreesWithTheMetricsOfTheRun) {
  const test::TinyRun run;
  std::ifstream lines(run.files.folder / "metrics.jsonl");
  std::string line, last;
  while (std::getline(lines, line)) last = line;
  const auto written = nlohmann::json::parse(last);
  const auto metrics = evaluate_checkpoint(run.config, run.data, run.files.last(), run.machine, {});
  ASSERT_FALSE(metrics.empty());
  for (const auto& [name, value] : metrics) EXPECT_NEAR(value, written.at(name).get<double>(), 1e-6) << name;
  auto without = run.data;
  without.test.clear();
  test::expect_error([&] { evaluate_checkpoint(run.config, without, run.files.last(), run.machine, {}); },
                     {"split 'test'"});
}

TEST(RunTasks, EmbeddingsAreWrittenForTheSplitAskedFor) {
  const test::TinyRun run;
  const auto out = run.dataset.folder / "embeddings.parquet";
  const auto write = [&](const std::string& split) {
    return write_embeddings(run.config, run.data, run.files.last(), run.machine, {}, split, out,
                            IfExists::kReplace);
  };
  EXPECT_EQ(write("all"), 96);
  EXPECT_EQ(write("train"), 48);
  const auto table = read_parquet_table(out);
  EXPECT_EQ(std::get<std::vector<std::int64_t>>(table.columns[0].values), run.data.train_ids());
  const auto& lists = std::get<TableColumn::FloatLists>(table.columns.back().values);
  EXPECT_EQ(lists.width, 16);
  double length = 0;
  for (std::size_t d = 0; d < 16; ++d) length += static_cast<double>(lists.values[d]) * lists.values[d];
  EXPECT_NEAR(length, 1, 1e-5);
}

TEST(RunTasks, SheetsShowTheQueryAndItsNeighbours) {
  const test::TinyRun run;
  SheetOptions options;
  options.folder = run.dataset.folder / "sheets";
  std::filesystem::create_directories(options.folder);
  options.queries = 2;
  options.neighbours = 3;
  options.side = 40;
  const auto files = write_retrieval_sheets(run.config, run.data, run.files.last(), run.machine, {}, options);
  ASSERT_EQ(files.size(), 2U);
  const auto sheet = decode_image(test::read_all(files[0]), "sheet");
  EXPECT_EQ(sheet.width, 4 * 44 + 8);
  EXPECT_EQ(sheet.height, 40);
  // Frames: grey around the query, green or red around the others.
  EXPECT_EQ(sheet.pixel(0, 0)[0], 60);
  const auto* frame = sheet.pixel(8 + 44, 0);
  EXPECT_TRUE((frame[0] == 40 && frame[1] == 150) || (frame[0] == 200 && frame[1] == 50));
}

TEST(RunTasks, AnExportHoldsTheWeightsAndHowToFeedThem) {
  const test::TinyRun run;
  const auto folder = run.dataset.folder / "export";
  std::filesystem::create_directories(folder);
  export_model(run.config, run.files.last(), false, folder, IfExists::kFail);
  const auto json = nlohmann::json::parse(test::read_all(folder / "config.json"));
  EXPECT_EQ(json.at("format"), "embedder/1");
  EXPECT_EQ(json.at("dimension"), 16);
  EXPECT_EQ(json.at("image_size"), 32);
  const auto exported = read_safetensors(folder / "model.safetensors").tensors;
  const auto kept = read_safetensors(run.files.last()).below("model.");
  ASSERT_EQ(exported.size(), kept.size());
  for (const auto& [name, tensor] : kept) EXPECT_TRUE(torch::equal(exported.at(name), tensor)) << name;
}

}  // namespace
}  // namespace procsim::train
