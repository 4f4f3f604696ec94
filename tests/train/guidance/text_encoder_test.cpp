#include "train/guidance/text_encoder.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "data/base/error.hpp"
#include "tests/train/expected_values.hpp"
#include "tests/train/model_folder.hpp"
#include "tests/train/tiny_bert.hpp"

namespace procsim::train {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;

std::string error_of(const std::filesystem::path& folder) {
  try {
    const TextEncoder encoder(folder);
  } catch (const Error& error) {
    return error.what();
  }
  return "";
}

TEST(TextEncoding, AgreesWithHuggingFaceOnAThousandTexts) {
  const auto folder = test::text_model_folder();
  if (!folder) GTEST_SKIP() << "no text encoder: run scripts/setup.sh --models";
  const auto expected = test::expected_values("text_encoder.json");
  const std::int64_t step = expected["step"];
  const TextEncoder encoder(*folder, {.max_tokens = expected["max_tokens"]});
  std::vector<std::string> texts;
  for (const auto& item : expected["texts"]) texts.push_back(item["text"]);
  const auto vectors = encoder.embed(texts);
  ASSERT_EQ(vectors.size(0), 1000);
  EXPECT_TRUE(torch::allclose(vectors.norm(2, 1), torch::ones({1000}), 0, 1e-5));
  for (std::int64_t i = 0; i < 1000; ++i) {
    const auto wanted =
        torch::tensor(expected["texts"][static_cast<std::size_t>(i)]["vector"].get<std::vector<float>>());
    const auto ours = vectors[i].slice(0, 0, vectors.size(1), step);
    EXPECT_LT((ours - wanted).abs().max().item<double>(), 1e-4) << texts[static_cast<std::size_t>(i)];
  }
}

class TinyBert : public ::testing::Test {
 protected:
  test::TemporaryFolder folder;
  std::vector<std::string> texts{"a bird", "abc", "", "a much longer text than the others are"};
};

TEST_F(TinyBert, APrefixInTheNamesOfTheWeightsChangesNothing) {
  const auto plain = TextEncoder(test::write_tiny_bert(folder, "plain")).embed(texts);
  const auto prefixed = TextEncoder(test::write_tiny_bert(folder, "prefixed", "bert.")).embed(texts);
  EXPECT_TRUE(torch::equal(plain, prefixed));
}

TEST_F(TinyBert, LayerNormsMayHaveTensorFlowsNames) {
  const auto plain = TextEncoder(test::write_tiny_bert(folder, "plain")).embed(texts);
  const auto path = test::write_tiny_bert(folder, "converted", "bert.");
  TensorFile renamed;
  for (const auto& [name, tensor] : read_safetensors(path / "model.safetensors").tensors) {
    const auto norm = name.find("LayerNorm.");
    const auto suffix = name.ends_with("weight") ? "gamma" : "beta";
    renamed.tensors[norm == std::string::npos ? name : name.substr(0, norm + 10) + suffix] = tensor;
  }
  ASSERT_TRUE(renamed.tensors.contains("bert.encoder.layer.1.output.LayerNorm.gamma"));
  write_safetensors(path / "model.safetensors", renamed, IfExists::kReplace);
  EXPECT_TRUE(torch::equal(TextEncoder(path).embed(texts), plain));
  renamed.tensors.erase("bert.encoder.layer.1.output.LayerNorm.beta");
  write_safetensors(path / "model.safetensors", renamed, IfExists::kReplace);
  EXPECT_THAT(error_of(path), HasSubstr("lacks the tensor 'bert.encoder.layer.1.output.LayerNorm.bias'"));
}

TEST_F(TinyBert, ATextsVectorDoesNotDependOnItsNeighbours) {
  const TextEncoder encoder(test::write_tiny_bert(folder, "bert"));
  const auto together = encoder.embed(texts);
  for (std::size_t i = 0; i < texts.size(); ++i)
    EXPECT_TRUE(torch::allclose(encoder.embed(std::span(texts).subspan(i, 1))[0],
                                together[static_cast<std::int64_t>(i)], 0, 1e-5))
        << texts[i];
}

TEST_F(TinyBert, PoolingIsAChoiceThatChangesTheDigest) {
  const auto path = test::write_tiny_bert(folder, "bert");
  const TextEncoder mean(path);
  const TextEncoder cls(path, {.pooling = "cls"});
  EXPECT_FALSE(torch::allclose(mean.embed(texts), cls.embed(texts), 0, 1e-3));
  EXPECT_NE(mean.digest(), cls.digest());
  EXPECT_THROW(TextEncoder(path, {.pooling = "max"}), UsageError);
}

TEST_F(TinyBert, AVocabularyOfAnotherModelIsRefused) {
  const auto path = test::write_tiny_bert(folder, "bert");
  folder.write("bert/vocab.txt", "[PAD]\n[UNK]\n[CLS]\n[SEP]\nbird\n");
  const auto message = error_of(path);
  EXPECT_THAT(message, HasSubstr("vocab.txt has 5 pieces and the weights have 56"));
}

TEST_F(TinyBert, AConfigurationOfAnotherModelIsRefused) {
  const auto path = test::write_tiny_bert(folder, "bert");
  folder.write(
      "bert/config.json",
      R"({"model_type":"bert","vocab_size":56,"hidden_size":8,"num_hidden_layers":3,"num_attention_heads":2,
                   "intermediate_size":16,"max_position_embeddings":32})");
  EXPECT_THAT(error_of(path), HasSubstr("lacks the tensor 'encoder.layer.2."));
  folder.write(
      "bert/config.json",
      R"({"model_type":"bert","vocab_size":56,"hidden_size":12,"num_hidden_layers":2,"num_attention_heads":2,
                   "intermediate_size":16,"max_position_embeddings":32})");
  EXPECT_THAT(error_of(path), HasSubstr("56×8 and config.json makes it 56×12"));
  folder.write("bert/config.json", R"({"model_type":"gpt2"})");
  EXPECT_THAT(error_of(path), HasSubstr("'gpt2'"));
  folder.write("bert/config.json", R"({"model_type":7})");
  EXPECT_THAT(error_of(path), AllOf(HasSubstr("config.json is damaged"), HasSubstr("must be string")));
}

TEST_F(TinyBert, AMissingModelSaysHowToGetOne) {
  EXPECT_THAT(error_of(folder / "nowhere"), HasSubstr("setup.sh --models"));
}

}  // namespace
}  // namespace procsim::train
