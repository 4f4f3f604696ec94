#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace procsim::train {

// How a network wants its pixels: (x − mean) / deviation, on 0…255.
struct PixelScale {
  std::array<float, 3> mean{127.5F, 127.5F, 127.5F};
  std::array<float, 3> deviation{127.5F, 127.5F, 127.5F};
  bool bicubic = false;  // how images are resampled: bicubic, else bilinear; both antialiased
};

// ImageNet's channel statistics, as torchvision's weights expect them.
PixelScale imagenet_pixel_scale(bool bicubic = false);

// How images become the inputs of a network, as its weights were published: the shorter side is resampled to
// `resize` and the centre of `size` is cut out.
struct PublishedInput {
  std::int64_t size = 224;
  std::int64_t resize = 256;
  PixelScale pixels = imagenet_pixel_scale();
};

struct SmallOptions {};

struct ResNetOptions {
  std::array<std::int64_t, 4> depths{};
  bool bottleneck = false;
  bool stride_first =
      false;  // v1: a bottleneck strides in its first, 1×1 convolution; else in the 3×3 (v1.5)
};

struct EfficientNetLiteOptions {
  double width = 1;
  double depth = 1;
};

struct VisionTransformerOptions {
  std::int64_t width = 384;
  std::int64_t depth = 12;
  std::int64_t heads = 6;
  std::int64_t patch = 16;
  std::int64_t grid = 14;      // side of the table of positions, in patches
  std::int64_t registers = 0;  // tokens without a place
  bool distilled = false;      // a second token beside the class token, which no one reads
  bool layer_scale = false;
  bool swiglu = false;          // gated MLP of two thirds of the width (DINOv2 g)
  bool clip = false;            // a norm before the blocks, no bias of the patches, QuickGELU
  bool antialias = false;       // positions are interpolated with a wider filter when the grid shrinks
  std::int64_t projection = 0;  // features after a last product without bias; 0: none
  double epsilon = 1e-6;        // of layer normalisation
  std::int64_t mlp = 4;         // width of the MLP in widths

  std::int64_t features() const { return projection > 0 ? projection : width; }
};

struct SwinOptions {
  std::int64_t width = 96;
  std::vector<std::int64_t> depths{2, 2, 6, 2};
  std::vector<std::int64_t> heads{3, 6, 12, 24};
  std::int64_t window = 7;
};

// A network as it was published, by the name that --backbone has for it.
struct Architecture {
  std::string name;
  std::string about;  // a line for lists: what it is and who published weights for it
  std::int64_t features = 0;
  PublishedInput input;
  std::variant<SmallOptions, ResNetOptions, EfficientNetLiteOptions, VisionTransformerOptions, SwinOptions>
      options;
};

const std::vector<Architecture>& architectures();
// Null for a name that none has, such as a TorchScript file.
const Architecture* find_architecture(std::string_view name);

// The stages that training can start at, in the order of execution, as Backbone::stages() has them.
std::vector<std::string> stage_names(const Architecture& architecture);

// Blocks of each of the seven stages of an EfficientNet-Lite, and a width of its, scaled as published.
std::array<std::int64_t, 7> lite_repeats(const EfficientNetLiteOptions& options);
std::int64_t lite_width(std::int64_t width, const EfficientNetLiteOptions& options);

}  // namespace procsim::train
