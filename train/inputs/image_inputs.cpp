#include <algorithm>
#include <cmath>
#include <mutex>

#include "data/base/digest.hpp"
#include "data/base/keyed_random.hpp"
#include "data/base/thread_tasks.hpp"
#include "data/images/image.hpp"
#include "data/sets/dataset.hpp"
#include "train/inputs/inputs.hpp"
#include "train/samples/augmentation.hpp"

namespace procsim::train {

namespace {

// A random crop of the least area is as sharp as a centre crop only where its own pixels fill the input.
enum class CropKind : std::uint8_t { kCentre, kRandom };

int decoded_side(const TrainConfig& config, const PixelScale& scale, CropKind kind) {
  if (kind == CropKind::kRandom)
    return static_cast<int>(std::ceil(static_cast<double>(config.image_size) / std::sqrt(config.crop_scale)));
  // A JPEG that is decoded smaller went through a filter of its own: where the published one is bicubic, that
  // one does the last halving at least.
  return static_cast<int>(std::ceil(static_cast<double>(config.image_size) / config.centre_crop)) *
         (scale.bicubic ? 2 : 1);
}

}  // namespace

struct ImageInputs::State {
  using Kept = std::vector<std::shared_ptr<const Image>>;

  std::filesystem::path root;
  std::vector<TrainSample> samples;
  TrainConfig config;
  PixelScale scale;
  std::int64_t memory_left = 0;
  std::mutex mutex;
  Kept kept_for_centre, kept_for_random;

  std::shared_ptr<const Image> image(std::int64_t sample, CropKind kind);
  void write_pixels(const Image& image, float* out) const;
  torch::Tensor render(std::span<const std::int64_t> indices, CropKind kind,
                       const std::function<CropView(std::int64_t place, const Image& image)>& choose);
};

// Large photographs are decoded no larger than a crop of this kind can use. What a crop sees depends on its
// kind alone, never on what is kept.
std::shared_ptr<const Image> ImageInputs::State::image(std::int64_t sample, CropKind kind) {
  const auto index = static_cast<std::size_t>(sample);
  auto& mine = kind == CropKind::kCentre ? kept_for_centre : kept_for_random;
  const auto& others = kind == CropKind::kCentre ? kept_for_random : kept_for_centre;
  {
    const std::lock_guard lock(mutex);
    if (mine[index]) return mine[index];
  }
  const auto& path = samples[index].path;
  DecodeOptions options;
  options.shorter_side = decoded_side(config, scale, kind);
  auto decoded = std::make_shared<const Image>(
      decode_image(read_sample_bytes(root, path), (root / path).string(), options));
  const std::lock_guard lock(mutex);
  if (mine[index]) return mine[index];
  const auto& other = others[index];
  if (other && other->width == decoded->width && other->height == decoded->height)  // decoded alike
    return mine[index] = other;
  const auto bytes = static_cast<std::int64_t>(decoded->rgb.size());
  if (bytes <= memory_left) {
    memory_left -= bytes;
    mine[index] = decoded;
  }
  return decoded;
}

void ImageInputs::State::write_pixels(const Image& image, float* out) const {
  const auto pixels = static_cast<std::size_t>(image.width) * static_cast<std::size_t>(image.height);
  for (std::size_t channel = 0; channel < 3; ++channel) {
    const float factor = 1 / scale.deviation[channel];
    for (std::size_t i = 0; i < pixels; ++i)
      out[channel * pixels + i] =
          (static_cast<float>(image.rgb[3 * i + channel]) - scale.mean[channel]) * factor;
  }
}

torch::Tensor ImageInputs::State::render(
    std::span<const std::int64_t> indices, CropKind kind,
    const std::function<CropView(std::int64_t place, const Image& image)>& choose) {
  const std::int64_t side = config.image_size;
  auto batch = torch::empty({static_cast<std::int64_t>(indices.size()), 3, side, side});
  float* out = batch.data_ptr<float>();
  const auto resampling = scale.bicubic ? Resampling::kBicubic : Resampling::kBilinear;
  for (std::size_t i = 0; i < indices.size(); ++i) {
    const auto source = image(indices[i], kind);
    const auto view = choose(static_cast<std::int64_t>(i), *source);
    write_pixels(render_view(*source, view, static_cast<int>(side), resampling),
                 out + static_cast<std::int64_t>(i) * 3 * side * side);
  }
  return batch;
}

ImageInputs::ImageInputs(std::filesystem::path root, std::vector<TrainSample> samples,
                         const TrainConfig& config, PixelScale scale, std::int64_t memory)
    : state_(std::make_unique<State>()) {
  state_->root = std::move(root);
  state_->samples = std::move(samples);
  state_->config = config;
  state_->scale = scale;
  state_->memory_left = memory;
  state_->kept_for_centre.resize(state_->samples.size());
  state_->kept_for_random.resize(state_->samples.size());
}

ImageInputs::~ImageInputs() = default;

std::int64_t ImageInputs::size() const { return static_cast<std::int64_t>(state_->samples.size()); }

torch::Tensor ImageInputs::augmented(std::span<const std::int64_t> samples, std::int64_t first_draw) const {
  const KeyedRandom random(state_->config.seed, "train/augment");
  return state_->render(samples, CropKind::kRandom, [&](std::int64_t place, const Image& image) {
    auto draws = random.for_id(first_draw + place);
    return random_crop_view({image.width, image.height}, state_->config.crop_scale, state_->config.flip,
                            draws);
  });
}

torch::Tensor ImageInputs::centred(std::span<const std::int64_t> samples) const {
  return state_->render(samples, CropKind::kCentre, [&](std::int64_t, const Image& image) {
    return centre_crop_view({image.width, image.height}, state_->config.centre_crop);
  });
}

torch::Tensor ImageInputs::view(std::span<const std::int64_t> samples, std::int64_t view) const {
  if (view == 0) return centred(samples);
  const KeyedRandom random(state_->config.seed, "train/view/" + std::to_string(view));
  return state_->render(samples, CropKind::kRandom, [&](std::int64_t place, const Image& image) {
    const auto sample = static_cast<std::size_t>(samples[static_cast<std::size_t>(place)]);
    auto draws = random.for_id(state_->samples[sample].id);
    return random_crop_view({image.width, image.height}, state_->config.crop_scale, state_->config.flip,
                            draws);
  });
}

std::vector<std::string> ImageInputs::image_digests(int workers) const {
  std::vector<std::string> digests(state_->samples.size());
  run_on_threads(size(), std::max(1, workers), [&](std::int64_t sample) {
    const auto i = static_cast<std::size_t>(sample);
    digests[i] = sha256_hex(read_sample_bytes(state_->root, state_->samples[i].path));
  });
  return digests;
}

std::string ImageInputs::content_digest(int workers) const {
  const auto digests = image_digests(workers);
  Sha256 all;
  for (std::size_t i = 0; i < digests.size(); ++i) {
    all.update(std::to_string(state_->samples[i].id) + ":");
    all.update(digests[i]);
  }
  return all.finish_hex();
}

}  // namespace procsim::train
