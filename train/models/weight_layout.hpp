#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "train/models/torch.hpp"

namespace procsim::train {

using NamedTensors = std::map<std::string, torch::Tensor>;

// "from" is a published name, in which a * stands for anything without a dot; "to" is ours, in which $1, $2,
// … stand for what the stars held. An empty "to" leaves the tensor out.
struct NameRule {
  std::string from;
  std::string to;
};

// How one library names the weights of the networks that we know.
struct WeightLayout {
  std::string_view library;
  bool (*recognises)(const NamedTensors& tensors);
  // Under the names of our modules. Names that no rule knows stay.
  NamedTensors (*rename)(const NamedTensors& tensors);
};

// One file each: train/models/layout_….cpp.
WeightLayout hugging_face_layout();
WeightLayout torchvision_layout();
WeightLayout openai_layout();  // CLIP as OpenAI and open_clip save it
WeightLayout timm_layout();    // and the repositories of DINOv2, DeiT and Swin, which name alike

struct RenamedWeights {
  NamedTensors tensors;  // single precision
  std::string_view library;
};
// Told apart by the names. What no layout recognises passes as it is. Throws Error that names the tensor,
// under the name that it came with, where one is empty or cannot be joined to those that it belongs to.
RenamedWeights to_our_names(const NamedTensors& tensors);

// The architectures that weights under our names fit, by the shapes that tell them apart; several where only
// the arithmetic differs. Empty: none of ours.
std::vector<std::string> architectures_of(const NamedTensors& tensors);

// For layouts: the first rule that fits is taken. Three tensors NAME.q, NAME.k and NAME.v that result become
// NAME.qkv, one below the other: throws Error where their shapes do not allow it.
NamedTensors rename_tensors(const NamedTensors& tensors, const std::vector<NameRule>& rules);
// The tensors without one of these prefixes, where a name has it.
NamedTensors without_prefix(const NamedTensors& tensors, const std::vector<std::string_view>& prefixes);

}  // namespace procsim::train
