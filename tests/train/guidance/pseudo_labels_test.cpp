#include "train/guidance/pseudo_labels.hpp"

#include <cmath>
#include <limits>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "data/files/table.hpp"
#include "tests/support/errors.hpp"
#include "tests/train/model_folder.hpp"
#include "tests/train/tiny_dataset.hpp"
#include "tests/train/tiny_guidance.hpp"
#include "train/guidance/guidance.hpp"
#include "train/guidance/imagenet_outputs.hpp"
#include "train/models/embedder.hpp"
#include "train/models/safetensors.hpp"

namespace procsim::train {
namespace {

using test::error_of;
using ::testing::HasSubstr;

class PseudoLabels : public ::testing::Test {
 protected:
  test::TinyDataset dataset;
  TrainData data = load_train_data(dataset.label_file(), dataset.root());
  MachineOptions machine = [this] {
    MachineOptions options;
    options.device = "cpu";
    options.workers = 1;
    options.threads = 1;
    options.cache_folder = dataset.folder / "cache";
    options.model_folder = dataset.folder / "models";
    return options;
  }();
  TrainConfig config;

  // A made-up vector of three numbers for each key.
  static TableColumn::FloatLists some_vectors(std::size_t rows) {
    TableColumn::FloatLists lists{3, {}};
    for (std::size_t i = 0; i < 3 * rows; ++i)
      lists.values.push_back(static_cast<float>(std::sin(static_cast<double>(i))));
    return lists;
  }
  std::filesystem::path write_vectors(const TableColumn& keys, const TableColumn::FloatLists& lists) {
    Table table;
    table.columns = {keys, {"vector", lists}};
    const auto path = dataset.folder / "vectors.parquet";
    write_parquet_table(path, table, IfExists::kReplace);
    return path;
  }
  std::optional<Guidance> open() { return open_guidance(config, data, machine, {}); }
  std::filesystem::path table_path() const {
    return guidance_table_path(pseudo_label_options(config, machine), data, machine);
  }
};

TEST_F(PseudoLabels, TablesComeBackAsTheyWereWritten) {
  GuidanceTable table;
  table.dimension = 2;
  table.vectors = {1, 2, 3, 4, 5, 6};
  table.entries = {{4, "jay", {{"n01", "jay", 2.5, 0}, {"n02", "magpie", 1.5, 1}}},
                   {7, "tern", {{"n03", "tern", 3.5, 2}, {"n01", "jay", 0.5, 0}}}};
  table.provenance = {{"dataset", "birds"}};
  const auto path = dataset.folder / "guidance.parquet";
  write_guidance_table(path, table, IfExists::kFail);
  const auto back = read_guidance_table(path);
  EXPECT_EQ(back.entries, table.entries);
  EXPECT_EQ(back.vectors, table.vectors);
  EXPECT_EQ(back.dimension, 2);
  EXPECT_EQ(back.provenance, table.provenance);
  EXPECT_THAT(error_of([&] { read_guidance_table(dataset.label_file()); }),
              HasSubstr("expected a table of the format guidance/1"));
}

TEST_F(PseudoLabels, TextTablesThatLackNamesSayWhich) {
  std::vector<std::string> names;
  for (const auto label : data.classes) names.push_back("class " + std::to_string(label));
  config.guidance = "file:" + write_vectors({"name", names}, some_vectors(6)).string();
  EXPECT_TRUE(open().has_value());
  names[1] = "stranger";
  names[4] = "other";
  config.guidance = "file:" + write_vectors({"name", names}, some_vectors(6)).string();
  EXPECT_THAT(error_of([&] { open(); }),
              HasSubstr("vectors.parquet lacks 2 of the 6 training classes: 'class 2', 'class 8'"));
}

TEST_F(PseudoLabels, ImageVectorsThatLackSamplesSayWhich) {
  std::vector<std::int64_t> ids;
  for (const auto& sample : data.train) ids.push_back(sample.id);
  config.guidance = "image:" + write_vectors({"sample_id", ids}, some_vectors(ids.size())).string();
  const auto guidance = open();
  ASSERT_TRUE(guidance.has_value());
  EXPECT_NEAR((*guidance)(std::vector<std::int64_t>{3, 3})[0][1].item<double>(), 1, 1e-6);
  ids[2] = 100000;
  config.guidance = "image:" + write_vectors({"sample_id", ids}, some_vectors(ids.size())).string();
  EXPECT_THAT(error_of([&] { open(); }), HasSubstr("lacks 1 of the 48 training samples"));
}

TEST_F(PseudoLabels, VectorsThatAreNotFiniteNameTheirRow) {
  std::vector<std::string> names;
  for (const auto label : data.classes) names.push_back("class " + std::to_string(label));
  auto vectors = some_vectors(names.size());
  vectors.values[3 * 4 + 1] = std::numeric_limits<float>::quiet_NaN();
  config.guidance = "file:" + write_vectors({"name", names}, vectors).string();
  EXPECT_THAT(error_of([&] { open(); }), HasSubstr("vectors.parquet, row 5: the vector holds nan"));
  std::vector<std::int64_t> ids;
  for (const auto& sample : data.train) ids.push_back(sample.id);
  vectors = some_vectors(ids.size());
  vectors.values[3 * 2] = -std::numeric_limits<float>::infinity();
  config.guidance = "image:" + write_vectors({"sample_id", ids}, vectors).string();
  EXPECT_THAT(error_of([&] { open(); }), HasSubstr("vectors.parquet, row 3: the vector holds -inf"));
}

TEST_F(PseudoLabels, AClassifierWithoutImageNetsOutputsIsRefused) {
  test::use_tiny_models(config, dataset.folder);
  config.guidance_weights = test::write_tiny_classifier(dataset.folder, "ten.safetensors", 10).string();
  EXPECT_THAT(error_of([&] { open(); }), HasSubstr("the classifier has 10 outputs"));
}

TEST_F(PseudoLabels, ATableIsMadeOnceAndUsedAgain) {
  test::use_tiny_models(config, dataset.folder);
  const auto first = open();
  ASSERT_TRUE(first.has_value());
  ASSERT_EQ(first->pseudo_labels().size(), 6U);
  EXPECT_EQ(first->pseudo_labels().front().size(), 5U);
  const auto path = table_path();
  const auto bytes = test::read_all(path);
  auto marked = read_guidance_table(path);
  marked.entries.front().labels.front().name = "a mark";
  write_guidance_table(path, marked, IfExists::kReplace);
  EXPECT_EQ(open()->pseudo_labels().front().front(), "a mark") << "the table was made again";
  std::filesystem::remove_all(machine.cache_folder);
  EXPECT_EQ(open()->digest(), first->digest());
  EXPECT_EQ(test::read_all(path), bytes);
}

TEST_F(PseudoLabels, WhateverChangesATableChangesItsPlace) {
  test::use_tiny_models(config, dataset.folder);
  std::vector<std::filesystem::path> places{table_path()};
  EXPECT_EQ(table_path(), places.front());
  const auto expect_another = [&](const char* what) {
    const auto place = table_path();
    EXPECT_EQ(std::count(places.begin(), places.end(), place), 0) << what;
    places.push_back(place);
  };
  config.guidance_per = "sample";
  expect_another("of samples");
  config.guidance_ranks = 3;
  expect_another("ranks");
  config.text_pooling = "cls";
  expect_another("pooling");
  test::write_tiny_classifier(dataset.folder, "classifier.safetensors", 1000, /*seed=*/4);
  expect_another("the classifier's weights");
  const auto encoder = std::filesystem::path(config.text_encoder) / "model.safetensors";
  auto weights = read_safetensors(encoder);
  weights.tensors["embeddings.LayerNorm.bias"] += 1;
  write_safetensors(encoder, weights, IfExists::kReplace);
  expect_another("the text encoder's weights");
  dataset.labels.rows[1].label = 2;
  dataset.rewrite();
  data = load_train_data(dataset.label_file(), dataset.root());
  expect_another("labels");
  dataset.folder.write("images/" + data.train[3].path, test::read_all(data.root / data.train[20].path));
  expect_another("an image");
  data.train.pop_back();
  index_classes(data);
  expect_another("an image that was left out");
}

TEST_F(PseudoLabels, ATableGivenAsAFileGuidesAsPlgDoes) {
  test::use_tiny_models(config, dataset.folder);
  for (const std::string per : {"class", "sample"}) {
    config.guidance = "plg";
    config.guidance_per = per;
    const auto made = open();
    const auto options = pseudo_label_options(config, machine);
    const auto path = dataset.folder / (per + ".parquet");
    write_guidance_table(path, make_guidance_table(options, data, machine, {}), IfExists::kFail);
    config.guidance = "file:" + path.string();
    const auto given = open();
    EXPECT_EQ(given->digest(), made->digest()) << per;
    EXPECT_EQ(given->pseudo_labels(), made->pseudo_labels()) << per;
  }
}

TEST_F(PseudoLabels, ImageGuidanceIsTheCosinesOfTheClassifiersFeatures) {
  test::use_tiny_models(config, dataset.folder);
  const auto outputs = imagenet_outputs(pseudo_label_options(config, machine), data, machine, {});
  const auto classifier = read_safetensors(config.guidance_weights).tensors;
  const auto head = make_backbone("small", 1, false)->head_name();
  EXPECT_TRUE(torch::allclose(torch::mm(outputs.features, classifier.at(head + ".weight").t()),
                              outputs.logits, 0, 1e-4))
      << "the features are not what the classifier's last layer takes";
  config.guidance = "image";
  config.text_encoder = "nowhere";  // no language is needed
  const auto guidance = open();
  ASSERT_TRUE(guidance.has_value());
  EXPECT_TRUE(guidance->pseudo_labels().empty());
  const std::vector<std::int64_t> samples{40, 3, 17};
  const auto rows = outputs.features.index_select(0, torch::tensor(samples)).to(torch::kFloat64);
  const auto lengths = rows.norm(2, 1, true);
  const auto wanted = torch::mm(rows, rows.t()) / torch::mm(lengths, lengths.t());
  EXPECT_LT(((*guidance)(samples).to(torch::kFloat64) - wanted).abs().max().item<double>(), 1e-5);
  EXPECT_GT((wanted - 1).abs().max().item<double>(), 1e-3) << "all pictures look the same: nothing is tested";
}

TEST_F(PseudoLabels, AClassifierOfHalfPrecisionIsFoundInTheModelFolder) {
  test::use_tiny_models(config, dataset.folder);
  std::filesystem::create_directory(machine.model_folder);
  std::filesystem::rename(config.guidance_weights, machine.model_folder / "small.fp16.safetensors");
  config.guidance_weights.clear();
  EXPECT_TRUE(open().has_value());
}

TEST_F(PseudoLabels, OffAndAWeightOfZeroNeedNoModels) {
  EXPECT_FALSE(open().has_value());
  config.guidance = "plg";
  config.omega = 0;
  EXPECT_FALSE(open().has_value());
  config.omega = 1;
  EXPECT_THAT(error_of([&] { open(); }), HasSubstr("setup.sh --models"));
}

}  // namespace
}  // namespace procsim::train
