#include "train/models/weight_layout.hpp"

#include <optional>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "data/base/error.hpp"
#include "train/settings/architecture.hpp"

namespace procsim::train {
namespace {

// What the stars of `pattern` hold in `name`, if it fits.
std::optional<std::vector<std::string>> match(std::string_view pattern, std::string_view name) {
  std::vector<std::string> held;
  while (!pattern.empty()) {
    if (pattern.front() != '*') {
      if (name.empty() || name.front() != pattern.front()) return std::nullopt;
      pattern.remove_prefix(1);
      name.remove_prefix(1);
      continue;
    }
    pattern.remove_prefix(1);
    const auto end = std::min(name.find('.'), name.size());
    if (end == 0) return std::nullopt;
    held.emplace_back(name.substr(0, end));
    name.remove_prefix(end);
  }
  if (!name.empty()) return std::nullopt;
  return held;
}

std::string filled(std::string_view to, const std::vector<std::string>& held) {
  std::string name;
  for (std::size_t i = 0; i < to.size(); ++i) {
    if (to[i] != '$')
      name += to[i];
    else
      name += held.at(static_cast<std::size_t>(to[++i] - '1'));
  }
  return name;
}

std::string shape_of(const torch::Tensor& tensor) {
  return tensor.dim() == 0 ? "a number" : fmt::format("{}", fmt::join(tensor.sizes(), "×"));
}

// A row of each for a row of the others: whether they can lie one below the other.
bool lie_below(const torch::Tensor& one, const torch::Tensor& other) {
  return one.dim() > 0 && one.dim() == other.dim() && one.sizes().slice(1) == other.sizes().slice(1);
}

void join_queries_keys_values(NamedTensors& tensors, const std::map<std::string, std::string>& published) {
  NamedTensors joined;
  for (const auto& [name, tensor] : tensors) {
    const auto place = name.find(".q.");
    if (place == std::string::npos) continue;
    const auto start = name.substr(0, place), end = name.substr(place + 2);
    const auto keys = tensors.find(start + ".k" + end), values = tensors.find(start + ".v" + end);
    if (keys == tensors.end() || values == tensors.end()) continue;
    for (const auto& part : {keys, values})
      if (!lie_below(tensor, part->second))
        throw Error(fmt::format("the tensor '{}' is {}, which does not go with '{}', {}",
                                published.at(part->first), shape_of(part->second), published.at(name),
                                shape_of(tensor)));
    joined[start + ".qkv" + end] = torch::cat({tensor, keys->second, values->second});
  }
  for (const auto& [name, tensor] : joined) {
    const auto place = name.rfind(".qkv.");
    for (const char* letter : {".q", ".k", ".v"})
      tensors.erase(name.substr(0, place) + letter + name.substr(place + 4));
    tensors[name] = tensor;
  }
}

// The number of N with PREFIX N SUFFIX among the names, counted from 0.
std::int64_t count(const NamedTensors& tensors, const std::string& prefix, const std::string& suffix) {
  std::int64_t number = 0;
  while (tensors.contains(prefix + std::to_string(number) + suffix)) ++number;
  return number;
}

std::int64_t side(const NamedTensors& tensors, const std::string& name, std::int64_t dimension) {
  const auto found = tensors.find(name);
  return found != tensors.end() && found->second.dim() > dimension ? found->second.size(dimension) : 0;
}

bool fits(const NamedTensors&, const SmallOptions&) { return false; }

bool fits(const NamedTensors& tensors, const ResNetOptions& options) {
  for (std::size_t layer = 0; layer < 4; ++layer)
    if (count(tensors, "layer" + std::to_string(layer + 1) + ".", ".conv1.weight") != options.depths[layer])
      return false;
  return tensors.contains("layer1.0.conv3.weight") == options.bottleneck && tensors.contains("conv1.weight");
}

bool fits(const NamedTensors& tensors, const EfficientNetLiteOptions& options) {
  const auto repeats = lite_repeats(options);
  if (!tensors.contains("conv_stem.weight") || tensors.contains("blocks.1.0.se.conv_reduce.weight"))
    return false;
  for (std::size_t stage = 0; stage < repeats.size(); ++stage)
    if (count(tensors, "blocks." + std::to_string(stage) + ".", ".conv_dw.weight") != repeats[stage])
      return false;
  return side(tensors, "blocks.5.0.conv_pwl.weight", 0) == lite_width(192, options);
}

bool fits(const NamedTensors& tensors, const VisionTransformerOptions& options) {
  const auto gated =
      side(tensors, "blocks.0.mlp.fc1.weight", 0) == 2 * side(tensors, "blocks.0.mlp.fc2.weight", 1);
  return tensors.contains("cls_token") && side(tensors, "patch_embed.proj.weight", 0) == options.width &&
         side(tensors, "patch_embed.proj.weight", 2) == options.patch &&
         count(tensors, "blocks.", ".norm1.weight") == options.depth &&
         tensors.contains("blocks.0.ls1.gamma") == options.layer_scale && gated == options.swiglu &&
         side(tensors, "reg_token", 1) == options.registers &&
         tensors.contains("dist_token") == options.distilled &&
         tensors.contains("norm_pre.weight") == options.clip;
}

bool fits(const NamedTensors& tensors, const SwinOptions& options) {
  if (side(tensors, "patch_embed.proj.weight", 0) != options.width) return false;
  for (std::size_t layer = 0; layer < options.depths.size(); ++layer)
    if (count(tensors, "layers." + std::to_string(layer) + ".blocks.", ".norm1.weight") !=
        options.depths[layer])
      return false;
  return true;
}

}  // namespace

NamedTensors rename_tensors(const NamedTensors& tensors, const std::vector<NameRule>& rules) {
  NamedTensors renamed;
  std::map<std::string, std::string> published;  // our name → theirs
  for (const auto& [name, tensor] : tensors) {
    std::string to = name;
    for (const auto& rule : rules)
      if (const auto held = match(rule.from, name)) {
        to = filled(rule.to, *held);
        break;
      }
    if (to.empty()) continue;
    renamed[to] = tensor;
    published[to] = name;
  }
  join_queries_keys_values(renamed, published);
  return renamed;
}

NamedTensors without_prefix(const NamedTensors& tensors, const std::vector<std::string_view>& prefixes) {
  NamedTensors stripped;
  for (const auto& [name, tensor] : tensors) {
    std::string_view rest = name;
    for (const auto prefix : prefixes)
      if (rest.starts_with(prefix)) {
        rest.remove_prefix(prefix.size());
        break;
      }
    stripped[std::string(rest)] = tensor;
  }
  return stripped;
}

RenamedWeights to_our_names(const NamedTensors& tensors) {
  for (const auto& [name, tensor] : tensors)
    if (tensor.numel() == 0)
      throw Error(fmt::format("the tensor '{}' is empty ({})", name, shape_of(tensor)));
  RenamedWeights renamed{tensors, ""};
  for (const auto& layout : {hugging_face_layout(), torchvision_layout(), openai_layout(), timm_layout()}) {
    if (!layout.recognises(tensors)) continue;
    renamed = {layout.rename(tensors), layout.library};
    break;
  }
  for (auto& [name, tensor] : renamed.tensors)
    if (tensor.is_floating_point()) tensor = tensor.to(torch::kFloat32);
  return renamed;
}

std::vector<std::string> architectures_of(const NamedTensors& tensors) {
  std::vector<std::string> names;
  for (const auto& architecture : architectures())
    if (std::visit([&](const auto& options) { return fits(tensors, options); }, architecture.options))
      names.push_back(architecture.name);
  return names;
}

}  // namespace procsim::train
