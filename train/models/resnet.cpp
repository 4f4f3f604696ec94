#include "train/models/resnet.hpp"

#include "train/models/layers.hpp"

namespace procsim::train {
namespace {

namespace nn = torch::nn;

nn::Conv2d convolution(std::int64_t in, std::int64_t out, std::int64_t kernel, std::int64_t stride = 1) {
  return nn::Conv2d(nn::Conv2dOptions(in, out, kernel).stride(stride).padding(kernel / 2).bias(false));
}

class ResidualBlock : public nn::Module {
 public:
  virtual torch::Tensor forward(torch::Tensor input) = 0;

 protected:
  void add_shortcut(std::int64_t in, std::int64_t out, std::int64_t stride) {
    if (in == out && stride == 1) return;
    shortcut_ =
        register_module("downsample", nn::Sequential(convolution(in, out, 1, stride), nn::BatchNorm2d(out)));
  }
  torch::Tensor shortcut(const torch::Tensor& input) { return shortcut_ ? shortcut_->forward(input) : input; }

 private:
  nn::Sequential shortcut_{nullptr};
};

class BasicBlock : public ResidualBlock {
 public:
  static constexpr std::int64_t kExpansion = 1;

  BasicBlock(std::int64_t in, std::int64_t width, std::int64_t stride, bool /*stride_first*/) {
    conv1_ = register_module("conv1", convolution(in, width, 3, stride));
    bn1_ = register_module("bn1", nn::BatchNorm2d(width));
    conv2_ = register_module("conv2", convolution(width, width, 3));
    bn2_ = register_module("bn2", nn::BatchNorm2d(width));
    add_shortcut(in, width, stride);
  }
  torch::Tensor forward(torch::Tensor input) override {
    const auto x = bn2_(conv2_(torch::relu(bn1_(conv1_(input)))));
    return torch::relu(x + shortcut(input));
  }

 private:
  nn::Conv2d conv1_{nullptr}, conv2_{nullptr};
  nn::BatchNorm2d bn1_{nullptr}, bn2_{nullptr};
};

class Bottleneck : public ResidualBlock {
 public:
  static constexpr std::int64_t kExpansion = 4;

  Bottleneck(std::int64_t in, std::int64_t width, std::int64_t stride, bool stride_first) {
    conv1_ = register_module("conv1", convolution(in, width, 1, stride_first ? stride : 1));
    bn1_ = register_module("bn1", nn::BatchNorm2d(width));
    conv2_ = register_module("conv2", convolution(width, width, 3, stride_first ? 1 : stride));
    bn2_ = register_module("bn2", nn::BatchNorm2d(width));
    conv3_ = register_module("conv3", convolution(width, width * kExpansion, 1));
    bn3_ = register_module("bn3", nn::BatchNorm2d(width * kExpansion));
    add_shortcut(in, width * kExpansion, stride);
  }
  torch::Tensor forward(torch::Tensor input) override {
    auto x = torch::relu(bn1_(conv1_(input)));
    x = torch::relu(bn2_(conv2_(x)));
    return torch::relu(bn3_(conv3_(x)) + shortcut(input));
  }

 private:
  nn::Conv2d conv1_{nullptr}, conv2_{nullptr}, conv3_{nullptr};
  nn::BatchNorm2d bn1_{nullptr}, bn2_{nullptr}, bn3_{nullptr};
};

// Blocks one after another, named by their place.
template <typename Block>
class Layer : public nn::Module {
 public:
  void add(const std::shared_ptr<Block>& block) {
    blocks_.push_back(register_module(std::to_string(blocks_.size()), block));
  }
  torch::Tensor forward(torch::Tensor input) {
    for (const auto& block : blocks_) input = block->forward(std::move(input));
    return input;
  }

 private:
  std::vector<std::shared_ptr<Block>> blocks_;
};

template <typename Block>
class ResNet : public Backbone {
 public:
  ResNet(const Architecture& architecture, const ResNetOptions& options) : Backbone(architecture) {
    conv1_ = register_module("conv1", convolution(3, 64, 7, 2));
    bn1_ = register_module("bn1", nn::BatchNorm2d(64));
    std::int64_t in = 64;
    for (std::size_t i = 0; i < 4; ++i) {
      const std::int64_t width = 64LL << i;
      auto layer = std::make_shared<Layer<Block>>();
      for (std::int64_t block = 0; block < options.depths[i]; ++block) {
        layer->add(std::make_shared<Block>(in, width, block == 0 && i > 0 ? 2 : 1, options.stride_first));
        in = width * Block::kExpansion;
      }
      layers_.push_back(register_module("layer" + std::to_string(i + 1), layer));
    }
  }

  torch::Tensor run_stage(std::size_t stage, torch::Tensor input) override {
    if (stage > 0) return layers_[stage - 1]->forward(input);
    return torch::max_pool2d(torch::relu(bn1_(conv1_(input))), 3, 2, 1);
  }
  std::vector<torch::Tensor> stage_parameters(std::size_t stage) override {
    if (stage > 0) return layers_[stage - 1]->parameters();
    return {conv1_->weight, bn1_->weight, bn1_->bias};
  }
  std::string head_name() const override { return "fc"; }

 private:
  nn::Conv2d conv1_{nullptr};
  nn::BatchNorm2d bn1_{nullptr};
  std::vector<std::shared_ptr<Layer<Block>>> layers_;
};

}  // namespace

std::shared_ptr<Backbone> make_resnet(const Architecture& architecture, const ResNetOptions& options) {
  if (options.bottleneck) return std::make_shared<ResNet<Bottleneck>>(architecture, options);
  return std::make_shared<ResNet<BasicBlock>>(architecture, options);
}

}  // namespace procsim::train
