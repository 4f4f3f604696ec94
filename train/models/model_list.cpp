#include "train/models/model_list.hpp"

#include "data/base/error.hpp"
#include "train/models/safetensors.hpp"
#include "train/settings/model_folder.hpp"

namespace procsim::train {

std::vector<ListedModel> list_models(const std::filesystem::path& folder) {
  std::vector<ListedModel> list;
  for (const auto& architecture : architectures()) {
    ListedModel model{&architecture, find_weights(folder, architecture.name), 0, "", ""};
    if (model.file) {
      try {
        std::error_code unknown;  // a folder in place of a file: what reads it says so
        const auto bytes = std::filesystem::file_size(*model.file, unknown);
        model.bytes = unknown ? 0 : bytes;
        const auto metadata = read_safetensors_metadata(*model.file);
        if (const auto source = metadata.find("source"); source != metadata.end())
          model.source = source->second;
      } catch (const Error& error) {
        model.damage = error.what();
      }
    }
    list.push_back(std::move(model));
  }
  return list;
}

}  // namespace procsim::train
