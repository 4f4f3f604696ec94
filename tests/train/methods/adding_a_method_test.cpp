// The code of docs/adding-a-method.md, as the page has it: CMake writes its blocks to files, which are
// compiled here.
#include <map>

#include <gtest/gtest.h>

#include "data/base/error.hpp"
#include "tests/train/quick_config.hpp"
#include "tests/train/tiny_dataset.hpp"
#include "train/loop/train_run.hpp"
#include "train/methods/registry.hpp"

namespace procsim::train {

#define OBJECTIVE(name) ObjectiveComponent name##_objective();
#define METHOD(name) MethodComponent name##_method();
#include "page/builtin.def"
#undef OBJECTIVE
#undef METHOD

namespace {

Registry registry_of_the_page() {
  auto registry = builtin_registry();
#define OBJECTIVE(name) registry.add(name##_objective());
#define METHOD(name) registry.add(name##_method());
#include "page/builtin.def"
#undef OBJECTIVE
#undef METHOD
  return registry;
}

class AddingAMethod : public ::testing::Test {
 protected:
  test::TinyDataset dataset;
  TrainData data = load_train_data(dataset.label_file(), dataset.root());
  Registry registry = registry_of_the_page();
  TrainConfig config = test::quick_config(2);

  TrainResult train(const std::string& name, const TrainObserver& observer = {}, bool resume = false) {
    const RunFiles files(dataset.folder / name);
    std::filesystem::create_directories(files.folder);
    MachineOptions machine;
    machine.device = "cpu";
    machine.workers = 1;
    machine.threads = 1;
    return train_run(config, data, files, machine, observer, {.resume = resume, .registry = &registry});
  }
  std::string last(const std::string& name) {
    return test::read_all(dataset.folder / name / "last.safetensors");
  }
};

TEST_F(AddingAMethod, ALossIsAFileAndALine) {
  config.loss = "hardest-triplet";
  registry.name_method(config);
  registry.check(config);
  const auto result = train("loss");
  EXPECT_TRUE(result.finished);
  EXPECT_GT(*result.records.back().find("loss"), 0);
  config.options["hardest_triplet_margin"] = 0.0;
  EXPECT_THROW(registry.check(config), UsageError);
}

TEST_F(AddingAMethod, ItsOptionIsOneOfTheConfigurations) {
  auto json = to_json(config);
  json["hardest_triplet_margin"] = 0.5;
  EXPECT_EQ(registry.config_from_json(json, "x").options.at("hardest_triplet_margin"), 0.5);
  EXPECT_THROW(builtin_registry().config_from_json(json, "x"), Error);
}

TEST_F(AddingAMethod, AMethodWithStateIsTwoFilesAndALine) {
  registry.use_method(config, "remembering");
  const auto result = train("method");
  ASSERT_TRUE(result.finished);
  const auto& record = result.records.back();
  EXPECT_NE(record.find("memory_loss"), nullptr);
  EXPECT_NE(record.find("remembered"), nullptr);
  EXPECT_EQ(record.find("sigma"), nullptr) << "nothing of another method";
  EXPECT_NE(record.histogram("memory_loss"), nullptr);
  EXPECT_EQ(result.suspicion.size(), data.train.size());
  EXPECT_TRUE(result.trust.empty());
}

TEST_F(AddingAMethod, ItsStateIsResumedByteForByte) {
  registry.use_method(config, "remembering");
  config.options["remembering_size"] = 20;  // wraps inside an epoch
  train("whole");
  bool resume = false;
  for (int piece = 0; piece < 50; ++piece) {
    std::atomic<bool> stop{false};
    TrainObserver observer;
    observer.stop = &stop;
    observer.step = [&](const StepReport&) { stop = true; };
    if (train("pieces", observer, resume).finished) break;
    resume = true;
  }
  EXPECT_EQ(last("whole"), last("pieces"));
}

}  // namespace
}  // namespace procsim::train
