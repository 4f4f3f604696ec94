#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "train/models/embedder.hpp"
#include "train/models/safetensors.hpp"

namespace procsim::train {

// A file of pretrained weights under our names and in single precision, whichever library named it.
// Throws Error for a damaged file, which names the tensor.
TensorFile read_pretrained(const std::filesystem::path& path);

// Copies the weights of `path` into `model`, whose backbone --backbone calls `name`; a head of another size
// is left as it is. Throws Error that says which model the file holds where it is another one.
void load_pretrained(Embedder& model, const std::string& name, const std::filesystem::path& path);

}  // namespace procsim::train
