#include "train/models/efficientnet_lite.hpp"

#include <algorithm>

namespace procsim::train {
namespace {

namespace nn = torch::nn;
namespace F = torch::nn::functional;

constexpr double kBatchNormEpsilon = 1e-3;
constexpr double kBatchNormMomentum = 0.01;

nn::BatchNorm2d batch_norm(std::int64_t width) {
  return nn::BatchNorm2d(nn::BatchNorm2dOptions(width).eps(kBatchNormEpsilon).momentum(kBatchNormMomentum));
}

// A convolution without bias, padded as TensorFlow's SAME: output = ceil(input / stride), the odd pixel at
// the end.
class SameConvolution : public nn::Conv2dImpl {
 public:
  SameConvolution(std::int64_t in, std::int64_t out, std::int64_t kernel, std::int64_t stride = 1,
                  std::int64_t groups = 1)
      : nn::Conv2dImpl(nn::Conv2dOptions(in, out, kernel).stride(stride).groups(groups).bias(false)),
        kernel_(kernel),
        stride_(stride) {}

  torch::Tensor apply(const torch::Tensor& input) {
    const auto [top, bottom] = padding(input.size(2));
    const auto [left, right] = padding(input.size(3));
    const auto plain = F::Conv2dFuncOptions().stride(stride_).groups(options.groups());
    if (top == bottom && left == right && top == left)
      return F::conv2d(input, weight, F::Conv2dFuncOptions(plain).padding(top));
    return F::conv2d(F::pad(input, F::PadFuncOptions({left, right, top, bottom})), weight, plain);
  }

 private:
  std::pair<std::int64_t, std::int64_t> padding(std::int64_t size) const {
    const std::int64_t out = (size + stride_ - 1) / stride_;
    const std::int64_t total = std::max<std::int64_t>(0, (out - 1) * stride_ + kernel_ - size);
    return {total / 2, total - total / 2};
  }
  std::int64_t kernel_;
  std::int64_t stride_;
};

using Convolution = std::shared_ptr<SameConvolution>;

struct BlockShape {
  std::int64_t in = 0, out = 0, kernel = 3, stride = 1, expansion = 1;
};

// Depthwise separable (expansion 1: conv_dw, conv_pw) or inverted residual (conv_pw, conv_dw, conv_pwl).
class LiteBlock : public nn::Module {
 public:
  explicit LiteBlock(const BlockShape& shape)
      : expands_(shape.expansion > 1), residual_(shape.in == shape.out && shape.stride == 1) {
    const std::int64_t middle = shape.in * shape.expansion;
    const auto depthwise =
        std::make_shared<SameConvolution>(middle, middle, shape.kernel, shape.stride, middle);
    int bn = 1;
    if (expands_) {
      expand_ = register_module("conv_pw", std::make_shared<SameConvolution>(shape.in, middle, 1));
      expand_norm_ = register_module("bn" + std::to_string(bn++), batch_norm(middle));
    }
    depthwise_ = register_module("conv_dw", depthwise);
    depthwise_norm_ = register_module("bn" + std::to_string(bn++), batch_norm(middle));
    project_ = register_module(expands_ ? "conv_pwl" : "conv_pw",
                               std::make_shared<SameConvolution>(middle, shape.out, 1));
    project_norm_ = register_module("bn" + std::to_string(bn), batch_norm(shape.out));
  }

  torch::Tensor forward(const torch::Tensor& input) {
    auto x = input;
    if (expands_) x = F::relu6(expand_norm_(expand_->apply(x)));
    x = F::relu6(depthwise_norm_(depthwise_->apply(x)));
    x = project_norm_(project_->apply(x));
    return residual_ ? x + input : x;
  }

 private:
  bool expands_;
  bool residual_;
  Convolution expand_, depthwise_, project_;
  nn::BatchNorm2d expand_norm_{nullptr}, depthwise_norm_{nullptr}, project_norm_{nullptr};
};

struct StageShape {
  std::int64_t out, kernel, stride, expansion, repeats;
};
constexpr std::array<StageShape, 7> kLite0{{{16, 3, 1, 1, 1},
                                            {24, 3, 2, 6, 2},
                                            {40, 5, 2, 6, 2},
                                            {80, 3, 2, 6, 3},
                                            {112, 5, 1, 6, 3},
                                            {192, 5, 2, 6, 4},
                                            {320, 3, 1, 6, 1}}};

class EfficientNetLite0 : public Backbone {
 public:
  EfficientNetLite0() {
    stem_ = register_module("conv_stem", std::make_shared<SameConvolution>(3, 32, 3, 2));
    stem_norm_ = register_module("bn1", batch_norm(32));
    names_.emplace_back("stem");
    auto stages = std::make_shared<nn::Module>();
    std::int64_t in = 32;
    for (std::size_t s = 0; s < kLite0.size(); ++s) {
      auto stage = std::make_shared<nn::Module>();
      for (std::int64_t r = 0; r < kLite0[s].repeats; ++r) {
        const auto& shape = kLite0[s];
        blocks_.push_back(std::make_shared<LiteBlock>(
            BlockShape{in, shape.out, shape.kernel, r == 0 ? shape.stride : 1, shape.expansion}));
        stage->register_module(std::to_string(r), blocks_.back());
        names_.push_back("block" + std::to_string(blocks_.size() - 1));
        in = shape.out;
      }
      stages->register_module(std::to_string(s), stage);
    }
    register_module("blocks", stages);
    top_ = register_module("conv_head", std::make_shared<SameConvolution>(320, 1280, 1));
    top_norm_ = register_module("bn2", batch_norm(1280));
    names_.emplace_back("top");
  }

  const std::vector<std::string>& stages() const override { return names_; }
  torch::Tensor run_stage(std::size_t stage, torch::Tensor input) override {
    if (stage == 0) return F::relu6(stem_norm_(stem_->apply(input)));
    if (stage <= blocks_.size()) return blocks_[stage - 1]->forward(input);
    return F::relu6(top_norm_(top_->apply(input)));
  }
  std::vector<torch::Tensor> stage_parameters(std::size_t stage) override {
    if (stage == 0) return {stem_->weight, stem_norm_->weight, stem_norm_->bias};
    if (stage <= blocks_.size()) return blocks_[stage - 1]->parameters();
    return {top_->weight, top_norm_->weight, top_norm_->bias};
  }
  std::int64_t features() const override { return 1280; }
  PixelScale pixel_scale() const override { return {{127, 127, 127}, {128, 128, 128}}; }
  std::string head_name() const override { return "classifier"; }

 private:
  std::vector<std::string> names_;
  Convolution stem_, top_;
  nn::BatchNorm2d stem_norm_{nullptr}, top_norm_{nullptr};
  std::vector<std::shared_ptr<LiteBlock>> blocks_;
};

}  // namespace

std::shared_ptr<Backbone> make_efficientnet_lite0() { return std::make_shared<EfficientNetLite0>(); }

}  // namespace procsim::train
