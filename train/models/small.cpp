#include "train/models/small.hpp"

#include "train/models/layers.hpp"

namespace procsim::train {
namespace {

namespace nn = torch::nn;

nn::Conv2d small_convolution(std::int64_t in, std::int64_t out, std::int64_t stride) {
  return nn::Conv2d(nn::Conv2dOptions(in, out, 3).stride(stride).padding(1).bias(false));
}

class SmallBlock : public nn::Module {
 public:
  SmallBlock(std::int64_t in, std::int64_t out) {
    conv1_ = register_module("conv1", small_convolution(in, out, 2));
    norm1_ = register_module("norm1", nn::GroupNorm(8, out));
    conv2_ = register_module("conv2", small_convolution(out, out, 1));
    norm2_ = register_module("norm2", nn::GroupNorm(8, out));
    shortcut_ = register_module("shortcut", nn::Conv2d(nn::Conv2dOptions(in, out, 1).stride(2).bias(false)));
  }

  torch::Tensor forward(const torch::Tensor& input) {
    auto x = torch::relu(norm1_(conv1_(input)));
    x = norm2_(conv2_(x));
    return torch::relu(x + shortcut_(input));
  }

 private:
  nn::Conv2d conv1_{nullptr}, conv2_{nullptr}, shortcut_{nullptr};
  nn::GroupNorm norm1_{nullptr}, norm2_{nullptr};
};

class Small : public Backbone {
 public:
  explicit Small(const Architecture& architecture) : Backbone(architecture) {
    stem_ = register_module("stem", nn::Conv2d(nn::Conv2dOptions(3, 16, 5).stride(2).padding(2).bias(false)));
    stem_norm_ = register_module("stem_norm", nn::GroupNorm(4, 16));
    const std::int64_t widths[] = {16, 32, 64, 96, 128};
    for (std::size_t i = 0; i < 4; ++i)
      blocks_.push_back(register_module("block" + std::to_string(i + 1),
                                        std::make_shared<SmallBlock>(widths[i], widths[i + 1])));
  }

  torch::Tensor run_stage(std::size_t stage, torch::Tensor input) override {
    if (stage == 0) return torch::relu(stem_norm_(stem_(input)));
    return blocks_[stage - 1]->forward(input);
  }
  std::vector<torch::Tensor> stage_parameters(std::size_t stage) override {
    if (stage > 0) return blocks_[stage - 1]->parameters();
    return {stem_->weight, stem_norm_->weight, stem_norm_->bias};
  }
  std::string head_name() const override { return "head"; }

 private:
  nn::Conv2d stem_{nullptr};
  nn::GroupNorm stem_norm_{nullptr};
  std::vector<std::shared_ptr<SmallBlock>> blocks_;
};

}  // namespace

std::shared_ptr<Backbone> make_small(const Architecture& architecture) {
  return std::make_shared<Small>(architecture);
}

}  // namespace procsim::train
