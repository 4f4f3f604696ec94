#include "train/settings/architecture.hpp"

#include <algorithm>
#include <cmath>

namespace procsim::train {
namespace {

PixelScale scale_of(const std::array<float, 3>& mean, const std::array<float, 3>& deviation, bool bicubic) {
  PixelScale scale;
  for (std::size_t channel = 0; channel < 3; ++channel) {
    scale.mean[channel] = mean[channel] * 255;
    scale.deviation[channel] = deviation[channel] * 255;
  }
  scale.bicubic = bicubic;
  return scale;
}

Architecture small() {
  return {"small",
          "a compact residual net that learns from scratch",
          128,
          {.size = 64, .resize = 64, .pixels = {}},
          SmallOptions{}};
}

Architecture resnet(std::string name, std::string about, ResNetOptions options) {
  // torchvision's weights of the v1.5 bottlenecks (IMAGENET1K_V2) are evaluated on a tighter crop.
  const PublishedInput input{.resize = options.bottleneck && !options.stride_first ? 232 : 256};
  return {std::move(name), std::move(about), options.bottleneck ? 2048 : 512, input, options};
}

Architecture lite(int number, EfficientNetLiteOptions options, std::int64_t size) {
  // Lite0 stays with the bilinear filter that its figures in docs/results.md were measured with.
  const PublishedInput input{
      .size = size, .resize = size + 32, .pixels = {{127, 127, 127}, {128, 128, 128}, number > 0}};
  return {"efficientnet-lite" + std::to_string(number), "EfficientNet-Lite (TensorFlow, timm)", 1280, input,
          options};
}

Architecture transformer(std::string name, std::string about, PublishedInput input,
                         const VisionTransformerOptions& options) {
  return {std::move(name), std::move(about), options.features(), input, options};
}

void add_dinov2(std::vector<Architecture>& list) {
  struct Size {
    char letter;
    std::int64_t width, depth, heads;
  };
  for (const std::int64_t registers : {0, 4})
    for (const auto& [letter, width, depth, heads] :
         {Size{'s', 384, 12, 6}, Size{'b', 768, 12, 12}, Size{'l', 1024, 24, 16}, Size{'g', 1536, 40, 24}}) {
      VisionTransformerOptions options{
          .width = width, .depth = depth, .heads = heads, .patch = 14, .grid = 37};
      options.registers = registers;
      options.layer_scale = true;
      options.swiglu = letter == 'g';
      options.antialias = registers > 0;
      list.push_back(transformer(
          std::string("dinov2-vit") + letter + "14" + (registers > 0 ? "-reg" : ""),
          registers > 0 ? "DINOv2 with registers (Meta, Apache-2.0)" : "DINOv2 (Meta, Apache-2.0)",
          {.pixels = imagenet_pixel_scale(true)}, options));
    }
}

void add_deit(std::vector<Architecture>& list) {
  struct Size {
    const char* name;
    std::int64_t width, heads;
  };
  for (const bool distilled : {false, true})
    for (const auto& [name, width, heads] : {Size{"ti", 192, 3}, Size{"s", 384, 6}, Size{"b", 768, 12}}) {
      VisionTransformerOptions options{.width = width, .heads = heads};
      options.distilled = distilled;
      list.push_back(transformer(std::string("deit-") + name + "16" + (distilled ? "-distilled" : ""),
                                 "DeiT (Meta, Apache-2.0)", {.pixels = imagenet_pixel_scale(true)}, options));
    }
}

void add_clip(std::vector<Architecture>& list) {
  const PublishedInput input{.resize = 224,
                             .pixels = scale_of({0.48145466F, 0.4578275F, 0.40821073F},
                                                {0.26862954F, 0.26130258F, 0.27577711F}, true)};
  const auto add = [&](const char* name, VisionTransformerOptions options) {
    options.clip = true;
    options.epsilon = 1e-5;
    list.push_back(transformer(name, "CLIP's image tower (OpenAI, MIT)", input, options));
  };
  add("clip-vit-b32", {.width = 768, .heads = 12, .patch = 32, .grid = 7, .projection = 512});
  add("clip-vit-b16", {.width = 768, .heads = 12, .patch = 16, .grid = 14, .projection = 512});
  add("clip-vit-l14", {.width = 1024, .depth = 24, .heads = 16, .patch = 14, .grid = 16, .projection = 768});
}

std::vector<Architecture> all() {
  std::vector<Architecture> list{small()};
  list.push_back(resnet("resnet18", "ResNet-18 (torchvision, timm)", {{2, 2, 2, 2}}));
  list.push_back(resnet("resnet34", "ResNet-34 (torchvision, timm)", {{3, 4, 6, 3}}));
  list.push_back(resnet("resnet50", "ResNet-50 v1.5 (torchvision, timm)", {{3, 4, 6, 3}, true}));
  list.push_back(resnet("resnet101", "ResNet-101 v1.5 (torchvision, timm)", {{3, 4, 23, 3}, true}));
  list.push_back(resnet("resnet50-v1", "ResNet-50 v1 (Caffe, Keras)", {{3, 4, 6, 3}, true, true}));
  list.push_back(resnet("resnet101-v1", "ResNet-101 v1 (Caffe, Keras)", {{3, 4, 23, 3}, true, true}));
  list.push_back(lite(0, {1.0, 1.0}, 224));
  list.push_back(lite(1, {1.0, 1.1}, 240));
  list.push_back(lite(2, {1.1, 1.2}, 260));
  list.push_back(lite(3, {1.2, 1.4}, 280));
  list.push_back(lite(4, {1.4, 1.8}, 300));
  add_dinov2(list);
  add_deit(list);
  list.push_back(
      transformer("vit-b16", "ViT-B/16 of ImageNet (torchvision, BSD-3)", {}, {.width = 768, .heads = 12}));
  list.push_back(transformer("vit-b32", "ViT-B/32 of ImageNet (torchvision, BSD-3)", {},
                             {.width = 768, .heads = 12, .patch = 32, .grid = 7}));
  list.push_back(transformer("vit-l16", "ViT-L/16 of ImageNet (torchvision, BSD-3)", {.resize = 242},
                             {.width = 1024, .depth = 24, .heads = 16}));
  add_clip(list);
  list.push_back({"swin-t",
                  "Swin-T (Microsoft, MIT; torchvision, timm)",
                  768,
                  {.resize = 232, .pixels = imagenet_pixel_scale(true)},
                  SwinOptions{}});
  list.push_back({"swin-s",
                  "Swin-S (Microsoft, MIT; torchvision, timm)",
                  768,
                  {.resize = 246, .pixels = imagenet_pixel_scale(true)},
                  SwinOptions{.depths = {2, 2, 18, 2}}});
  list.push_back({"swin-b",
                  "Swin-B (Microsoft, MIT; torchvision, timm)",
                  1024,
                  {.resize = 238, .pixels = imagenet_pixel_scale(true)},
                  SwinOptions{.width = 128, .depths = {2, 2, 18, 2}, .heads = {4, 8, 16, 32}}});
  return list;
}

void add_numbered(std::vector<std::string>& names, const char* word, std::int64_t first, std::int64_t count) {
  for (std::int64_t i = 0; i < count; ++i) names.push_back(word + std::to_string(first + i));
}

std::vector<std::string> stages_of(const SmallOptions&) {
  return {"stem", "block1", "block2", "block3", "block4"};
}
std::vector<std::string> stages_of(const ResNetOptions&) {
  return {"stem", "layer1", "layer2", "layer3", "layer4"};
}
std::vector<std::string> stages_of(const EfficientNetLiteOptions& options) {
  std::vector<std::string> names{"stem"};
  std::int64_t blocks = 0;
  for (const auto repeats : lite_repeats(options)) blocks += repeats;
  add_numbered(names, "block", 0, blocks);
  names.emplace_back("top");
  return names;
}
std::vector<std::string> stages_of(const VisionTransformerOptions& options) {
  std::vector<std::string> names{"patches"};
  add_numbered(names, "block", 0, options.depth);
  names.emplace_back("top");
  return names;
}
std::vector<std::string> stages_of(const SwinOptions& options) {
  std::vector<std::string> names{"patches"};
  std::int64_t blocks = 0;
  for (const auto depth : options.depths) blocks += depth;
  add_numbered(names, "block", 0, blocks);
  names.emplace_back("top");
  return names;
}

}  // namespace

PixelScale imagenet_pixel_scale(bool bicubic) {
  return scale_of({0.485F, 0.456F, 0.406F}, {0.229F, 0.224F, 0.225F}, bicubic);
}

const std::vector<Architecture>& architectures() {
  static const std::vector<Architecture> list = all();
  return list;
}

const Architecture* find_architecture(std::string_view name) {
  const auto& list = architectures();
  const auto found =
      std::find_if(list.begin(), list.end(), [&](const auto& one) { return one.name == name; });
  return found == list.end() ? nullptr : &*found;
}

std::vector<std::string> stage_names(const Architecture& architecture) {
  return std::visit([](const auto& options) { return stages_of(options); }, architecture.options);
}

std::array<std::int64_t, 7> lite_repeats(const EfficientNetLiteOptions& options) {
  std::array<std::int64_t, 7> repeats{1, 2, 2, 3, 3, 4, 1};
  for (std::size_t stage = 1; stage < 6; ++stage)  // the first and the last are never deepened
    repeats[stage] =
        static_cast<std::int64_t>(std::ceil(options.depth * static_cast<double>(repeats[stage]) - 1e-9));
  return repeats;
}

std::int64_t lite_width(std::int64_t width, const EfficientNetLiteOptions& options) {
  const double scaled = static_cast<double>(width) * options.width;
  auto rounded = std::max<std::int64_t>(8, static_cast<std::int64_t>(scaled + 4) / 8 * 8);
  if (static_cast<double>(rounded) < 0.9 * scaled) rounded += 8;
  return rounded;
}

}  // namespace procsim::train
