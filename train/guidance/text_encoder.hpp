#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <span>
#include <string>

#include "data/base/progress.hpp"
#include "train/models/torch.hpp"

namespace procsim::train {

struct TextEncoderOptions {
  std::string pooling = "mean";  // mean over the tokens, or cls: the first token's vector
  bool normalize = true;         // unit length
  std::int64_t max_tokens = 0;   // longer texts are cut; 0: as many as the model has positions
};

// A sentence encoder of the BERT family, from a folder with model.safetensors (Hugging Face's names, with or
// without a prefix such as "bert."), vocab.txt and config.json; tokenizer_config.json is read where there is
// one (cased models have do_lower_case false there).
class TextEncoder {
 public:
  // Throws Error with the file for what is missing, of another architecture, or does not fit together: a
  // vocabulary whose length is not that of the word embeddings, sizes that config.json has otherwise than the
  // weights.
  explicit TextEncoder(const std::filesystem::path& folder, const TextEncoderOptions& options = {});
  ~TextEncoder();
  TextEncoder(TextEncoder&&) noexcept;

  std::int64_t dimension() const;
  // SHA-256 over weights, vocabulary and the settings that change the vectors.
  const std::string& digest() const;

  // A row a text, single precision, on the CPU. A text's vector depends on itself alone up to rounding.
  torch::Tensor embed(std::span<const std::string> texts, const Progress& progress = {}) const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace procsim::train
