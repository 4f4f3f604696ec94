#include "train/models/pretrained.hpp"

#include <algorithm>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "data/base/error.hpp"
#include "train/models/weight_layout.hpp"

namespace procsim::train {

TensorFile read_pretrained(const std::filesystem::path& path) {
  auto file = read_safetensors(path);
  try {
    file.tensors = to_our_names(file.tensors).tensors;
  } catch (const Error& error) {
    throw Error(
        fmt::format("{} holds damaged weights: {}. Fetch or convert it again.", path.string(), error.what()));
  }
  return file;
}

void load_pretrained(Embedder& model, const std::string& name, const std::filesystem::path& path) {
  const auto file = read_pretrained(path);
  const auto held = architectures_of(file.tensors);
  if (!held.empty() && std::find(held.begin(), held.end(), name) == held.end())
    throw Error(fmt::format("{} holds weights of {}, not of {}. Choose it with --backbone {}.", path.string(),
                            fmt::join(held, " or "), name, held.front()));
  model.load(file.tensors, path.string(), /*pretrained=*/true);
}

}  // namespace procsim::train
