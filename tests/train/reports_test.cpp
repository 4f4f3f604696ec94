#include <bit>
#include <cstring>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "data/base/error.hpp"
#include "train/config.hpp"
#include "train/epoch_record.hpp"
#include "train/event_file.hpp"
#include "train/matrix_plot.hpp"
#include "train/run_page.hpp"
#include "train/svg_plot.hpp"

namespace procsim::train {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

std::vector<EpochRecord> two_epochs() {
  EpochRecord start;
  start.metrics = {{"recall@1", 0.4}};
  EpochRecord first;
  first.epoch = 1;
  first.metrics = {{"loss", 1.25}, {"threshold", 2}, {"detection_auroc", 0.9}, {"recall@1", 0.5}};
  for (auto* record : {&start, &first}) {
    record->proxy_loss = {0, 4, {1, 2, 3, 4}, {0, 1, 0, 9}};
    record->sigma = {0, 1, {1, 1}, {2, 2}};
  }
  return {start, first};
}

TEST(Config, SurvivesItsJson) {
  for (const auto& name : preset_names()) {
    const auto config = preset_config(name);
    EXPECT_EQ(to_json(config_from_json(to_json(config), "test")), to_json(config)) << name;
    config.validate();
  }
}

TEST(Config, PresetsHaveThePapersValues) {
  EXPECT_EQ(preset_config("cub200").lambda, 1.0);
  EXPECT_EQ(preset_config("cub200").lr, 1e-4);
  EXPECT_EQ(preset_config("cub200").batch, 90);
  EXPECT_EQ(preset_config("cub200").epochs, 150);
  EXPECT_EQ(preset_config("cub200").weight_decay, 4e-4);
  EXPECT_EQ(preset_config("cub200").backbone, "resnet50");
  EXPECT_EQ(preset_config("cars196").lambda, 0.1);
  EXPECT_EQ(preset_config("cars196").lr, 1e-5);
  EXPECT_EQ(preset_config("cars196").epochs, 250);
  EXPECT_EQ(preset_config("sop").recall_at, (std::vector<std::int64_t>{1, 10, 100, 1000}));
}

TEST(Config, WrongValuesNameTheOptionAndTheChoices) {
  TrainConfig config;
  config.loss = "mss";
  try {
    config.validate();
    FAIL();
  } catch (const UsageError& error) {
    EXPECT_THAT(error.what(), HasSubstr("--loss mss"));
    EXPECT_THAT(error.what(), HasSubstr("proxy-nca"));
  }
  config = {};
  config.batch = 91;
  EXPECT_THROW(config.validate(), UsageError);
  config = {};
  config.lambda = 0;
  EXPECT_THROW(config.validate(), UsageError);
  EXPECT_THROW(preset_config("cub"), UsageError);
}

TEST(Config, UnknownAndMissingSettingsAreErrors) {
  auto json = to_json(TrainConfig{});
  json["lamda"] = 1;
  EXPECT_THROW(config_from_json(json, "x"), Error);
  json.erase("lamda");
  json.erase("lambda");
  EXPECT_THROW(config_from_json(json, "x"), Error);
  json["lambda"] = "much";
  EXPECT_THROW(config_from_json(json, "x"), Error);
}

TEST(Config, OfAnEarlierVersionIsRead) {
  auto json = to_json(TrainConfig{});
  json.erase("fold_models");
  json.erase("guidance_shift");
  const auto config = config_from_json(json, "x");
  EXPECT_EQ(config.fold_models, 0);     // nobody judged but the run's own network
  EXPECT_EQ(config.guidance_shift, 1);  // as the paper has it
}

TEST(EpochRecords, SurviveTheirJson) {
  for (const auto& record : two_epochs())
    EXPECT_EQ(to_json(epoch_record_from_json(to_json(record))), to_json(record));
  EpochTally tally;
  tally.loss = 1.0 / 3;
  tally.detection = {5, 4, 3};
  EXPECT_EQ(to_json(epoch_tally_from_json(to_json(tally))), to_json(tally));
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

TEST(EventFile, ChecksumsHaveThePublishedValues) {
  // RFC 3720, B.4
  EXPECT_EQ(crc32c("123456789"), 0xE3069283U);
  EXPECT_EQ(crc32c(std::string(32, '\0')), 0x8A9136AAU);
  EXPECT_EQ(crc32c(std::string(32, '\xff')), 0x62A8AB43U);
}

// The records as TensorBoard's own protocol has them, read back by hand.
TEST(EventFile, HoldsAScalarForEveryMetricOfEveryEpoch) {
  const auto file = tensorboard_events(two_epochs());
  std::size_t at = 0;
  std::vector<std::string> records;
  while (at < file.size()) {
    std::uint64_t length = 0;
    std::memcpy(&length, file.data() + at, 8);
    std::uint32_t checksum = 0;
    std::memcpy(&checksum, file.data() + at + 8, 4);
    const auto unmasked = std::rotl(checksum - 0xA282EAD8U, 15);
    EXPECT_EQ(unmasked, crc32c(std::string_view(file).substr(at, 8)));
    records.push_back(file.substr(at + 12, length));
    at += 12 + length + 4;
  }
  EXPECT_EQ(at, file.size());
  ASSERT_EQ(records.size(), 6U);
  EXPECT_THAT(records[0], HasSubstr("brain.Event:2"));
  // value { tag: "loss" simple_value: 1.25 } in a summary: 0A 04 "loss" 15 00 00 A0 3F
  EXPECT_THAT(records[2], HasSubstr(std::string("\x0a\x04loss\x15\x00\x00\xa0\x3f", 11)));
}

TEST(Plots, TicksAreRound) {
  EXPECT_EQ(round_ticks(0, 1, 5), (std::vector<double>{0, 0.2, 0.4, 0.6000000000000001, 0.8, 1}));
  EXPECT_EQ(round_ticks(3, 3, 5), (std::vector<double>{3}));
}

TEST(Plots, NothingToDrawIsNothing) {
  EXPECT_EQ(line_plot({}, {}), "");
  EXPECT_EQ(line_plot({}, {{"empty", {}}}), "");
  EXPECT_EQ(histogram_rows({}, {}, {}, ""), "");
}

TEST(Plots, MatricesNameEveryRowThatThereIsRoomFor) {
  EXPECT_EQ(matrix_plots({}, {}), "");
  const std::vector<float> apart{1, 0.25F, 0.5F, 0.25F, 1, 0.75F, 0.5F, 0.75F, 1};
  const std::vector<float> close{1, 0.9991F, 0.9993F, 0.9991F, 1, 0.9995F, 0.9993F, 0.9995F, 1};
  const auto some = matrix_plots({"jay & co", "tern", "gull"}, {{"A", apart}, {"B", close}});
  EXPECT_THAT(some, HasSubstr(">jay &amp; co</text>"));
  EXPECT_THAT(some, HasSubstr(">gull</text>"));
  EXPECT_THAT(some, HasSubstr(">0.25 (light) to 0.75 (dark)<")) << "what is like itself does not count";
  EXPECT_THAT(some, HasSubstr(">0.99910 (light) to 0.99950 (dark)<"));
  std::vector<std::string> names;
  for (int i = 0; i < 100; ++i) names.push_back("class " + std::to_string(i));
  const auto many = matrix_plots(names, {{"A", std::vector<float>(10000, 0.5F)}});
  EXPECT_THAT(many, HasSubstr(">class 96</text>"));
  EXPECT_THAT(many, Not(HasSubstr(">class 97</text>")));
  const std::string longest = "Größenwahn am Straßenrand überall";
  EXPECT_THAT(matrix_plots({longest}, {{"A", {1}}}), HasSubstr(">Größenwahn am Straßenrand…</text>"));
}

TEST(RunPage, ShowsTheRunAndEscapesNames) {
  TrainData data;
  data.info.dataset = "a<b>";
  const auto page = run_page("run & co", TrainConfig{}, data, two_epochs());
  EXPECT_THAT(page, HasSubstr("run &amp; co"));
  EXPECT_THAT(page, HasSubstr("a&lt;b&gt;"));
  EXPECT_THAT(page, Not(HasSubstr("a<b>")));
  EXPECT_THAT(page, HasSubstr("label wrong"));
  EXPECT_THAT(page, HasSubstr("40.0 % at the start, 50.0 % last"));
  EXPECT_THAT(page, Not(HasSubstr("http"))) << "a page needs nothing from elsewhere";
}

TEST(RunPage, WorksBeforeTheFirstEpoch) {
  const std::vector<EpochRecord> none;
  EXPECT_THAT(run_page("r", TrainConfig{}, TrainData{}, none), HasSubstr("</html>"));
}

}  // namespace
}  // namespace procsim::train
