#include "train/reports/epoch_record.hpp"

#include <gtest/gtest.h>

#include "tests/train/two_epochs.hpp"

namespace procsim::train {
namespace {

// Written out: a field that neither direction knew would survive every round trip.
TEST(EpochRecords, HaveTheirJson) {
  const auto json = nlohmann::ordered_json::parse(R"({
    "epoch": 1,
    "metrics": [["loss", 1.25], ["threshold", 2.0], ["detection_auroc", 0.9], ["recall@1", 0.5]],
    "histograms": {
      "proxy_loss": {"from": 0.0, "to": 4.0, "clean": [1, 2, 3, 4], "noisy": [0, 1, 0, 9]},
      "sigma": {"from": 0.0, "to": 1.0, "clean": [1, 1], "noisy": [2, 2]}
    }
  })");
  EXPECT_EQ(to_json(two_epochs()[1]).dump(), json.dump());
  EXPECT_EQ(to_json(epoch_record_from_json(json)).dump(), json.dump());
}

TEST(EpochRecords, BecomeATableWithHolesWhereNothingWasMeasured) {
  EXPECT_EQ(metrics_csv(two_epochs()),
            "epoch,recall@1,loss,threshold,detection_auroc\n0,0.4,,,\n1,0.5,1.25,2,0.9\n");
  EXPECT_EQ(metrics_jsonl(two_epochs()),
            "{\"epoch\":0,\"recall@1\":0.4}\n"
            "{\"epoch\":1,\"loss\":1.25,\"threshold\":2.0,\"detection_auroc\":0.9,\"recall@1\":0.5}\n");
}

TEST(Histogram, CountsIntoBinsAndClampsTheRest) {
  Histogram histogram{0, 4, {0, 0, 0, 0}, {0, 0, 0, 0}};
  for (const double value : {-1.0, 0.5, 1.0, 3.9, 4.0, 99.0}) histogram.add(value, false);
  histogram.add(2.5, true);
  EXPECT_EQ(histogram.clean, (std::vector<std::int64_t>{2, 1, 0, 3}));
  EXPECT_EQ(histogram.noisy, (std::vector<std::int64_t>{0, 0, 1, 0}));
}

}  // namespace
}  // namespace procsim::train
