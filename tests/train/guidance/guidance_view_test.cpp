#include "train/guidance/guidance_view.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "data/base/markup.hpp"
#include "tests/taxonomy/sample_trees.hpp"
#include "tests/train/tiny_dataset.hpp"
#include "tests/train/tiny_guidance.hpp"
#include "train/guidance/pseudo_labels.hpp"
#include "train/loop/train_run.hpp"

namespace procsim::train {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Not;

// What a run's page says of its guidance, with models that are made on the spot.
class GuidancePage : public ::testing::Test {
 protected:
  test::TinyDataset dataset;
  TrainData data = load_train_data(dataset.label_file(), dataset.root());
  TrainConfig config;
  MachineOptions machine;

  void SetUp() override {
    config.backbone = "small";
    config.weights = "none";
    config.dimension = 8;
    config.image_size = 32;
    config.batch = 12;
    config.epochs = 1;
    test::use_tiny_models(config, dataset.folder);
    machine.device = "cpu";
    machine.workers = 1;
    machine.threads = 1;
    machine.cache_folder = dataset.folder / "cache";
  }

  std::string page_of_a_run() {
    const RunFiles files(dataset.folder / "run");
    std::filesystem::create_directories(files.folder);
    train_run(config, data, files, machine, {});
    return test::read_all(files.page());
  }
  GuidanceTable kept_table() const {
    return read_guidance_table(guidance_table_path(pseudo_label_options(config, machine), data, machine));
  }
};

TEST_F(GuidancePage, ShowsTheFivePseudoLabelsOfAClass) {
  const auto page = page_of_a_run();
  const auto table = kept_table();
  ASSERT_EQ(table.entries.size(), 6U);
  for (const auto& entry : table.entries) {
    ASSERT_EQ(entry.labels.size(), 5U);
    std::string names;
    for (const auto& label : entry.labels) names += (names.empty() ? "" : ", ") + label.name;
    EXPECT_THAT(page, HasSubstr("<tr><td>" + entry.name + "</td><td>" + markup_text(names) + "</td></tr>"));
  }
}

TEST_F(GuidancePage, ShowsWhatMostImagesOfAClassAreTakenFor) {
  config.guidance_per = "sample";
  config.guidance_ranks = 2;
  const auto page = page_of_a_run();
  EXPECT_THAT(page, HasSubstr("the most frequent among a class's images first"));
  const auto guidance = open_guidance(config, data, machine, {});
  ASSERT_EQ(guidance->pseudo_labels().size(), 6U);
  for (const auto& labels : guidance->pseudo_labels())
    EXPECT_THAT(page, HasSubstr("<td>" + markup_text(labels[0] + ", " + labels[1]) + "</td>"));
}

TEST_F(GuidancePage, HasNoPseudoLabelsWhereImagesGuide) {
  config.guidance = "image";
  const auto page = page_of_a_run();
  EXPECT_THAT(page, HasSubstr("What the guidance believes"));
  EXPECT_THAT(page, Not(HasSubstr("seudo-label")));
}

TEST_F(GuidancePage, HasClassesAndMatricesInTheTaxonomysOrder) {
  std::vector<std::pair<std::string, std::string>> classes;
  for (int label = 0; label < test::TinyDataset::kClasses; ++label)
    classes.emplace_back("class " + std::to_string(label), "group " + std::to_string(label % 3));
  data.taxonomy = std::make_shared<const taxonomy::Taxonomy>(
      test::make_parts({{"group 0", "all"}, {"group 1", "all"}, {"group 2", "all"}}, classes));
  const auto guidance = open_guidance(config, data, machine, {});
  torch::manual_seed(5);
  const auto view =
      make_guidance_view(*guidance, data, torch::randn({static_cast<std::int64_t>(data.train.size()), 4}));
  EXPECT_THAT(view.classes, ElementsAre("class 0", "class 6", "class 4", "class 10", "class 2", "class 8"));
  const std::vector<std::int64_t> dense{0, 3, 2, 5, 1, 4};  // of the training labels 0, 2, … 10
  const auto matrix = guidance->class_matrix(data);
  for (std::size_t i = 0; i < 6; ++i) {
    EXPECT_EQ(view.pseudo_labels[i], guidance->pseudo_labels()[static_cast<std::size_t>(dense[i])]);
    for (std::size_t j = 0; j < 6; ++j)
      EXPECT_EQ(view.guidance[6 * i + j], matrix[dense[i]][dense[j]].item<float>()) << i << ' ' << j;
  }
}

}  // namespace
}  // namespace procsim::train
