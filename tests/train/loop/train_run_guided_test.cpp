#include <cmath>
#include <cstring>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "data/base/error.hpp"
#include "data/files/table.hpp"
#include "tests/support/test_files.hpp"
#include "tests/train/loop/training_fixture.hpp"
#include "train/loop/train_run.hpp"

namespace procsim::train {
namespace {

using ::testing::HasSubstr;

// Guidance from a text table on disk: vectors by class name.
class GuidedTraining : public Training {
 protected:
  GuidedTraining() {
    std::vector<std::string> names;
    TableColumn::FloatLists lists{4, {}};
    for (int label = 0; label < test::TinyDataset::kClasses; ++label) {
      names.push_back("class " + std::to_string(label));
      for (int i = 0; i < 4; ++i) lists.values.push_back(static_cast<float>(std::sin(3 * label + i)));
    }
    Table table;
    table.columns = {{"name", names}, {"vector", lists}};
    write_parquet_table(dataset.folder / "texts.parquet", table, IfExists::kFail);
    guidance = "file:" + (dataset.folder / "texts.parquet").string();
  }
  std::string guidance;
};

TEST_F(GuidedTraining, AWeightOfZeroEqualsNoGuidanceBitForBit) {
  train("plain");
  config.guidance = guidance;
  config.omega = 0;
  train("zero");
  // The files tell the settings apart; what was learnt is the same.
  EXPECT_EQ(test::read_all(files("plain").folder / "metrics.csv"),
            test::read_all(files("zero").folder / "metrics.csv"));
  EXPECT_EQ(scores("plain"), scores("zero"));
  const auto tensors = [&](const std::string& name) {
    const auto content = test::read_all(files(name).last());
    std::uint64_t header = 0;
    std::memcpy(&header, content.data(), sizeof header);
    return content.substr(sizeof header + header);
  };
  EXPECT_TRUE(tensors("plain") == tensors("zero"));
  config.omega = 1;
  train("guided");
  EXPECT_NE(test::read_all(files("plain").folder / "metrics.csv"),
            test::read_all(files("guided").folder / "metrics.csv"));
}

TEST_F(GuidedTraining, ALargeLambdaEqualsMultiSimilarityWithGuidance) {
  config.guidance = guidance;
  config.confidence = "none";
  const auto plain = train("none");
  config.confidence = "procsim";
  config.lambda = 1e30;
  const auto trusting = train("procsim");
  for (const char* metric : {"loss", "recall@1", "map@r"})
    EXPECT_EQ(*plain.records.back().find(metric), *trusting.records.back().find(metric)) << metric;
}

TEST_F(GuidedTraining, ResumedEqualsUninterruptedAndRefusesAnotherTable) {
  config.guidance = guidance;
  config.confidence_on_guidance = true;
  train("whole");
  train_in_pieces("pieces", 3);
  expect_same_files("whole", "pieces");
  auto table = read_parquet_table(dataset.folder / "texts.parquet");
  std::get<TableColumn::FloatLists>(table.columns[1].values).values[0] += 1;
  write_parquet_table(dataset.folder / "texts.parquet", table, IfExists::kReplace);
  EXPECT_THROW(train("whole", {}, true), Error);
}

TEST_F(GuidedTraining, ThePageShowsBothMatrices) {
  config.guidance = guidance;
  train("run");
  const auto page = test::read_all(files("run").page());
  EXPECT_THAT(page, HasSubstr("What the guidance believes"));
  EXPECT_THAT(page, HasSubstr("aria-label=\"similarity of the guidance\""));
  EXPECT_THAT(page, HasSubstr("aria-label=\"similarity of the embeddings\""));
  config.guidance = "off";
  train("plain");
  EXPECT_THAT(test::read_all(files("plain").page()), ::testing::Not(HasSubstr("What the guidance believes")));
}

}  // namespace
}  // namespace procsim::train
