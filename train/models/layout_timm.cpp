#include <cmath>

#include "train/models/weight_layout.hpp"

namespace procsim::train {
namespace {

bool is_timm(const NamedTensors& tensors) {
  return tensors.contains("patch_embed.proj.weight") || tensors.contains("conv_stem.weight");
}

// timm puts the merging in front of the layer that it leads to, the original behind the one it ends.
std::vector<NameRule> swin_names(const NamedTensors& tensors) {
  std::vector<NameRule> rules{{"head.fc.*", "head.$1"},
                              {"layers.*.blocks.*.attn.relative_position_index", ""},
                              {"layers.*.blocks.*.attn_mask", ""}};
  if (tensors.contains("layers.0.downsample.norm.weight")) return rules;
  for (int layer = 1; layer < 4; ++layer)
    rules.push_back({"layers." + std::to_string(layer) + ".downsample.*.*",
                     "layers." + std::to_string(layer - 1) + ".downsample.$1.$2"});
  return rules;
}

std::vector<NameRule> transformer_names(bool clip) {
  std::vector<NameRule> rules{{"register_tokens", "reg_token"},
                              {"mask_token", ""},
                              {"head_dist.*", ""},
                              {"blocks.*.mlp.w12.*", "blocks.$1.mlp.fc1.$2"},
                              {"blocks.*.mlp.w3.*", "blocks.$1.mlp.fc2.$2"}};
  if (clip) rules.push_back({"head.weight", "projection.weight"});
  return rules;
}

// Models with registers keep the place of the class token inside the token.
void add_place_of_class_token(NamedTensors& tensors) {
  const auto table = tensors.find("pos_embed");
  if (table == tensors.end() || table->second.dim() != 3) return;
  const auto side = std::llround(std::sqrt(static_cast<double>(table->second.size(1))));
  if (side * side == table->second.size(1))
    table->second = torch::cat({torch::zeros_like(table->second.narrow(1, 0, 1)), table->second}, 1);
}

NamedTensors rename_timm(const NamedTensors& tensors) {
  if (tensors.contains("layers.0.blocks.0.norm1.weight")) return rename_tensors(tensors, swin_names(tensors));
  if (!tensors.contains("cls_token")) return tensors;
  auto renamed = rename_tensors(tensors, transformer_names(tensors.contains("norm_pre.weight")));
  add_place_of_class_token(renamed);
  return renamed;
}

}  // namespace

WeightLayout timm_layout() { return {"timm", is_timm, rename_timm}; }

}  // namespace procsim::train
