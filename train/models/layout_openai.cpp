#include "train/models/weight_layout.hpp"

namespace procsim::train {
namespace {

bool is_openai(const NamedTensors& tensors) { return tensors.contains("visual.class_embedding"); }

NamedTensors rename_openai(const NamedTensors& tensors) {
  NamedTensors tower;
  for (const auto& [name, tensor] : tensors)
    if (name.starts_with("visual.")) tower[name] = tensor;
  const std::string from = "visual.transformer.resblocks.*.", to = "blocks.$1.";
  tower = rename_tensors(tower, {{"visual.class_embedding", "cls_token"},
                                 {"visual.positional_embedding", "pos_embed"},
                                 {"visual.conv1.weight", "patch_embed.proj.weight"},
                                 {"visual.ln_pre.*", "norm_pre.$1"},
                                 {"visual.ln_post.*", "norm.$1"},
                                 {"visual.proj", "projection.weight"},
                                 {from + "ln_1.*", to + "norm1.$2"},
                                 {from + "ln_2.*", to + "norm2.$2"},
                                 {from + "attn.in_proj_weight", to + "attn.qkv.weight"},
                                 {from + "attn.in_proj_bias", to + "attn.qkv.bias"},
                                 {from + "attn.out_proj.*", to + "attn.proj.$2"},
                                 {from + "mlp.c_fc.*", to + "mlp.fc1.$2"},
                                 {from + "mlp.c_proj.*", to + "mlp.fc2.$2"}});
  tower["cls_token"] = tower["cls_token"].view({1, 1, -1});
  for (auto& [name, tensor] : tower) {
    if (name == "pos_embed") tensor = tensor.unsqueeze(0);
    // Theirs multiplies from the right. What is no matrix fits no model, which is said when it is loaded.
    if (name == "projection.weight" && tensor.dim() == 2) tensor = tensor.t().contiguous();
  }
  return tower;
}

}  // namespace

WeightLayout openai_layout() { return {"OpenAI", is_openai, rename_openai}; }

}  // namespace procsim::train
