#include "train/models/embedder.hpp"

#include <algorithm>

#include "data/base/error.hpp"
#include "data/base/suggest.hpp"
#include "data/base/words.hpp"
#include "train/models/efficientnet_lite.hpp"
#include "train/models/resnet.hpp"
#include "train/models/small.hpp"
#include "train/models/swin.hpp"
#include "train/models/unit_rows.hpp"
#include "train/models/vision_transformer.hpp"
#include "train/settings/config.hpp"

namespace procsim::train {
namespace {

std::string shape_text(const torch::Tensor& tensor) {
  std::string text;
  for (const auto side : tensor.sizes()) text += (text.empty() ? "" : "×") + std::to_string(side);
  return text.empty() ? "a number" : text;
}

}  // namespace

std::shared_ptr<Backbone> make_backbone(const Architecture& architecture) {
  const auto make = [&](const auto& options) -> std::shared_ptr<Backbone> {
    using Options = std::decay_t<decltype(options)>;
    if constexpr (std::is_same_v<Options, ResNetOptions>) return make_resnet(architecture, options);
    if constexpr (std::is_same_v<Options, EfficientNetLiteOptions>)
      return make_efficientnet_lite(architecture, options);
    if constexpr (std::is_same_v<Options, VisionTransformerOptions>)
      return make_vision_transformer(architecture, options);
    if constexpr (std::is_same_v<Options, SwinOptions>) return make_swin(architecture, options);
    if constexpr (std::is_same_v<Options, SmallOptions>) return make_small(architecture);
  };
  return std::visit(make, architecture.options);
}

std::shared_ptr<Backbone> make_backbone(const std::string& name, std::uint64_t seed, bool trust_code) {
  torch::manual_seed(seed);
  if (const auto* architecture = find_architecture(name)) return make_backbone(*architecture);
  if (is_torchscript(name)) {
    if (!trust_code)
      throw UsageError(
          "--backbone " + name +
          ": a TorchScript module runs code that its file brings. Add --trust-code if you trust it.");
    return load_scripted_backbone(name);
  }
  throw UsageError("unknown backbone '" + name + "' (" + first_few(backbone_names(), 3) +
                   ", or a .pt or .ts file)" + did_you_mean(name, backbone_names()));
}

Embedder::Embedder(std::shared_ptr<Backbone> backbone, std::int64_t dimension, std::uint64_t seed)
    : backbone_(std::move(backbone)) {
  torch::manual_seed(seed);
  head_ = torch::nn::Linear(backbone_->features(), dimension);
}

torch::Tensor Embedder::embed(const torch::Tensor& input, std::size_t stage) {
  const auto features = stage < backbone_->stages().size() ? backbone_->run_from(stage, input) : input;
  return unit_rows(head_(features).to(torch::kFloat32));
}

torch::Tensor Embedder::features(const torch::Tensor& input, std::size_t stage) {
  const torch::NoGradGuard no_gradients;
  return stage < backbone_->stages().size() ? backbone_->run_from(stage, input) : input;
}

void Embedder::train_from(std::size_t stage) {
  first_stage_ = stage;
  for (std::size_t s = 0; s < backbone_->stages().size(); ++s)
    for (auto& parameter : backbone_->stage_parameters(s)) parameter.requires_grad_(s >= stage);
}

void Embedder::train_mode(bool on) {
  // The networks here have no dropout: train mode only concerns the statistics of batch normalisation, and a
  // network that is partly frozen keeps all of them.
  backbone_->train(on && learn_statistics_ && first_stage_ == 0);
}

bool Embedder::has_batch_norm() {
  const auto state = backbone_->state();
  return std::any_of(state.begin(), state.end(),
                     [](const auto& item) { return item.key().find("running_mean") != std::string::npos; });
}

std::vector<std::pair<std::string, torch::Tensor>> Embedder::trainable() {
  std::vector<std::pair<std::string, torch::Tensor>> list;
  for (const auto& item : backbone_->state())
    if (item.value().requires_grad()) list.emplace_back(item.key(), item.value());
  list.emplace_back(backbone_->head_name() + ".weight", head_->weight);
  list.emplace_back(backbone_->head_name() + ".bias", head_->bias);
  return list;
}

std::map<std::string, torch::Tensor> Embedder::state() {
  std::map<std::string, torch::Tensor> tensors;
  for (const auto& item : backbone_->state()) tensors[item.key()] = item.value();
  tensors[backbone_->head_name() + ".weight"] = head_->weight;
  tensors[backbone_->head_name() + ".bias"] = head_->bias;
  return tensors;
}

bool Embedder::load(const std::map<std::string, torch::Tensor>& tensors, const std::string& source,
                    bool pretrained) {
  const torch::NoGradGuard no_gradients;
  const auto own = state();
  const auto head_weight = tensors.find(backbone_->head_name() + ".weight");
  const bool same_head = head_weight != tensors.end() && head_weight->second.sizes() == head_->weight.sizes();
  const auto is_head = [&](const std::string& name) {
    return name.starts_with(backbone_->head_name() + ".");
  };
  std::vector<std::string> missing;
  std::vector<std::string> shapes;
  std::vector<std::string> unknown;
  for (const auto& [name, tensor] : own) {
    if (pretrained && !same_head && is_head(name)) continue;
    const auto found = tensors.find(name);
    if (found == tensors.end())
      missing.push_back(name);
    else if (found->second.sizes() != tensor.sizes())
      shapes.push_back(name + " (" + shape_text(found->second) + " instead of " + shape_text(tensor) + ")");
  }
  for (const auto& [name, tensor] : tensors)
    if (!own.contains(name) && !is_head(name) && !name.ends_with("num_batches_tracked"))
      unknown.push_back(name);
  if (!missing.empty() || !shapes.empty() || !unknown.empty()) {
    std::string message = source + " holds weights of another architecture:";
    if (!missing.empty()) message += " it lacks " + first_few(missing, 3) + ";";
    if (!shapes.empty()) message += " it has " + first_few(shapes, 3) + ";";
    if (!unknown.empty()) message += " it brings " + first_few(unknown, 3) + ";";
    message.back() = '.';
    throw Error(message + " Choose the backbone it was made for with --backbone.");
  }
  for (const auto& [name, tensor] : own) {
    if (pretrained && !same_head && is_head(name)) continue;
    auto target = tensor;
    target.copy_(tensors.at(name));
  }
  return same_head;
}

void Embedder::set_pca_head(const torch::Tensor& features) {
  const torch::NoGradGuard no_gradients;
  const auto wide = features.to(torch::kCPU, torch::kFloat64);
  const auto mean = wide.mean(0);
  const auto centred = wide - mean;
  const auto covariance = torch::mm(centred.t(), centred) / std::max<std::int64_t>(1, wide.size(0) - 1);
  const auto vectors = std::get<1>(torch::linalg_eigh(covariance, "L"));
  const std::int64_t axes = std::min(dimension(), vectors.size(1));
  auto weight = torch::zeros({dimension(), vectors.size(0)}, torch::kFloat64);
  auto leading = vectors.flip(1).slice(1, 0, axes).t();
  // An axis has no sign of its own: make its largest entry positive.
  const auto largest = leading.gather(1, leading.abs().argmax(1, true)).sign();
  leading = leading * largest;
  weight.slice(0, 0, axes).copy_(leading);
  head_->weight.copy_(weight);
  head_->bias.copy_(-weight.mv(mean));
}

void Embedder::to(torch::Device device) {
  backbone_->to(device);
  head_->to(device);
  // Channels last is the faster layout for convolutions on CPUs and GPUs alike.
  const torch::NoGradGuard no_gradients;
  for (const auto& item : backbone_->state())
    if (item.value().dim() == 4)
      item.value().set_data(item.value().contiguous(torch::MemoryFormat::ChannelsLast));
}

}  // namespace procsim::train
