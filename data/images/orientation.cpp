#include <algorithm>
#include <utility>

#include "data/images/image_formats.hpp"

namespace procsim {
namespace {

// Numbers at offsets of a TIFF block, in its byte order. Offsets outside give 0.
class TiffNumbers {
 public:
  explicit TiffNumbers(std::span<const std::uint8_t> bytes)
      : bytes_(bytes), big_endian_(bytes.size() >= 2 && bytes[0] == 'M' && bytes[1] == 'M') {}

  std::uint32_t u16(std::uint64_t at) const { return number(at, 2); }
  std::uint32_t u32(std::uint64_t at) const { return number(at, 4); }

 private:
  std::uint32_t number(std::uint64_t at, unsigned length) const {
    if (at + length > bytes_.size()) return 0;
    std::uint32_t value = 0;
    for (unsigned i = 0; i < length; ++i) {
      value = (value << 8) | bytes_[at + (big_endian_ ? i : length - 1 - i)];
    }
    return value;
  }

  std::span<const std::uint8_t> bytes_;
  bool big_endian_;
};

}  // namespace

int exif_orientation(std::span<const std::uint8_t> tiff) {
  constexpr std::uint32_t kOrientationTag = 0x0112;
  constexpr std::uint32_t kShort = 3;
  if (tiff.size() < 8 || tiff[0] != tiff[1] || (tiff[0] != 'I' && tiff[0] != 'M')) return 1;
  const TiffNumbers numbers(tiff);
  const std::uint64_t directory = numbers.u32(4);
  const std::uint32_t entries = numbers.u16(directory);
  for (std::uint32_t i = 0; i < entries; ++i) {
    const std::uint64_t entry = directory + 2 + 12ull * i;
    if (entry + 12 > tiff.size()) break;
    if (numbers.u16(entry) != kOrientationTag || numbers.u16(entry + 2) != kShort) continue;
    const auto value = numbers.u16(entry + 8);
    return value >= 1 && value <= 8 ? static_cast<int>(value) : 1;
  }
  return 1;
}

ImageSize apply_orientation(ImageSize size, int orientation) {
  if (orientation >= 5) std::swap(size.width, size.height);
  return size;
}

Image apply_orientation(Image image, int orientation) {
  if (orientation <= 1 || orientation > 8) return image;
  // Stored row 0 and column 0 are, seen upright: 2 top/right, 3 bottom/right, 4 bottom/left, 5 left/top, 6
  // right/top, 7 right/bottom, 8 left/bottom.
  const bool transposed = orientation >= 5;
  const bool mirrored_x = orientation == 2 || orientation == 3 || orientation == 6 || orientation == 7;
  const bool mirrored_y = orientation == 3 || orientation == 4 || orientation == 7 || orientation == 8;
  Image upright;
  upright.width = transposed ? image.height : image.width;
  upright.height = transposed ? image.width : image.height;
  upright.rgb.resize(image.rgb.size());
  for (int y = 0; y < upright.height; ++y) {
    const int from_y = mirrored_y ? upright.height - 1 - y : y;
    for (int x = 0; x < upright.width; ++x) {
      const int from_x = mirrored_x ? upright.width - 1 - x : x;
      const auto* from = transposed ? image.pixel(from_y, from_x) : image.pixel(from_x, from_y);
      std::copy_n(from, 3, upright.pixel(x, y));
    }
  }
  return upright;
}

}  // namespace procsim
