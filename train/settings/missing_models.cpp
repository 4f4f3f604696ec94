#include "train/settings/missing_models.hpp"

#include <algorithm>
#include <array>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "data/base/error.hpp"
#include "train/settings/architecture.hpp"
#include "train/settings/model_folder.hpp"

namespace procsim::train {
namespace {

namespace fs = std::filesystem;

// What scripts/setup.sh --models brings: install_image_model and install_text_model there.
constexpr std::array<std::string_view, 3> kBroughtBySetup{"dinov2-vits14", "efficientnet-lite0",
                                                          "all-minilm-l6-v2"};

bool is_brought(const std::string& name) {
  return std::find(kBroughtBySetup.begin(), kBroughtBySetup.end(), name) != kBroughtBySetup.end();
}

// What scripts/convert_weights.py can fetch by itself; empty: a file has to be there first.
std::string library_source(const std::string& backbone) {
  constexpr std::array<std::pair<std::string_view, std::string_view>, 10> kTorchvision{
      {{"resnet18", "resnet18"},
       {"resnet34", "resnet34"},
       {"resnet50", "resnet50"},
       {"resnet101", "resnet101"},
       {"vit-b16", "vit_b_16"},
       {"vit-b32", "vit_b_32"},
       {"vit-l16", "vit_l_16"},
       {"swin-t", "swin_t"},
       {"swin-s", "swin_s"},
       {"swin-b", "swin_b"}}};
  for (const auto& [name, theirs] : kTorchvision)
    if (name == backbone) return fmt::format("torchvision:{}", theirs);
  constexpr std::string_view lite = "efficientnet-lite";
  if (backbone.starts_with(lite))
    return fmt::format("timm:tf_efficientnet_lite{}", backbone.substr(lite.size()));
  return {};
}

std::string way_to_weights(const std::string& backbone, const fs::path& folder) {
  if (is_brought(backbone)) return "scripts/setup.sh --models";
  const auto* known = find_architecture(backbone);
  if (known == nullptr) return "none has this name: 'procsim-train models --all' lists them";
  if (backbone == "small") return "nobody publishes weights for it";
  const auto target = (folder / (backbone + ".safetensors")).string();
  if (const auto source = library_source(backbone); !source.empty())
    return fmt::format("scripts/convert_weights.py {} {}", source, target);
  return fmt::format("scripts/convert_weights.py FILE {}, the file being {}", target, known->about);
}

std::string way_to_text_encoder(const std::string& name) {
  if (is_brought(name)) return "scripts/setup.sh --models";
  return "model.safetensors, vocab.txt and config.json of a BERT-family encoder, as Hugging Face has them";
}

}  // namespace

ModelNeeds models_of_run(const TrainConfig& config, const MachineOptions& machine) {
  ModelNeeds needs;
  if (config.weights.empty() && config.backbone != "small" && !is_torchscript(config.backbone))
    needs.backbone = config.backbone;
  if (config.omega == 0 || (config.guidance != "plg" && config.guidance != "image")) return needs;
  if (config.guidance_weights.empty()) needs.classifier = config.guidance_backbone;
  if (config.guidance == "plg")
    needs.text_encoder = text_encoder_folder(config.text_encoder, machine.model_folder);
  return needs;
}

void require_models(const ModelNeeds& needs, const fs::path& folder) {
  std::vector<std::string> missing, ways_out;
  const auto is_missing = [&](const std::string& backbone) {
    return !backbone.empty() && !find_weights(folder, backbone);
  };
  const auto add = [&](const std::string& role, const std::string& name, const std::string& way) {
    missing.push_back(fmt::format("{} {} ({})", role, name, way));
  };
  if (is_missing(needs.backbone)) {
    add(needs.backbone == needs.classifier ? "backbone and guidance classifier" : "backbone", needs.backbone,
        way_to_weights(needs.backbone, folder));
    ways_out.emplace_back("--weights none (from scratch)");
  }
  if (is_missing(needs.classifier)) {
    if (needs.backbone != needs.classifier)
      add("guidance classifier", needs.classifier, way_to_weights(needs.classifier, folder));
    ways_out.emplace_back("--guidance-weights FILE");
  }
  if (!needs.text_encoder.empty() && !fs::is_directory(needs.text_encoder)) {
    const auto name = needs.text_encoder.filename().string();
    add("text encoder", name, way_to_text_encoder(name));
    ways_out.emplace_back("--text-encoder DIR");
  }
  if (missing.empty()) return;
  throw Error(fmt::format("pretrained models are missing in {}: {}. Get {}, or say {}.", folder.string(),
                          fmt::join(missing, "; "), missing.size() == 1 ? "it" : "them",
                          fmt::join(ways_out, ", ")));
}

fs::path text_encoder_folder(const std::string& encoder, const fs::path& folder) {
  return fs::is_directory(encoder) ? fs::path(encoder) : folder / encoder;
}

fs::path require_weights(const std::string& option, const std::string& given, const ModelNeeds& need,
                         const fs::path& folder) {
  if (given.empty()) {
    require_models(need, folder);
    return find_weights(folder, need.backbone.empty() ? need.classifier : need.backbone).value();
  }
  if (!fs::exists(given)) throw Error(fmt::format("{} {}: there is no such file", option, given));
  return given;
}

}  // namespace procsim::train
