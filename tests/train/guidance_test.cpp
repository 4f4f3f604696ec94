#include "train/guidance/guidance.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "data/files/table.hpp"
#include "tests/support/errors.hpp"
#include "tests/train/expected_values.hpp"
#include "tests/train/model_folder.hpp"
#include "tests/train/tiny_dataset.hpp"
#include "tests/train/tiny_guidance.hpp"
#include "train/guidance/guidance_loss.hpp"
#include "train/guidance/imagenet_outputs.hpp"
#include "train/guidance/pseudo_labels.hpp"
#include "train/guidance/wordnet_names.hpp"
#include "train/learner.hpp"

namespace procsim::train {
namespace {

using test::error_of;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

torch::Tensor matrix(const nlohmann::json& rows) {
  std::vector<double> values;
  for (const auto& row : rows)
    for (const auto& value : row) values.push_back(value);
  return torch::tensor(values, torch::kFloat64).view({static_cast<std::int64_t>(rows.size()), -1});
}

class GuidanceLoss : public ::testing::Test {
 protected:
  nlohmann::json expected = test::expected_values("guidance.json");
  torch::Tensor embeddings = matrix(expected["embeddings"]);
  std::vector<std::int64_t> classes = expected["labels"].get<std::vector<std::int64_t>>();
  torch::Tensor labels = torch::tensor(classes, torch::kInt64);
  torch::Tensor language =
      matrix(expected["language"]).index_select(0, labels).index_select(1, labels).contiguous();
};

TEST_F(GuidanceLoss, HasTheIndependentValues) {
  const auto values = guidance_loss(embeddings, labels, language);
  const auto wanted = torch::tensor(expected["losses"].get<std::vector<double>>(), torch::kFloat64);
  EXPECT_LT((values - wanted).abs().max().item<double>(), 1e-12) << values << wanted;
}

TEST_F(GuidanceLoss, GradientAgreesWithFiniteDifferences) {
  auto input = embeddings.clone().requires_grad_(true);
  guidance_loss(input, labels, language).sum().backward();
  const auto gradient = input.grad();
  ASSERT_GT(gradient.abs().max().item<double>(), 1e-3);
  for (std::int64_t i = 0; i < embeddings.size(0); ++i) {
    for (std::int64_t d = 0; d < embeddings.size(1); ++d) {
      const auto moved = [&](double by) {
        auto other = embeddings.clone();
        other[i][d] += by;
        return guidance_loss(other, labels, language).sum().item<double>();
      };
      EXPECT_NEAR(gradient[i][d].item<double>(), (moved(1e-6) - moved(-1e-6)) / 2e-6, 1e-7) << i << ' ' << d;
    }
  }
}

TEST_F(GuidanceLoss, IsZeroInABatchOfOneClass) {
  EXPECT_LT(guidance_loss(embeddings, torch::zeros_like(labels), language).abs().max().item<double>(), 1e-12);
}

TEST_F(GuidanceLoss, TheMatrixOfATableIsTheMeanCosineOverTheRanks) {
  GuidanceTable table;
  table.dimension = expected["width"];
  const std::size_t ranks = expected["ranks"];
  TrainData data;
  for (std::size_t label = 0; label < 4; ++label) {
    data.info.classes.push_back({"class " + std::to_string(label), "", ""});
    data.classes.push_back(static_cast<std::int32_t>(label));
    GuidanceEntry entry{static_cast<std::int64_t>(label), data.info.classes.back().name, {}};
    for (std::size_t rank = 0; rank < ranks; ++rank)
      entry.labels.push_back({"n", "thing", 1, label * ranks + rank});
    table.entries.push_back(entry);
    for (const double value : expected["texts"][label].get<std::vector<double>>())
      table.vectors.push_back(static_cast<float>(value));
  }
  data.train_class = classes;
  data.train.resize(classes.size());
  const Guidance guidance(table, data, "table");
  std::vector<std::int64_t> samples(classes.size());
  std::iota(samples.begin(), samples.end(), 0);
  const auto ours = guidance(samples).to(torch::kFloat64);
  EXPECT_LT((ours - language).abs().max().item<double>(), 1e-6);
  const auto per_class = guidance.class_matrix(data).to(torch::kFloat64);
  EXPECT_LT((per_class - matrix(expected["language"])).abs().max().item<double>(), 1e-6);
  table.entries[1].name = "stranger";
  EXPECT_THAT(error_of([&] { Guidance(table, data, "other.parquet"); }),
              HasSubstr("other.parquet lacks 1 of the 4 training classes: 'class 1'"));
  table.entries[1].name = "class 1";
  table.entries.erase(table.entries.begin() + 2);
  EXPECT_THAT(error_of([&] { Guidance(table, data, "half.parquet"); }),
              HasSubstr("half.parquet lacks 1 of the 4 training classes: 'class 2'"));
}

TEST(GuidanceOfSamples, HasThePseudoLabelsOfMostSamplesOfAClass) {
  TrainData data;
  data.classes = {0, 1};
  data.train_class = {0, 0, 0, 1};
  GuidanceTable table;
  table.per_sample = true;
  table.dimension = 1;
  table.vectors = {1, 1, 1, 1};
  const std::vector<std::string> names{"jay", "magpie", "tern", "gull"};
  const std::vector<std::vector<std::size_t>> taken_for{{0, 1}, {2, 1}, {3, 2}, {3, 0}};
  for (std::size_t sample = 0; sample < taken_for.size(); ++sample) {
    data.train.push_back({static_cast<std::int64_t>(sample), "", data.classes[sample == 3 ? 1 : 0], {}});
    GuidanceEntry entry{static_cast<std::int64_t>(sample), "", {}};
    for (const auto text : taken_for[sample]) entry.labels.push_back({"n", names[text], 1, text});
    table.entries.push_back(entry);
  }
  const Guidance guidance(table, data, "table");
  EXPECT_TRUE(guidance.pseudo_labels_of_samples());
  // Terns and magpies are two each: terns are the better guess once.
  EXPECT_THAT(guidance.pseudo_labels(),
              ElementsAre(ElementsAre("tern", "magpie"), ElementsAre("gull", "jay")));
}

class GuidanceFiles : public ::testing::Test {
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

TEST_F(GuidanceFiles, TablesComeBackAsTheyWereWritten) {
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

TEST_F(GuidanceFiles, TextTablesThatLackNamesSayWhich) {
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

TEST_F(GuidanceFiles, ImageVectorsThatLackSamplesSayWhich) {
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

TEST_F(GuidanceFiles, VectorsThatAreNotFiniteNameTheirRow) {
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

TEST_F(GuidanceFiles, AClassifierWithoutImageNetsOutputsIsRefused) {
  test::use_tiny_models(config, dataset.folder);
  config.guidance_weights = test::write_tiny_classifier(dataset.folder, "ten.safetensors", 10).string();
  EXPECT_THAT(error_of([&] { open(); }), HasSubstr("the classifier has 10 outputs"));
}

TEST_F(GuidanceFiles, ATableIsMadeOnceAndUsedAgain) {
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

TEST_F(GuidanceFiles, WhateverChangesATableChangesItsPlace) {
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

TEST_F(GuidanceFiles, ATableGivenAsAFileGuidesAsPlgDoes) {
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

TEST_F(GuidanceFiles, ImageGuidanceIsTheCosinesOfTheClassifiersFeatures) {
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

TEST_F(GuidanceFiles, OffAndAWeightOfZeroNeedNoModels) {
  EXPECT_FALSE(open().has_value());
  config.guidance = "plg";
  config.omega = 0;
  EXPECT_FALSE(open().has_value());
  config.omega = 1;
  EXPECT_THAT(error_of([&] { open(); }), HasSubstr("setup.sh --models"));
}

// A step on samples that the oracle distrusts entirely leaves nothing but the guidance in the objective.
double objective_without_trust(bool confidence_on_guidance) {
  TrainConfig config;
  config.confidence = "oracle";
  config.dimension = 8;
  config.omega = 3;
  config.confidence_on_guidance = confidence_on_guidance;
  Embedder model(make_backbone("small", 1, false), 8, 1);
  Learner learner(config, model, 3, torch::kCPU);
  torch::manual_seed(2);
  const auto input = torch::randn({6, 3, 32, 32});
  const auto labels = torch::tensor({0, 0, 1, 1, 2, 2}, torch::kInt64);
  const std::vector<std::uint8_t> wrong(6, 1);
  return learner.step(input, 0, labels, wrong, nullptr, torch::zeros({6, 6})).loss;
}

TEST(GuidedStep, ConfidenceLeavesTheGuidanceUntouchedUnlessAsked) {
  Embedder model(make_backbone("small", 1, false), 8, 1);
  model.train_mode(true);
  torch::manual_seed(2);
  const auto embeddings = model.embed(torch::randn({6, 3, 32, 32}));
  const auto labels = torch::tensor({0, 0, 1, 1, 2, 2}, torch::kInt64);
  const double wanted = 3 * guidance_loss(embeddings, labels, torch::zeros({6, 6})).mean().item<double>();
  ASSERT_GT(wanted, 1e-4);
  EXPECT_NEAR(objective_without_trust(false), wanted, 1e-5);
  EXPECT_EQ(objective_without_trust(true), 0);
}

TEST(ImageNetClasses, HaveTheirNamesFromWordNet) {
  const auto classes = imagenet_classes();
  ASSERT_EQ(classes.size(), 1000U);
  EXPECT_EQ(classes[0].name, "tench");
  EXPECT_EQ(classes[146].wnid, "n02058221");
  EXPECT_EQ(classes[146].name, "albatross");
  EXPECT_EQ(classes[999].name, "toilet tissue");
}

}  // namespace
}  // namespace procsim::train
