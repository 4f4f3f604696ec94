#include <filesystem>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "tests/cli/procsim_train_workspace.hpp"

namespace procsim {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;

// A file of the safetensors format with tensors of ones, written without our writer.
std::string safetensors(const std::vector<std::pair<std::string, std::vector<int>>>& tensors) {
  nlohmann::ordered_json header;
  std::string values;
  for (const auto& [name, shape] : tensors) {
    std::size_t bytes = 4;
    for (const int side : shape) bytes *= static_cast<std::size_t>(side);
    header[name] = {
        {"dtype", "F32"}, {"shape", shape}, {"data_offsets", {values.size(), values.size() + bytes}}};
    for (std::size_t i = 0; i < bytes; i += 4) values += std::string("\0\0\x80\x3f", 4);
  }
  const auto text = header.dump();
  std::string file(8, '\0');
  for (std::size_t i = 0; i < 8; ++i) file[i] = static_cast<char>(text.size() >> (8 * i) & 0xff);
  return file + text + values;
}

// Two tensors of a transformer in Hugging Face's words whose key does not go with its query.
std::string mismatched() {
  const std::string attention = "encoder.layer.0.attention.attention.";
  return safetensors({{"embeddings.patch_embeddings.projection.weight", {4, 3, 16, 16}},
                      {attention + "key.weight", {3, 5}},
                      {attention + "query.weight", {4, 4}},
                      {attention + "value.weight", {4, 4}}});
}

class ProcsimTrainModels : public ::testing::Test {
 protected:
  test::TrainWorkspace workspace;

  void expect_refused(const std::string& content, const std::vector<std::string>& said) const {
    const auto file = workspace.dataset.folder.write("models/deit-s16.safetensors", content);
    for (const auto& first : {std::vector<std::string>{"--batch", "12"}, {"score", "--no-train"}}) {
      auto words = first;
      words.insert(words.end(),
                   {"--backbone", "deit-s16", "--models", file.parent_path().string(), "--device", "cpu"});
      const auto result = workspace.run(words);
      EXPECT_EQ(result.exit_code, 1) << words.front();
      EXPECT_THAT(result.err, HasSubstr("deit-s16.safetensors"));
      for (const auto& text : said) EXPECT_THAT(result.err, HasSubstr(text)) << words.front();
      EXPECT_THAT(result.err, Not(HasSubstr("c10"))) << words.front();
    }
  }
};

TEST_F(ProcsimTrainModels, DamagedWeightsAreALineThatNamesTheTensor) {
  const auto whole = mismatched();
  expect_refused(whole, {"holds damaged weights", "'encoder.layer.0.attention.attention.key.weight' is 3×5"});
  expect_refused(whole.substr(0, whole.size() - 20), {"is not a whole safetensors file", "behind the end"});
  expect_refused(whole.substr(0, 30), {"is not a whole safetensors file", "its header claims"});
  expect_refused(safetensors({{"visual.class_embedding", {4}}, {"visual.proj", {2, 2, 2}}}),
                 {"holds weights of another architecture"});
  expect_refused(safetensors({{"visual.class_embedding", {0}}}), {"'visual.class_embedding' is empty"});
}

TEST_F(ProcsimTrainModels, WeightsOfAnotherModelSayWhatTheyLack) {
  expect_refused(safetensors({{"conv1.weight", {64, 3, 7, 7}}, {"bn1.weight", {64}}}),
                 {"holds weights of another architecture", "it lacks", "it brings"});
}

TEST_F(ProcsimTrainModels, AFileInPlaceOfTheFolderIsRefused) {
  const auto file = workspace.dataset.folder.write("net.safetensors", mismatched()).string();
  for (const auto& words : {std::vector<std::string>{"models"}, workspace.quick(), {"score", "--no-train"}}) {
    auto all = words;
    all.insert(all.end(), {"--models", file});
    const auto result = workspace.run(all);
    EXPECT_EQ(result.exit_code, 2) << words.front();
    EXPECT_THAT(result.err, HasSubstr("--models " + file + " is a file"));
  }
}

TEST_F(ProcsimTrainModels, AFolderInPlaceOfAFileIsListedWithWhatIsWrong) {
  std::filesystem::create_directories(workspace.dataset.folder / "models/swin-t.safetensors");
  const auto result = workspace.run({"models", "--models", (workspace.dataset.folder / "models").string()});
  EXPECT_EQ(result.exit_code, 0) << result.err;
  EXPECT_THAT(result.out, AllOf(HasSubstr("swin-t"), HasSubstr("cannot read")));
}

}  // namespace
}  // namespace procsim
