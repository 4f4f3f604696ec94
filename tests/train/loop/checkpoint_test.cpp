#include "train/loop/checkpoint.hpp"

#include <gtest/gtest.h>

#include "tests/support/expect_error.hpp"
#include "tests/support/test_files.hpp"
#include "tests/train/first_step.hpp"
#include "tests/train/two_epochs.hpp"

namespace procsim::train {
namespace {

class Checkpoints : public ::testing::Test {
 protected:
  test::TemporaryFolder folder;
  std::filesystem::path path = folder.path() / "last.safetensors";
  test::FirstStep step;
  std::unique_ptr<Method> method = step.method();
  EpochMeter meter{method->quantities(), 6, {}};
  RunState state{.epoch = 1, .step = 4, .records = two_epochs(), .best_epoch = 1, .best_recall = 0.5};
  RunInputs inputs{"labels", "words"};

  void save() {
    meter.add(step.batch().samples, method->step(step.batch()));
    save_checkpoint(path, step.config, inputs, state, meter, *method);
  }
};

TEST_F(Checkpoints, GiveBackAllOfIt) {
  save();
  test::FirstStep other;
  const auto restored = other.method();
  EpochMeter counted(restored->quantities(), 6, {});
  RunState found;
  restore_checkpoint(path, inputs, found, counted, *restored);
  EXPECT_EQ(found.epoch, 1);
  EXPECT_EQ(found.step, 4);
  EXPECT_EQ(found.best_epoch, 1);
  EXPECT_EQ(found.best_recall, 0.5);
  ASSERT_EQ(found.records.size(), 2U);
  EXPECT_EQ(to_json(found.records[1]).dump(), to_json(state.records[1]).dump());
  EXPECT_EQ(counted.sums().dump(), meter.sums().dump());
  const auto a = method->step(step.batch());
  const auto b = restored->step(other.batch());
  EXPECT_EQ(a.objective, b.objective);
  EXPECT_EQ(a.columns, b.columns);
}

TEST_F(Checkpoints, OfOtherInputsAreRefused) {
  save();
  const auto with = [&](RunInputs other) {
    RunState found;
    restore_checkpoint(path, other, found, meter, *method);
  };
  test::expect_error([&] { with({"others", "words"}); }, {"last.safetensors", "other labels"});
  test::expect_error([&] { with({"labels", ""}); }, {"last.safetensors", "another table"});
}

TEST_F(Checkpoints, OfAnotherMethodAreRefused) {
  save();
  step.config.confidence_from = "class-means";
  const auto other = step.method();
  EpochMeter counted(other->quantities(), 6, {});
  RunState found;
  test::expect_error([&] { restore_checkpoint(path, inputs, found, counted, *other); },
                     {"last.safetensors", "class_mean_loss"});
}

// Whole as a file, but what it says cannot be meant.
TEST_F(Checkpoints, OfOtherTypesAreDamaged) {
  save();
  const auto whole = read_safetensors(path);
  for (const std::string changed : {R"("epoch":"one")", R"("sums":[])", R"("records":7)", R"("labels":{})"}) {
    auto file = whole;
    auto said = nlohmann::json::parse(whole.metadata.at("state"));
    said.update(nlohmann::json::parse("{" + changed + "}"));
    file.metadata["state"] = said.dump();
    write_safetensors(path, file, IfExists::kReplace);
    RunState found;
    test::expect_error([&] { restore_checkpoint(path, inputs, found, meter, *method); },
                       {"last.safetensors", "damaged"});
  }
  auto file = whole;
  file.metadata["state"] = R"({"format":3})";
  write_safetensors(path, file, IfExists::kReplace);
  RunState found;
  test::expect_error([&] { restore_checkpoint(path, inputs, found, meter, *method); }, {"another version"});
}

TEST_F(Checkpoints, AFileOfWeightsIsNone) {
  save_model(path, step.config, 3, *step.model);
  RunState found;
  test::expect_error([&] { restore_checkpoint(path, inputs, found, meter, *method); }, {"not a checkpoint"});
  EXPECT_EQ(read_safetensors(path).metadata.at("epoch"), "3");
}

}  // namespace
}  // namespace procsim::train
