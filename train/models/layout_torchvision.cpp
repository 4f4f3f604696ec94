#include "train/models/weight_layout.hpp"

namespace procsim::train {
namespace {

// Its ResNets have our names already.
bool is_torchvision(const NamedTensors& tensors) {
  return tensors.contains("conv_proj.weight") || tensors.contains("features.1.0.attn.qkv.weight");
}

std::vector<NameRule> torchvision_transformer_rules() {
  const std::string from = "encoder.layers.encoder_layer_*.", to = "blocks.$1.";
  std::vector<NameRule> rules{{"class_token", "cls_token"},
                              {"conv_proj.*", "patch_embed.proj.$1"},
                              {"encoder.pos_embedding", "pos_embed"},
                              {"encoder.ln.*", "norm.$1"},
                              {"heads.head.*", "head.$1"},
                              {from + "ln_1.*", to + "norm1.$2"},
                              {from + "ln_2.*", to + "norm2.$2"},
                              {from + "self_attention.in_proj_weight", to + "attn.qkv.weight"},
                              {from + "self_attention.in_proj_bias", to + "attn.qkv.bias"},
                              {from + "self_attention.out_proj.*", to + "attn.proj.$2"}};
  for (const std::string name : {"0", "linear_1"})
    rules.push_back({from + "mlp." + name + ".*", to + "mlp.fc1.$2"});
  for (const std::string name : {"3", "linear_2"})
    rules.push_back({from + "mlp." + name + ".*", to + "mlp.fc2.$2"});
  return rules;
}

std::vector<NameRule> torchvision_swin_rules() {
  std::vector<NameRule> rules{{"features.0.0.*", "patch_embed.proj.$1"},
                              {"features.0.2.*", "patch_embed.norm.$1"}};
  for (int layer = 0; layer < 4; ++layer) {
    const auto to = "layers." + std::to_string(layer) + ".";
    const auto from = "features." + std::to_string(2 * layer + 1) + ".*.";
    rules.push_back({from + "attn.relative_position_index", ""});
    rules.push_back({from + "mlp.0.*", to + "blocks.$1.mlp.fc1.$2"});
    rules.push_back({from + "mlp.3.*", to + "blocks.$1.mlp.fc2.$2"});
    rules.push_back({from + "*.*", to + "blocks.$1.$2.$3"});
    rules.push_back({from + "*.*.*", to + "blocks.$1.$2.$3.$4"});
    rules.push_back({"features." + std::to_string(2 * layer + 2) + ".*.*", to + "downsample.$1.$2"});
  }
  return rules;
}

NamedTensors rename_torchvision(const NamedTensors& tensors) {
  return rename_tensors(tensors, tensors.contains("conv_proj.weight") ? torchvision_transformer_rules()
                                                                      : torchvision_swin_rules());
}

}  // namespace

WeightLayout torchvision_layout() { return {"torchvision", is_torchvision, rename_torchvision}; }

}  // namespace procsim::train
