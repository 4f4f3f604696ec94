#include "train/trust/prism.hpp"

#include <gtest/gtest.h>

#include "data/base/error.hpp"
#include "tests/train/rival_test.hpp"
#include "train/frame/batch.hpp"

namespace procsim::train {
namespace {

class Prism : public RivalTest {
 protected:
  Prism() {
    objective = loss("mcl", {}, 4);
    memory = CrossBatchMemory::of(parts());
  }
  const nlohmann::json wanted = rivals["prism"];
  std::unique_ptr<Objective> objective;
  std::shared_ptr<CrossBatchMemory> memory;
  torch::Tensor rows = matrix(wanted["embeddings"]);

  void remember() {
    memory->offer({matrix(wanted["memory"]), labels_of(wanted["memory_labels"]), {}});
    memory->learn();
  }
  Batch step() const {
    Batch made;
    made.samples = {0, 1, 2, 3, 4, 5};
    made.labels = labels_of(wanted["labels"]);
    return made;
  }
  static std::vector<double> numbers(const nlohmann::json& json) { return json.get<std::vector<double>>(); }
};

TEST_F(Prism, HasTheIndependentValues) {
  PrismTrust prism({}, memory, 4, 0.5);
  remember();
  prism.window() = {0.20, 0.26};
  const auto trust = prism(step(), rows);
  EXPECT_EQ(trust.weight, numbers(wanted["keep"]));
  EXPECT_EQ(trust.partner, trust.weight);
  for (std::size_t i = 0; i < 6; ++i)
    EXPECT_NEAR(1 - trust.columns[0].second[i], wanted["probability"][i].get<double>(), 1e-6);
  EXPECT_NEAR(prism.window().back(), wanted["quantile"].get<double>(), 1e-6);
  EXPECT_NEAR(1 - trust.scalars[0].second, wanted["threshold"].get<double>(), 1e-6);

  const auto batch_of = step();
  const auto kept = vector(wanted["keep"]);
  const auto values = (*objective)({rows, batch_of.labels, kept, &batch_of}) * kept;
  EXPECT_LT((values - vector(wanted["values"])).abs().max().item<double>(), 1e-6) << values;
  memory->learn();
  EXPECT_EQ(memory->size(), 5 + 4) << "what was kept is remembered after the step";
}

TEST_F(Prism, AnEmptyMemoryKeepsAll) {
  PrismTrust prism({}, memory, 4, 0.5);
  EXPECT_EQ(prism(step(), rows).weight, std::vector<double>(6, 1.0));
  EXPECT_TRUE(prism.window().empty());
}

TEST_F(Prism, AClassNeverSeenIsKept) {
  PrismTrust prism({}, memory, 4, 0.9);
  remember();
  EXPECT_EQ(prism(step(), rows).weight[5], 1);
}

TEST_F(Prism, ARateThatDropsNobodyLeavesTheWindowAlone) {
  PrismTrust prism({}, memory, 4, 0.1);  // ⌊0.6⌋ = 0
  remember();
  prism.window() = {0.2};
  EXPECT_EQ(prism(step(), rows).weight, std::vector<double>(6, 1.0));
  EXPECT_EQ(prism.window(), (std::deque<double>{0.2}));
}

TEST_F(Prism, WhereNothingLiesAboveTheThresholdTheLeastLikelyGo) {
  PrismTrust prism({}, memory, 4, 0.5);
  remember();
  prism.window() = {5, 6};  // no probability is above such an average
  const auto weight = prism(step(), rows).weight;
  EXPECT_EQ(weight, (std::vector<double>{1, 0, 0, 1, 0, 1}));
  EXPECT_EQ(prism.window().size(), 1U) << "the average starts anew";
}

TEST_F(Prism, TheWindowIsAsLongAsAsked) {
  PrismTrust prism({.window = 2}, memory, 4, 0.5);
  remember();
  for (int i = 0; i < 4; ++i) prism(step(), rows);
  EXPECT_EQ(prism.window().size(), 2U);
  EXPECT_THROW(PrismOptions({.window = 0}).validate(), UsageError);
}

TEST_F(Prism, GoesOnFromWhatItSaved) {
  PrismTrust prism({}, memory, 4, 0.5);
  remember();
  prism(step(), rows);
  TensorFile file;
  prism.save({file, "x"});
  PrismTrust restored({}, memory, 4, 0.5);
  restored.restore({file, "x"});
  EXPECT_EQ(restored.window(), prism.window());
}

TEST(DroppedOf, IsWhatAPersonWouldCompute) {
  EXPECT_EQ(dropped_of(0.29, 100), 29);
  EXPECT_EQ(90 - dropped_of(0.3, 90), 63);
  EXPECT_EQ(dropped_of(0.1, 6), 0);
}

}  // namespace
}  // namespace procsim::train
