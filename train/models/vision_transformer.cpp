#include "train/models/vision_transformer.hpp"

#include "train/models/layers.hpp"

namespace procsim::train {
namespace {

namespace nn = torch::nn;
namespace F = torch::nn::functional;

nn::LayerNorm layer_norm(std::int64_t width, double epsilon) {
  return nn::LayerNorm(nn::LayerNormOptions({width}).eps(epsilon));
}

// Rows [first, first + count) of a linear layer's output.
torch::Tensor part_of(const nn::Linear& layer, const torch::Tensor& input, std::int64_t first,
                      std::int64_t count) {
  return F::linear(input, layer->weight.narrow(0, first, count), layer->bias.narrow(0, first, count));
}

class Attention : public nn::Module {
 public:
  explicit Attention(const VisionTransformerOptions& options) : heads_(options.heads) {
    qkv_ = register_module("qkv", nn::Linear(options.width, 3 * options.width));
    proj_ = register_module("proj", nn::Linear(options.width, options.width));
  }

  torch::Tensor forward(const torch::Tensor& x) {
    const auto parts = split(qkv_(x), 3);
    return join(at::scaled_dot_product_attention(parts[0], parts[1], parts[2]));
  }
  // What the first token alone draws from all.
  torch::Tensor first_token(const torch::Tensor& x) {
    const std::int64_t width = x.size(2);
    const auto query = split(part_of(qkv_, x.narrow(1, 0, 1), 0, width), 1)[0];
    const auto parts = split(part_of(qkv_, x, width, 2 * width), 2);
    return join(at::scaled_dot_product_attention(query, parts[0], parts[1]));
  }

 private:
  // batch × tokens × (count · heads · size) → count tensors of batch × heads × tokens × size.
  std::vector<torch::Tensor> split(const torch::Tensor& x, std::int64_t count) const {
    return x.view({x.size(0), x.size(1), count, heads_, -1}).permute({2, 0, 3, 1, 4}).unbind(0);
  }
  torch::Tensor join(const torch::Tensor& x) {
    return proj_(x.transpose(1, 2).reshape({x.size(0), x.size(2), -1}));
  }

  std::int64_t heads_;
  nn::Linear qkv_{nullptr}, proj_{nullptr};
};

class Mlp : public nn::Module {
 public:
  explicit Mlp(const VisionTransformerOptions& options) : gated_(options.swiglu), quick_(options.clip) {
    const std::int64_t wide = options.mlp * options.width;
    const std::int64_t hidden = gated_ ? (wide * 2 / 3 + 7) / 8 * 8 : wide;
    fc1_ = register_module("fc1", nn::Linear(options.width, gated_ ? 2 * hidden : hidden));
    fc2_ = register_module("fc2", nn::Linear(hidden, options.width));
  }
  torch::Tensor forward(const torch::Tensor& input) {
    const auto x = fc1_(input);
    if (quick_) return fc2_(x * torch::sigmoid(1.702 * x));
    if (!gated_) return fc2_(torch::gelu(x));
    const auto halves = x.chunk(2, -1);
    return fc2_(torch::silu(halves[0]) * halves[1]);
  }

 private:
  bool gated_;
  bool quick_;
  nn::Linear fc1_{nullptr}, fc2_{nullptr};
};

class LayerScale : public nn::Module {
 public:
  explicit LayerScale(std::int64_t width) {
    gamma_ = register_parameter("gamma", torch::full({width}, 1e-5));
  }
  torch::Tensor forward(const torch::Tensor& x) { return x * gamma_; }

 private:
  torch::Tensor gamma_;
};

class TransformerBlock : public nn::Module {
 public:
  explicit TransformerBlock(const VisionTransformerOptions& options) {
    norm1_ = register_module("norm1", layer_norm(options.width, options.epsilon));
    attention_ = register_module("attn", std::make_shared<Attention>(options));
    norm2_ = register_module("norm2", layer_norm(options.width, options.epsilon));
    mlp_ = register_module("mlp", std::make_shared<Mlp>(options));
    if (!options.layer_scale) return;
    scale1_ = register_module("ls1", std::make_shared<LayerScale>(options.width));
    scale2_ = register_module("ls2", std::make_shared<LayerScale>(options.width));
  }

  torch::Tensor forward(const torch::Tensor& x) {
    return finish(x + scaled(scale1_, attention_->forward(norm1_(x))));
  }
  torch::Tensor first_token(const torch::Tensor& x) {
    return finish(x.narrow(1, 0, 1) + scaled(scale1_, attention_->first_token(norm1_(x))));
  }

 private:
  static torch::Tensor scaled(const std::shared_ptr<LayerScale>& scale, const torch::Tensor& x) {
    return scale ? scale->forward(x) : x;
  }
  torch::Tensor finish(const torch::Tensor& x) { return x + scaled(scale2_, mlp_->forward(norm2_(x))); }

  nn::LayerNorm norm1_{nullptr}, norm2_{nullptr};
  std::shared_ptr<Attention> attention_;
  std::shared_ptr<Mlp> mlp_;
  std::shared_ptr<LayerScale> scale1_, scale2_;
};

class VisionTransformer : public Backbone {
 public:
  VisionTransformer(const Architecture& architecture, const VisionTransformerOptions& options)
      : Backbone(architecture), options_(options) {
    const auto width = options.width;
    auto patches = std::make_shared<nn::Module>();
    projection_of_patches_ = patches->register_module(
        "proj",
        nn::Conv2d(nn::Conv2dOptions(3, width, options.patch).stride(options.patch).bias(!options.clip)));
    register_module("patch_embed", patches);
    first_tokens_ = 1 + (options.distilled ? 1 : 0);
    class_token_ = register_parameter("cls_token", 0.02 * torch::randn({1, 1, width}));
    positions_ = register_parameter(
        "pos_embed", 0.02 * torch::randn({1, first_tokens_ + options.grid * options.grid, width}));
    if (options.distilled)
      distillation_token_ = register_parameter("dist_token", 0.02 * torch::randn({1, 1, width}));
    if (options.registers > 0)
      registers_ = register_parameter("reg_token", 0.02 * torch::randn({1, options.registers, width}));
    if (options.clip) norm_before_ = register_module("norm_pre", layer_norm(width, options.epsilon));
    auto blocks = std::make_shared<nn::Module>();
    for (std::int64_t i = 0; i < options.depth; ++i)
      blocks_.push_back(
          blocks->register_module(std::to_string(i), std::make_shared<TransformerBlock>(options)));
    register_module("blocks", blocks);
    norm_ = register_module("norm", layer_norm(width, options.epsilon));
    if (options.projection > 0)
      projection_ =
          register_module("projection", nn::Linear(nn::LinearOptions(width, options.projection).bias(false)));
  }

  torch::Tensor run_stage(std::size_t stage, torch::Tensor input) override {
    if (stage == 0) return tokens_of(input);
    if (stage < blocks_.size()) return blocks_[stage - 1]->forward(input);
    if (stage == blocks_.size()) return blocks_.back()->first_token(input);
    const auto token = norm_(input.select(1, 0));
    return projection_ ? projection_(token) : token;
  }
  torch::Tensor pool(const torch::Tensor& activations) override { return activations; }

  std::vector<torch::Tensor> stage_parameters(std::size_t stage) override {
    if (stage > 0 && stage <= blocks_.size()) return blocks_[stage - 1]->parameters();
    std::vector<torch::Tensor> list;
    const bool last = stage > blocks_.size();
    for (const auto& item : named_parameters()) {
      const auto& name = item.key();
      if (name.starts_with("blocks.")) continue;
      if ((name.starts_with("norm.") || name.starts_with("projection.")) == last)
        list.push_back(item.value());
    }
    return list;
  }
  std::string head_name() const override { return "head"; }

 private:
  // The class token (and the distillation token), the registers, and a token for every patch.
  torch::Tensor tokens_of(const torch::Tensor& pixels) {
    const auto map = projection_of_patches_(pixels);
    const auto batch = map.size(0);
    auto first = class_token_;
    if (options_.distilled) first = torch::cat({first, distillation_token_}, 1);
    first = first + positions_.narrow(1, 0, first_tokens_);
    std::vector<torch::Tensor> parts{first.expand({batch, -1, -1})};
    if (options_.registers > 0) parts.push_back(registers_.expand({batch, -1, -1}));
    parts.push_back(map.flatten(2).transpose(1, 2) + positions_of(map.size(2), map.size(3)));
    auto tokens = torch::cat(parts, 1);
    return norm_before_ ? norm_before_(tokens) : tokens;
  }

  // The table of positions, resampled to this many rows and columns of patches.
  torch::Tensor positions_of(std::int64_t rows, std::int64_t columns) {
    const auto side = options_.grid;
    auto table = positions_.narrow(1, first_tokens_, side * side);
    if (rows == side && columns == side) return table;
    return F::interpolate(table.view({1, side, side, -1}).permute({0, 3, 1, 2}),
                          F::InterpolateFuncOptions()
                              .size(std::vector<std::int64_t>{rows, columns})
                              .mode(torch::kBicubic)
                              .align_corners(false)
                              .antialias(options_.antialias))
        .flatten(2)
        .transpose(1, 2);
  }

  VisionTransformerOptions options_;
  std::int64_t first_tokens_ = 1;
  nn::Conv2d projection_of_patches_{nullptr};
  torch::Tensor class_token_, distillation_token_, registers_, positions_;
  nn::LayerNorm norm_before_{nullptr}, norm_{nullptr};
  std::vector<std::shared_ptr<TransformerBlock>> blocks_;
  nn::Linear projection_{nullptr};
};

}  // namespace

std::shared_ptr<Backbone> make_vision_transformer(const Architecture& architecture,
                                                  const VisionTransformerOptions& options) {
  return std::make_shared<VisionTransformer>(architecture, options);
}

}  // namespace procsim::train
