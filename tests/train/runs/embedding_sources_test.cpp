#include "train/runs/embedding_sources.hpp"

#include <gtest/gtest.h>

#include "tests/support/expect_error.hpp"
#include "tests/train/tiny_run.hpp"
#include "train/models/embedder.hpp"
#include "train/models/safetensors.hpp"
#include "train/models/torch.hpp"

namespace procsim::train {
namespace {

TEST(EmbeddingSources, ARunsModelGivesUnitEmbeddings) {
  const test::TinyRun run;
  const auto rows = run_embeddings(run.config, run.data, run.files.last(), run.machine, {});
  EXPECT_EQ(rows.sizes(), (std::vector<std::int64_t>{48, 16}));
  EXPECT_TRUE(torch::allclose(rows.norm(2, 1), torch::ones({48})));
}

TEST(EmbeddingSources, PretrainedFeaturesNeedPretrainedWeights) {
  test::TinyRun run;
  test::expect_error([&] { pretrained_features(run.config, run.data, run.machine, {}); },
                     {"--no-train", "small", "random weights"});
  Embedder model(make_backbone("small", 5, false), 16, 5);
  TensorFile file;
  file.tensors = model.state();
  write_safetensors(run.dataset.folder / "w.safetensors", file, IfExists::kFail);
  run.config.weights = (run.dataset.folder / "w.safetensors").string();
  EXPECT_EQ(pretrained_features(run.config, run.data, run.machine, {}).sizes(),
            (std::vector<std::int64_t>{48, 128}))
      << "in front of the head";
}

}  // namespace
}  // namespace procsim::train
