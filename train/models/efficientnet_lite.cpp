#include "train/models/efficientnet_lite.hpp"

#include <algorithm>

#include "train/models/layers.hpp"

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
  std::int64_t out, kernel, stride, expansion;
};
constexpr std::array<StageShape, 7> kStages{{{16, 3, 1, 1},
                                             {24, 3, 2, 6},
                                             {40, 5, 2, 6},
                                             {80, 3, 2, 6},
                                             {112, 5, 1, 6},
                                             {192, 5, 2, 6},
                                             {320, 3, 1, 6}}};
constexpr std::int64_t kStemWidth = 32;  // neither the stem nor the top is ever widened

class EfficientNetLite : public Backbone {
 public:
  EfficientNetLite(const Architecture& architecture, const EfficientNetLiteOptions& options)
      : Backbone(architecture) {
    stem_ = register_module("conv_stem", std::make_shared<SameConvolution>(3, kStemWidth, 3, 2));
    stem_norm_ = register_module("bn1", batch_norm(kStemWidth));
    auto stages = std::make_shared<nn::Module>();
    std::int64_t in = kStemWidth;
    const auto repeats = lite_repeats(options);
    for (std::size_t s = 0; s < kStages.size(); ++s) {
      auto stage = std::make_shared<nn::Module>();
      const auto& shape = kStages[s];
      const auto out = lite_width(shape.out, options);
      for (std::int64_t r = 0; r < repeats[s]; ++r) {
        blocks_.push_back(std::make_shared<LiteBlock>(
            BlockShape{in, out, shape.kernel, r == 0 ? shape.stride : 1, shape.expansion}));
        stage->register_module(std::to_string(r), blocks_.back());
        in = out;
      }
      stages->register_module(std::to_string(s), stage);
    }
    register_module("blocks", stages);
    top_ = register_module("conv_head", std::make_shared<SameConvolution>(in, architecture.features, 1));
    top_norm_ = register_module("bn2", batch_norm(architecture.features));
  }

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
  std::string head_name() const override { return "classifier"; }

 private:
  Convolution stem_, top_;
  nn::BatchNorm2d stem_norm_{nullptr}, top_norm_{nullptr};
  std::vector<std::shared_ptr<LiteBlock>> blocks_;
};

}  // namespace

std::shared_ptr<Backbone> make_efficientnet_lite(const Architecture& architecture,
                                                 const EfficientNetLiteOptions& options) {
  return std::make_shared<EfficientNetLite>(architecture, options);
}

}  // namespace procsim::train
