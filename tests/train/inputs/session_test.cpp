#include "train/inputs/session.hpp"

#include <gtest/gtest.h>

#include "tests/support/expect_error.hpp"
#include "tests/train/tiny_dataset.hpp"
#include "tests/train/torchscript_file.hpp"
#include "train/models/safetensors.hpp"

namespace procsim::train {
namespace {

class SessionTest : public ::testing::Test {
 protected:
  test::TinyDataset dataset;
  TrainData data = load_train_data(dataset.label_file(), dataset.root());
  TrainConfig config = [] {
    TrainConfig small;
    small.dimension = 8;
    small.image_size = 32;
    return small;
  }();
  MachineOptions machine = [this] {
    MachineOptions options;
    options.device = "cpu";
    options.workers = 1;
    options.threads = 1;
    options.trust_code = true;
    options.model_folder = dataset.folder / "models";
    return options;
  }();
};

// A module brings its weights, whatever its file is called.
TEST_F(SessionTest, ATorchScriptFileIsPretrainedAndCanBeFrozen) {
  for (const std::string name : {"net.pt", "net.ts"}) {
    config.backbone = test::write_torchscript(dataset.folder, name);
    config.train_from = "head";
    const auto session = open_session(config, data, machine, {});
    EXPECT_TRUE(session.pretrained) << name;
    EXPECT_EQ(session.model->trainable().size(), 2U) << name;
  }
}

TEST_F(SessionTest, ARandomNetworkIsNotFrozen) {
  config.train_from = "block3";
  EXPECT_FALSE(open_session(TrainConfig(), data, machine, {}).pretrained);
  test::expect_error([&] { open_session(config, data, machine, {}); },
                     {"--train-from block3", "random weights"});
}

TEST_F(SessionTest, WeightsAreThoseOfTheFile) {
  Embedder other(make_backbone("small", 77, false), 8, 77);
  TensorFile file;
  file.tensors = other.state();
  write_safetensors(dataset.folder / "w.safetensors", file, IfExists::kFail);
  config.weights = (dataset.folder / "w.safetensors").string();
  const auto session = open_session(config, data, machine, {});
  EXPECT_TRUE(session.pretrained);
  EXPECT_TRUE(torch::equal(session.model->state().at("stem.weight"), other.state().at("stem.weight")));
  config.weights = "nowhere.safetensors";
  test::expect_error([&] { open_session(config, data, machine, {}); }, {"--weights nowhere.safetensors"});
}

TEST_F(SessionTest, ACheckpointReplacesWhateverTheModelStartedFrom) {
  Embedder other(make_backbone("small", 77, false), 8, 77);
  TensorFile file;
  for (const auto& [name, tensor] : other.state()) file.tensors["model." + name] = tensor;
  write_safetensors(dataset.folder / "last.safetensors", file, IfExists::kFail);
  config.weights = "nowhere.safetensors";
  config.train_from = "block3";
  const auto session = open_checkpoint(config, data, dataset.folder / "last.safetensors", machine, {});
  EXPECT_TRUE(torch::equal(session.model->state().at("head.weight"), other.state().at("head.weight")));
  file.tensors = {{"x", torch::zeros({1})}};
  write_safetensors(dataset.folder / "last.safetensors", file, IfExists::kReplace);
  test::expect_error([&] { open_checkpoint(config, data, dataset.folder / "last.safetensors", machine, {}); },
                     {"last.safetensors", "not a checkpoint"});
}

}  // namespace
}  // namespace procsim::train
