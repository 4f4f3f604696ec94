#include "train/models/swin.hpp"

#include <cmath>

#include "train/models/layers.hpp"

namespace procsim::train {
namespace {

namespace nn = torch::nn;
namespace F = torch::nn::functional;

// Which row of the table of biases a pair of tokens of a window takes: their distance in rows and columns.
torch::Tensor relative_positions(std::int64_t window) {
  const auto range = torch::arange(window, torch::kInt64);
  const auto rows = range.repeat_interleave(window);
  const auto columns = range.repeat({window});
  const auto down = rows.unsqueeze(1) - rows.unsqueeze(0) + (window - 1);
  const auto right = columns.unsqueeze(1) - columns.unsqueeze(0) + (window - 1);
  return down * (2 * window - 1) + right;
}

// batch × height × width × channels → (batch · windows) × tokens × channels.
torch::Tensor cut_into_windows(const torch::Tensor& x, std::int64_t window) {
  const auto batch = x.size(0), rows = x.size(1) / window, columns = x.size(2) / window;
  return x.view({batch, rows, window, columns, window, x.size(3)})
      .permute({0, 1, 3, 2, 4, 5})
      .reshape({batch * rows * columns, window * window, x.size(3)});
}

torch::Tensor join_windows(const torch::Tensor& x, std::int64_t batch, std::int64_t side,
                           std::int64_t window) {
  const auto windows = side / window;
  return x.view({batch, windows, windows, window, window, -1})
      .permute({0, 1, 3, 2, 4, 5})
      .reshape({batch, side, side, -1});
}

// −100 between tokens that stand in one window only because the map was rolled by `shift`.
torch::Tensor rolled_mask(std::int64_t side, std::int64_t window, std::int64_t shift) {
  auto region = torch::zeros({side}, torch::kFloat32);
  region.slice(0, side - window, side - shift).fill_(1);
  region.slice(0, side - shift, side).fill_(2);
  const auto regions = (3 * region.unsqueeze(1) + region.unsqueeze(0)).view({1, side, side, 1});
  const auto cut = cut_into_windows(regions, window).squeeze(2);
  const auto differ = cut.unsqueeze(1) != cut.unsqueeze(2);
  return torch::zeros(differ.sizes()).masked_fill(differ, -100);
}

class WindowAttention : public nn::Module {
 public:
  WindowAttention(std::int64_t width, std::int64_t heads, std::int64_t window)
      : heads_(heads), pairs_(relative_positions(window).flatten()) {
    const auto side = 2 * window - 1;
    table_ = register_parameter("relative_position_bias_table", 0.02 * torch::randn({side * side, heads}));
    qkv_ = register_module("qkv", nn::Linear(width, 3 * width));
    proj_ = register_module("proj", nn::Linear(width, width));
  }

  // Windows of one image after another; `mask` has one entry per window of an image, or is undefined.
  torch::Tensor forward(const torch::Tensor& windows, const torch::Tensor& mask) {
    const auto count = windows.size(0), tokens = windows.size(1);
    const auto parts = qkv_(windows).view({count, tokens, 3, heads_, -1}).permute({2, 0, 3, 1, 4}).unbind(0);
    auto bias = table_.index_select(0, pairs_.to(table_.device()))
                    .view({tokens, tokens, heads_})
                    .permute({2, 0, 1})
                    .unsqueeze(0);
    if (mask.defined()) bias = (bias + mask.unsqueeze(1)).repeat({count / mask.size(0), 1, 1, 1});
    const auto drawn = at::scaled_dot_product_attention(
        parts[0], parts[1], parts[2], bias.expand({count, heads_, tokens, tokens}).to(parts[0].dtype()));
    return proj_(drawn.transpose(1, 2).reshape({count, tokens, -1}));
  }

 private:
  std::int64_t heads_;
  torch::Tensor pairs_;
  torch::Tensor table_;
  nn::Linear qkv_{nullptr}, proj_{nullptr};
};

class SwinMlp : public nn::Module {
 public:
  explicit SwinMlp(std::int64_t width) {
    fc1_ = register_module("fc1", nn::Linear(width, 4 * width));
    fc2_ = register_module("fc2", nn::Linear(4 * width, width));
  }
  torch::Tensor forward(const torch::Tensor& x) { return fc2_(torch::gelu(fc1_(x))); }

 private:
  nn::Linear fc1_{nullptr}, fc2_{nullptr};
};

class SwinBlock : public nn::Module {
 public:
  SwinBlock(std::int64_t width, std::int64_t heads, std::int64_t window, bool shifted)
      : window_(window), shifted_(shifted) {
    norm1_ = register_module("norm1", nn::LayerNorm(nn::LayerNormOptions({width})));
    attention_ = register_module("attn", std::make_shared<WindowAttention>(width, heads, window));
    norm2_ = register_module("norm2", nn::LayerNorm(nn::LayerNormOptions({width})));
    mlp_ = register_module("mlp", std::make_shared<SwinMlp>(width));
  }

  torch::Tensor forward(const torch::Tensor& map) {
    const auto x = map + attend(norm1_(map));
    return x + mlp_->forward(norm2_(x));
  }

 private:
  torch::Tensor attend(torch::Tensor x) {
    const auto batch = x.size(0), side = x.size(1);
    const auto missing = (window_ - side % window_) % window_;
    if (missing > 0) x = F::pad(x, F::PadFuncOptions({0, 0, 0, missing, 0, missing}));
    const auto padded = side + missing;
    const auto shift = shifted_ && padded > window_ ? window_ / 2 : 0;
    torch::Tensor mask;
    if (shift > 0) {
      x = x.roll({-shift, -shift}, {1, 2});
      mask = rolled_mask(padded, window_, shift).to(x.device());
    }
    x = join_windows(attention_->forward(cut_into_windows(x, window_), mask), batch, padded, window_);
    if (shift > 0) x = x.roll({shift, shift}, {1, 2});
    return missing > 0 ? x.slice(1, 0, side).slice(2, 0, side) : x;
  }

  std::int64_t window_;
  bool shifted_;
  nn::LayerNorm norm1_{nullptr}, norm2_{nullptr};
  std::shared_ptr<WindowAttention> attention_;
  std::shared_ptr<SwinMlp> mlp_;
};

// Four neighbours become one token of twice the width.
class PatchMerging : public nn::Module {
 public:
  explicit PatchMerging(std::int64_t width) {
    norm_ = register_module("norm", nn::LayerNorm(nn::LayerNormOptions({4 * width})));
    reduction_ =
        register_module("reduction", nn::Linear(nn::LinearOptions(4 * width, 2 * width).bias(false)));
  }
  torch::Tensor forward(torch::Tensor map) {
    if (map.size(1) % 2 == 1) map = F::pad(map, F::PadFuncOptions({0, 0, 0, 1, 0, 1}));
    const auto from = [&](std::int64_t row, std::int64_t column) {
      return map.slice(1, row, std::nullopt, 2).slice(2, column, std::nullopt, 2);
    };
    return reduction_(norm_(torch::cat({from(0, 0), from(1, 0), from(0, 1), from(1, 1)}, -1)));
  }

 private:
  nn::LayerNorm norm_{nullptr};
  nn::Linear reduction_{nullptr};
};

class Swin : public Backbone {
 public:
  Swin(const Architecture& architecture, const SwinOptions& options) : Backbone(architecture) {
    auto width = options.width;
    auto patches = std::make_shared<nn::Module>();
    patches_ = patches->register_module("proj", nn::Conv2d(nn::Conv2dOptions(3, width, 4).stride(4)));
    norm_of_patches_ = patches->register_module("norm", nn::LayerNorm(nn::LayerNormOptions({width})));
    register_module("patch_embed", patches);
    auto layers = std::make_shared<nn::Module>();
    for (std::size_t l = 0; l < options.depths.size(); ++l) {
      auto layer = layers->register_module(std::to_string(l), std::make_shared<nn::Module>());
      auto blocks = layer->register_module("blocks", std::make_shared<nn::Module>());
      for (std::int64_t b = 0; b < options.depths[l]; ++b) {
        stages_.push_back({blocks->register_module(std::to_string(b),
                                                   std::make_shared<SwinBlock>(width, options.heads[l],
                                                                               options.window, b % 2 == 1)),
                           nullptr});
      }
      if (l + 1 == options.depths.size()) continue;
      stages_.back().merging = layer->register_module("downsample", std::make_shared<PatchMerging>(width));
      width *= 2;
    }
    register_module("layers", layers);
    norm_ = register_module("norm", nn::LayerNorm(nn::LayerNormOptions({width})));
  }

  torch::Tensor run_stage(std::size_t stage, torch::Tensor input) override {
    if (stage == 0) return norm_of_patches_(patches_(input).flatten(2).transpose(1, 2));
    if (stage > stages_.size()) return norm_(input).mean(1);
    const auto side = std::llround(std::sqrt(static_cast<double>(input.size(1))));
    auto map = stages_[stage - 1].block->forward(input.view({input.size(0), side, side, -1}));
    if (stages_[stage - 1].merging) map = stages_[stage - 1].merging->forward(map);
    return map.flatten(1, 2);
  }
  torch::Tensor pool(const torch::Tensor& activations) override { return activations; }

  std::vector<torch::Tensor> stage_parameters(std::size_t stage) override {
    if (stage == 0)
      return {patches_->weight, patches_->bias, norm_of_patches_->weight, norm_of_patches_->bias};
    if (stage > stages_.size()) return norm_->parameters();
    auto list = stages_[stage - 1].block->parameters();
    if (stages_[stage - 1].merging)
      for (const auto& parameter : stages_[stage - 1].merging->parameters()) list.push_back(parameter);
    return list;
  }
  std::string head_name() const override { return "head"; }

 private:
  struct Stage {
    std::shared_ptr<SwinBlock> block;
    std::shared_ptr<PatchMerging> merging;  // behind the last block of a layer, but for the last layer
  };

  nn::Conv2d patches_{nullptr};
  nn::LayerNorm norm_of_patches_{nullptr}, norm_{nullptr};
  std::vector<Stage> stages_;
};

}  // namespace

std::shared_ptr<Backbone> make_swin(const Architecture& architecture, const SwinOptions& options) {
  return std::make_shared<Swin>(architecture, options);
}

}  // namespace procsim::train
