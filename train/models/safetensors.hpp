#pragma once

#include <filesystem>
#include <map>
#include <string>
#include <string_view>

#include "data/files/atomic_file.hpp"
#include "train/models/torch.hpp"

namespace procsim::train {

// The safetensors format: 8 bytes of header length, a JSON header, raw little-endian tensors. The only format
// that weights and checkpoints are read from: nothing in it is executed.
struct TensorFile {
  std::map<std::string, torch::Tensor> tensors;
  std::map<std::string, std::string> metadata;

  // The tensors whose names begin with `prefix`, named without it.
  std::map<std::string, torch::Tensor> below(std::string_view prefix) const;
};

// Every size and offset is checked against the file before a byte is used. Throws Error with the path for a
// truncated or damaged file; for a pickle, with the command that converts it.
TensorFile read_safetensors(const std::filesystem::path& path);

// The metadata alone: the tensors are not read. Throws Error as read_safetensors does for a header.
std::map<std::string, std::string> read_safetensors_metadata(const std::filesystem::path& path);

// Atomic. Same tensors and metadata, same bytes.
void write_safetensors(const std::filesystem::path& path, const TensorFile& file, IfExists if_exists);

}  // namespace procsim::train
