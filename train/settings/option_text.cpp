#include "train/settings/option_text.hpp"

#include <algorithm>
#include <map>

#include <nlohmann/json.hpp>

#include "train/settings/architecture.hpp"

namespace procsim::train {
namespace {

std::vector<std::string> names_of_architectures() {
  std::vector<std::string> names;
  for (const auto& architecture : architectures()) names.push_back(architecture.name);
  return names;
}

}  // namespace

std::string option_name(std::string_view field) {
  std::string name = "--" + std::string(field);
  std::replace(name.begin(), name.end(), '_', '-');
  return name;
}

std::string option_text(const nlohmann::ordered_json& value) {
  return value.is_string() ? value.get<std::string>() : value.dump();
}

std::vector<std::string> choices_of(std::string_view field) {
  static const std::map<std::string_view, std::vector<std::string>> choices{
      {"confidence_from", {"proxy-nca", "ms", "class-means"}},
      {"confidence_scope", {"anchor", "pair"}},
      {"threshold", {"otsu", "gmm", "mean"}},
      {"average_over", {"samples", "trust"}},
      {"distillation", {"off", "lsd"}},
      {"guidance", {"off", "plg", "image", "image:FILE", "file:FILE"}},
      {"guidance_per", {"class", "sample"}},
      {"guidance_backbone", names_of_architectures()},
      {"text_pooling", {"mean", "cls"}},
      {"proxy_init", {"random", "means"}},
      {"backbone", names_of_architectures()},
      {"head_init", {"auto", "pca", "random"}},
      {"batch_norm", {"auto", "frozen", "learn"}},
      {"optimizer", {"adam", "adamw", "sgd"}},
      {"precision", {"auto", "fp32", "bf16"}}};
  const auto found = choices.find(field);
  return found != choices.end() ? found->second : std::vector<std::string>{};
}

}  // namespace procsim::train
