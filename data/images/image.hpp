#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace procsim {

// Eight-bit RGB, rows from the top, no padding: rgb.size() == 3 * width * height.
struct Image {
  int width = 0;
  int height = 0;
  std::vector<std::uint8_t> rgb;

  const std::uint8_t* pixel(int x, int y) const {
    return rgb.data() + 3 * (static_cast<std::size_t>(y) * width + x);
  }
  std::uint8_t* pixel(int x, int y) { return rgb.data() + 3 * (static_cast<std::size_t>(y) * width + x); }

  bool operator==(const Image&) const = default;
};

struct ImageSize {
  int width = 0;
  int height = 0;

  bool operator==(const ImageSize&) const = default;
};

// An image with more pixels than this is refused before any of them is decoded. A JPEG that is decoded
// smaller (DecodeOptions) counts as it comes out, unless it is progressive.
inline constexpr std::int64_t kMaxImagePixels = 100'000'000;

struct DecodeOptions {
  // A JPEG may be decoded smaller, by the factors its transform gives for nothing (1/8 … 8/8), as long as the
  // shorter side stays at least this long. Unset: full size. A PNG is always decoded in full.
  std::optional<int> shorter_side;
};

// Decodes a JPEG or PNG, told apart by content, upright (EXIF orientation applied to a JPEG), transparency on
// white. `source` names the image in messages: its path. Throws Error when the bytes are empty, of another
// kind, truncated, damaged, or larger than kMaxImagePixels.
Image decode_image(std::string_view bytes, std::string_view source, const DecodeOptions& options = {});

// Width and height as decode_image would give them in full, from the headers alone. Throws Error as
// decode_image does, except for damage behind the headers and JPEGs larger than kMaxImagePixels.
ImageSize image_size(std::string_view bytes, std::string_view source);

// What a file with this content is called behind the dot (".jpg", ".png", ".webp", …); empty when nobody can
// tell.
std::string_view image_ending(std::string_view bytes);

// Same image, same bytes. `quality` is libjpeg's, 1 to 100.
std::string encode_jpeg(const Image& image, int quality = 90);
std::string encode_png(const Image& image);

// Both as Pillow and torchvision have them: bilinear, and bicubic with Keys' a = −1/2.
enum class Resampling { kBilinear, kBicubic };

// Antialiased resampling: a filter as wide as the scale asks for, in passes over x and y.
Image resize(const Image& image, int width, int height, Resampling resampling = Resampling::kBilinear);

// The part of an image that starts at (x, y); it must lie inside.
Image crop(const Image& image, int x, int y, int width, int height);

// A JPEG whose longer side is at most `longer_side` pixels (never enlarged), upright, without metadata.
std::string thumbnail_jpeg(std::string_view bytes, std::string_view source, int longer_side,
                           int quality = 85);

}  // namespace procsim
