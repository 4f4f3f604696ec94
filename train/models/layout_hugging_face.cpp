#include "train/models/weight_layout.hpp"

namespace procsim::train {
namespace {

NamedTensors plain_names(const NamedTensors& tensors) {
  return without_prefix(tensors, {"dinov2_with_registers.", "dinov2.", "deit.", "vit.", "swin.", "resnet."});
}

void add_attention(std::vector<NameRule>& rules, const std::string& from, const std::string& to,
                   const std::string& inside, const std::string& suffix) {
  for (const std::string part : {"query", "key", "value"})
    rules.push_back({from + inside + part + ".*", to + "attn." + part.substr(0, 1) + suffix});
  rules.push_back({from + "attention.output.dense.*", to + "attn.proj" + suffix});
  rules.push_back({from + "intermediate.dense.*", to + "mlp.fc1" + suffix});
  rules.push_back({from + "output.dense.*", to + "mlp.fc2" + suffix});
  rules.push_back({from + "layernorm_before.*", to + "norm1" + suffix});
  rules.push_back({from + "layernorm_after.*", to + "norm2" + suffix});
}

// ViT, DeiT, Dinov2, Dinov2WithRegisters.
std::vector<NameRule> transformer_rules() {
  std::vector<NameRule> rules{{"embeddings.cls_token", "cls_token"},
                              {"embeddings.distillation_token", "dist_token"},
                              {"embeddings.register_tokens", "reg_token"},
                              {"embeddings.position_embeddings", "pos_embed"},
                              {"embeddings.patch_embeddings.projection.*", "patch_embed.proj.$1"},
                              {"embeddings.mask_token", ""},
                              {"pooler.dense.*", ""},
                              {"layernorm.*", "norm.$1"},
                              {"classifier.*", "head.$1"},
                              {"cls_classifier.*", "head.$1"},
                              {"distillation_classifier.*", ""}};
  const std::string from = "encoder.layer.*.", to = "blocks.$1.";
  add_attention(rules, from, to, "attention.attention.", ".$2");
  for (const std::string number : {"1", "2"}) {
    rules.push_back({from + "norm" + number + ".*", to + "norm" + number + ".$2"});
    rules.push_back({from + "mlp.fc" + number + ".*", to + "mlp.fc" + number + ".$2"});
    rules.push_back({from + "layer_scale" + number + ".lambda1", to + "ls" + number + ".gamma"});
  }
  rules.push_back({from + "mlp.weights_in.*", to + "mlp.fc1.$2"});
  rules.push_back({from + "mlp.weights_out.*", to + "mlp.fc2.$2"});
  return rules;
}

std::vector<NameRule> swin_rules() {
  std::vector<NameRule> rules{{"embeddings.patch_embeddings.projection.*", "patch_embed.proj.$1"},
                              {"embeddings.norm.*", "patch_embed.norm.$1"},
                              {"embeddings.mask_token", ""},
                              {"layernorm.*", "norm.$1"},
                              {"classifier.*", "head.$1"},
                              {"encoder.layers.*.downsample.*.*", "layers.$1.downsample.$2.$3"}};
  const std::string from = "encoder.layers.*.blocks.*.", to = "layers.$1.blocks.$2.";
  add_attention(rules, from, to, "attention.self.", ".$3");
  rules.push_back(
      {from + "attention.self.relative_position_bias_table", to + "attn.relative_position_bias_table"});
  rules.push_back({from + "attention.self.relative_position_index", ""});
  return rules;
}

std::vector<NameRule> clip_rules() {
  const std::string from = "vision_model.encoder.layers.*.", to = "blocks.$1.";
  std::vector<NameRule> rules{{"vision_model.embeddings.class_embedding", "cls_token"},
                              {"vision_model.embeddings.position_embedding.weight", "pos_embed"},
                              {"vision_model.embeddings.position_ids", ""},
                              {"vision_model.embeddings.patch_embedding.weight", "patch_embed.proj.weight"},
                              {"vision_model.pre_layrnorm.*", "norm_pre.$1"},  // their spelling
                              {"vision_model.post_layernorm.*", "norm.$1"},
                              {"visual_projection.weight", "projection.weight"},
                              {from + "layer_norm1.*", to + "norm1.$2"},
                              {from + "layer_norm2.*", to + "norm2.$2"},
                              {from + "mlp.*.*", to + "mlp.$2.$3"},
                              {from + "self_attn.out_proj.*", to + "attn.proj.$2"}};
  for (const std::string letter : {"q", "k", "v"})
    rules.push_back({from + "self_attn." + letter + "_proj.*", to + "attn." + letter + ".$2"});
  return rules;
}

std::vector<NameRule> resnet_rules() {
  std::vector<NameRule> rules{{"embedder.embedder.convolution.weight", "conv1.weight"},
                              {"embedder.embedder.normalization.*", "bn1.$1"},
                              {"classifier.1.*", "fc.$1"}};
  for (int stage = 0; stage < 4; ++stage) {
    const std::string from = "encoder.stages." + std::to_string(stage) + ".layers.*.";
    const std::string to = "layer" + std::to_string(stage + 1) + ".$1.";
    rules.push_back({from + "shortcut.convolution.*", to + "downsample.0.$2"});
    rules.push_back({from + "shortcut.normalization.*", to + "downsample.1.$2"});
    for (int part = 0; part < 3; ++part) {
      const auto inside = "layer." + std::to_string(part) + ".", number = std::to_string(part + 1);
      rules.push_back({from + inside + "convolution.*", to + "conv" + number + ".$2"});
      rules.push_back({from + inside + "normalization.*", to + "bn" + number + ".$2"});
    }
  }
  return rules;
}

NamedTensors clip_tower(const NamedTensors& tensors) {
  NamedTensors tower;  // of a whole CLIP only the image side
  for (const auto& [name, tensor] : tensors)
    if (name.starts_with("vision_model.") || name.starts_with("visual_projection.")) tower[name] = tensor;
  tower = rename_tensors(tower, clip_rules());
  if (tower.contains("cls_token")) tower["cls_token"] = tower["cls_token"].view({1, 1, -1});
  if (tower.contains("pos_embed") && tower["pos_embed"].dim() == 2)
    tower["pos_embed"] = tower["pos_embed"].unsqueeze(0);
  return tower;
}

bool is_hugging_face(const NamedTensors& tensors) {
  const auto plain = plain_names(tensors);
  return plain.contains("embeddings.patch_embeddings.projection.weight") ||
         plain.contains("vision_model.embeddings.patch_embedding.weight") ||
         plain.contains("embedder.embedder.convolution.weight");
}

NamedTensors rename_hugging_face(const NamedTensors& tensors) {
  const auto plain = plain_names(tensors);
  if (plain.contains("vision_model.embeddings.patch_embedding.weight")) return clip_tower(plain);
  if (plain.contains("embedder.embedder.convolution.weight")) return rename_tensors(plain, resnet_rules());
  return rename_tensors(plain, plain.contains("embeddings.norm.weight") ? swin_rules() : transformer_rules());
}

}  // namespace

WeightLayout hugging_face_layout() { return {"Hugging Face", is_hugging_face, rename_hugging_face}; }

}  // namespace procsim::train
