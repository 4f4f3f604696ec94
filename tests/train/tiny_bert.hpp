#pragma once

#include <filesystem>
#include <string>

#include "tests/support/test_files.hpp"
#include "train/models/safetensors.hpp"

namespace procsim::test {

// A BERT of two layers with random weights and a vocabulary of single letters, as a folder on disk.
inline std::filesystem::path write_tiny_bert(const TemporaryFolder& folder, const std::string& name,
                                             const std::string& prefix = "") {
  std::string vocabulary = "[PAD]\n[UNK]\n[CLS]\n[SEP]\n";
  for (char letter = 'a'; letter <= 'z'; ++letter)
    vocabulary += std::string(1, letter) + "\n##" + std::string(1, letter) + "\n";
  folder.write(name + "/vocab.txt", vocabulary);
  folder.write(
      name + "/config.json",
      R"({"model_type":"bert","vocab_size":56,"hidden_size":8,"num_hidden_layers":2,"num_attention_heads":2,
                   "intermediate_size":16,"max_position_embeddings":32,"type_vocab_size":2,"hidden_act":"gelu"})");
  torch::manual_seed(7);
  train::TensorFile file;
  const auto add = [&](const std::string& tensor, std::vector<std::int64_t> sizes) {
    file.tensors[prefix + tensor] = torch::randn(sizes);
  };
  const auto linear = [&](const std::string& tensor, std::int64_t in, std::int64_t out) {
    add(tensor + ".weight", {out, in});
    add(tensor + ".bias", {out});
  };
  add("embeddings.word_embeddings.weight", {56, 8});
  add("embeddings.position_embeddings.weight", {32, 8});
  add("embeddings.token_type_embeddings.weight", {2, 8});
  const auto norm = [&](const std::string& tensor) {
    add(tensor + ".weight", {8});
    add(tensor + ".bias", {8});
  };
  norm("embeddings.LayerNorm");
  for (const std::string layer : {"encoder.layer.0.", "encoder.layer.1."}) {
    for (const std::string part :
         {"attention.self.query", "attention.self.key", "attention.self.value", "attention.output.dense"})
      linear(layer + part, 8, 8);
    norm(layer + "attention.output.LayerNorm");
    linear(layer + "intermediate.dense", 8, 16);
    linear(layer + "output.dense", 16, 8);
    norm(layer + "output.LayerNorm");
  }
  train::write_safetensors(folder.path() / name / "model.safetensors", file, IfExists::kReplace);
  return folder.path() / name;
}

}  // namespace procsim::test
