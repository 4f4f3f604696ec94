#include "train/guidance/guidance.hpp"

#include <numeric>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/support/errors.hpp"
#include "tests/train/guidance_values.hpp"

namespace procsim::train {
namespace {

using test::error_of;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

class GuidanceOfTables : public GuidanceValues {};

TEST_F(GuidanceOfTables, TheMatrixOfATableIsTheMeanCosineOverTheRanks) {
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
  EXPECT_LT((per_class - guidance_matrix(expected["language"])).abs().max().item<double>(), 1e-6);
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

}  // namespace
}  // namespace procsim::train
