#include <algorithm>
#include <cassert>
#include <cmath>

#include "data/images/image.hpp"

namespace procsim {
namespace {

constexpr int kWeightBits = 15;  // 255 · 2¹⁵ · (a little over 1) fits into 32 bits

struct Kernel {
  double radius;
  double (*at)(double distance);
};

double triangle(double distance) { return std::max(0.0, 1.0 - distance); }

double cubic(double distance) {
  constexpr double a = -0.5;
  if (distance < 1) return ((a + 2) * distance - (a + 3)) * distance * distance + 1;
  if (distance < 2) return (((distance - 5) * distance + 8) * distance - 4) * a;
  return 0;
}

Kernel kernel_of(Resampling resampling) {
  return resampling == Resampling::kBicubic ? Kernel{2, cubic} : Kernel{1, triangle};
}

// For every pixel of the result, which pixels of the source it is made of.
struct Filter {
  struct Window {
    int first;
    int count;
  };
  std::vector<Window> windows;
  std::vector<std::int32_t> weights;  // `stride` for each window
  int stride = 0;
};

// A kernel on the coarser of the two grids: interpolation when enlarging, an average over everything that
// falls into the pixel when shrinking.
Filter make_filter(int from, int to, const Kernel& kernel) {
  const double scale = static_cast<double>(from) / to;
  const double stretch = std::max(scale, 1.0);
  const double support = kernel.radius * stretch;
  Filter filter;
  filter.stride = static_cast<int>(std::ceil(support)) * 2 + 1;
  filter.windows.resize(to);
  filter.weights.assign(static_cast<std::size_t>(to) * filter.stride, 0);
  std::vector<double> exact(filter.stride);
  for (int i = 0; i < to; ++i) {
    const double centre = (i + 0.5) * scale;
    const int first = std::max(0, static_cast<int>(std::floor(centre - support + 0.5)));
    const int end = std::min(from, static_cast<int>(std::floor(centre + support + 0.5)));
    double sum = 0;
    for (int k = first; k < end; ++k) {
      exact[k - first] = kernel.at(std::abs((k + 0.5 - centre) / stretch));
      sum += exact[k - first];
    }
    // Rounding must not change a flat area: what is missing to one goes to the heaviest pixel.
    auto* weights = filter.weights.data() + static_cast<std::size_t>(i) * filter.stride;
    std::int32_t total = 0;
    for (int k = 0; k < end - first; ++k) {
      weights[k] = static_cast<std::int32_t>(std::lround(exact[k] / sum * (1 << kWeightBits)));
      total += weights[k];
    }
    *std::max_element(weights, weights + (end - first)) += (1 << kWeightBits) - total;
    filter.windows[i] = {first, end - first};
  }
  return filter;
}

std::uint8_t rounded(std::int32_t sum) {
  return static_cast<std::uint8_t>(std::clamp((sum + (1 << (kWeightBits - 1))) >> kWeightBits, 0, 255));
}

Image resize_width(const Image& image, int width, const Kernel& kernel) {
  const auto filter = make_filter(image.width, width, kernel);
  Image result{width, image.height,
               std::vector<std::uint8_t>(3 * static_cast<std::size_t>(width) * image.height)};
  for (int y = 0; y < image.height; ++y) {
    auto* to = result.pixel(0, y);
    for (int x = 0; x < width; ++x, to += 3) {
      const auto window = filter.windows[x];
      const auto* weights = filter.weights.data() + static_cast<std::size_t>(x) * filter.stride;
      const auto* from = image.pixel(window.first, y);
      std::int32_t sums[3] = {0, 0, 0};
      for (int k = 0; k < window.count; ++k, from += 3) {
        for (int c = 0; c < 3; ++c) sums[c] += weights[k] * from[c];
      }
      for (int c = 0; c < 3; ++c) to[c] = rounded(sums[c]);
    }
  }
  return result;
}

Image resize_height(const Image& image, int height, const Kernel& kernel) {
  const auto filter = make_filter(image.height, height, kernel);
  const std::size_t row = 3 * static_cast<std::size_t>(image.width);
  Image result{image.width, height, std::vector<std::uint8_t>(row * height)};
  std::vector<std::int32_t> sums(row);
  for (int y = 0; y < height; ++y) {
    const auto window = filter.windows[y];
    const auto* weights = filter.weights.data() + static_cast<std::size_t>(y) * filter.stride;
    std::fill(sums.begin(), sums.end(), 0);
    for (int k = 0; k < window.count; ++k) {
      const auto* from = image.pixel(0, window.first + k);
      const auto weight = weights[k];
      for (std::size_t i = 0; i < row; ++i) sums[i] += weight * from[i];
    }
    auto* to = result.pixel(0, y);
    for (std::size_t i = 0; i < row; ++i) to[i] = rounded(sums[i]);
  }
  return result;
}

}  // namespace

Image resize(const Image& image, int width, int height, Resampling resampling) {
  assert(image.width > 0 && image.height > 0 && width > 0 && height > 0);
  if (image.width == width && image.height == height) return image;
  const auto kernel = kernel_of(resampling);
  if (image.width == width) return resize_height(image, height, kernel);
  if (image.height == height) return resize_width(image, width, kernel);
  return resize_height(resize_width(image, width, kernel), height, kernel);
}

Image crop(const Image& image, int x, int y, int width, int height) {
  assert(x >= 0 && y >= 0 && width > 0 && height > 0 && x + width <= image.width &&
         y + height <= image.height);
  Image part{width, height, std::vector<std::uint8_t>(3 * static_cast<std::size_t>(width) * height)};
  for (int row = 0; row < height; ++row) {
    std::copy_n(image.pixel(x, y + row), 3 * static_cast<std::size_t>(width), part.pixel(0, row));
  }
  return part;
}

}  // namespace procsim
