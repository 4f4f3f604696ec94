#include <algorithm>
#include <cctype>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "data/base/error.hpp"
#include "tests/support/expect_error.hpp"
#include "tests/support/test_files.hpp"
#include "tests/train/loop/training_fixture.hpp"
#include "tests/train/tiny_guidance.hpp"
#include "train/loop/train_run.hpp"
#include "train/methods/methods.hpp"
#include "train/models/safetensors.hpp"

namespace procsim::train {
namespace {

struct Method {
  std::string name;
  void (*set)(TrainConfig&);
};

void PrintTo(const Method& method, std::ostream* out) { *out << method.name; }

class ResumedTraining : public Training, public ::testing::WithParamInterface<Method> {};

TEST_P(ResumedTraining, EqualsUninterruptedTrainingByteForByte) {
  GetParam().set(config);
  train("whole");
  train_in_pieces("pieces", 3);  // stops inside epochs and between them
  expect_same_files("whole", "pieces");
}

INSTANTIATE_TEST_SUITE_P(
    Methods, ResumedTraining,
    ::testing::Values(Method{"procsim", [](TrainConfig&) {}},
                      Method{"pair_means_adamw",
                             [](TrainConfig& c) {
                               c.confidence_scope = "pair";
                               c.proxy_init = "means";
                               c.threshold = "mean";
                               c.optimizer = "adamw";
                             }},
                      Method{"class_means", [](TrainConfig& c) { c.confidence_from = "class-means"; }},
                      Method{"posterior",
                             [](TrainConfig& c) {
                               c.method = "procsim-posterior";
                               c.confidence = "posterior";
                               c.confidence_scope = "pair";
                               c.average_over = "trust";
                             }},
                      Method{"superloss_sgd",
                             [](TrainConfig& c) {
                               c.loss = "contrastive";
                               c.confidence = "superloss";
                               c.optimizer = "sgd";
                             }},
                      Method{"superloss_of_ms", [](TrainConfig& c) { c.confidence = "superloss"; }}),
    [](const auto& parameter) { return parameter.param.name; });

std::vector<std::string> all_methods() {
  std::vector<std::string> names;
  for (const auto& method : method_list()) names.push_back(method.name);
  return names;
}

class ResumedRival : public Training, public ::testing::WithParamInterface<std::string> {};

TEST_P(ResumedRival, EqualsUninterruptedTrainingByteForByte) {
  config.epochs = 2;
  config.recall_at = {1};
  use_method(config, GetParam(), {});
  if (config.guidance == "plg") test::use_tiny_models(config, dataset.folder);
  config.options["memory_size"] = 20;  // wraps inside an epoch
  config.options["triplet_form"] = "sampled";
  config.options["co_teaching_epochs"] = 2;
  config.options["co_teaching_apart_from"] = 1;
  config.options["lsd_alpha"] = 10.0;
  train("whole");
  train_in_pieces("pieces", 3);
  expect_same_files("whole", "pieces");
}

INSTANTIATE_TEST_SUITE_P(Methods, ResumedRival, ::testing::ValuesIn(all_methods()),
                         [](const auto& parameter) {
                           auto name = parameter.param;
                           std::replace_if(
                               name.begin(), name.end(), [](char c) { return !std::isalnum(c); }, '_');
                           return name;
                         });

TEST_F(Training, ProcSimWithPseudoLabelsResumedEqualsUninterrupted) {
  config.epochs = 2;
  use_method(config, "procsim", {});
  test::use_tiny_models(config, dataset.folder);
  train("whole");
  train_in_pieces("pieces", 3);
  expect_same_files("whole", "pieces");
  config.guidance = "off";
  train("plain");
  EXPECT_NE(test::read_all(files("whole").folder / "metrics.csv"),
            test::read_all(files("plain").folder / "metrics.csv"));
}

TEST_F(Training, ACheckpointOfAnotherFormatIsNotResumed) {
  config.epochs = 1;
  train("run");
  auto file = read_safetensors(files("run").last());
  auto state = nlohmann::ordered_json::parse(file.metadata.at("state"));
  EXPECT_EQ(state.at("format"), "checkpoint/2");
  state["format"] = "checkpoint/1";
  file.metadata["state"] = state.dump();
  write_safetensors(files("run").last(), file, IfExists::kReplace);
  test::expect_error([&] { train("run", {}, true); },
                     {"last.safetensors", "'checkpoint/1'", "checkpoint/2", "start a new run"});
}

TEST_F(Training, AnotherLabelSetIsNotResumed) {
  config.epochs = 1;
  train("run");
  data.digest = "another";
  EXPECT_THROW(train("run", {}, true), Error);
}

}  // namespace
}  // namespace procsim::train
