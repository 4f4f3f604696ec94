#include "data/images/image.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "data/base/error.hpp"
#include "data/images/image_formats.hpp"

namespace procsim {
namespace {

struct Content {
  std::string_view words;   // "a GIF"
  std::string_view ending;  // of a file that holds it; empty for what is no image
};

Content content_of(std::string_view bytes) {
  const auto has = [&](std::size_t at, std::string_view magic) {
    return bytes.size() >= at && bytes.substr(at, magic.size()) == magic;
  };
  if (is_jpeg(bytes)) return {"a JPEG", ".jpg"};
  if (is_png(bytes)) return {"a PNG", ".png"};
  if (has(0, "GIF8")) return {"a GIF", ".gif"};
  if (has(0, "RIFF") && has(8, "WEBP")) return {"a WebP", ".webp"};
  if (has(0, "BM")) return {"a BMP", ".bmp"};
  if (has(0, std::string_view("II*\0", 4)) || has(0, std::string_view("MM\0*", 4))) return {"a TIFF", ".tif"};
  if (has(4, "ftypavif")) return {"an AVIF", ".avif"};
  if (has(4, "ftyphei") || has(4, "ftypmif")) return {"a HEIC", ".heic"};
  if (has(0, "%PDF")) return {"a PDF", {}};
  if (has(0, "version https://git-lfs")) return {"a Git LFS pointer (run git lfs pull)", {}};
  if (has(0, "<")) return {"a web page or XML", {}};
  return {"something else", {}};
}

[[noreturn]] void throw_unknown_format(std::string_view bytes, std::string_view source) {
  if (bytes.empty()) {
    throw Error(fmt::format("{}: the image is empty (0 bytes). Replace it or leave it out.", source));
  }
  throw Error(fmt::format("{}: not a JPEG or PNG but {}. Convert it to one of them or leave it out.", source,
                          content_of(bytes).words));
}

}  // namespace

std::string_view image_ending(std::string_view bytes) { return content_of(bytes).ending; }

void check_image_size(std::uint64_t width, std::uint64_t height, std::string_view source) {
  if (width == 0 || height == 0) {
    throw Error(fmt::format("{}: the image has no pixels ({} × {}). Replace it or leave it out.", source,
                            width, height));
  }
  if (width > static_cast<std::uint64_t>(kMaxImagePixels) / height) {
    throw Error(fmt::format(
        "{}: the image claims {} × {} pixels; at most {} megapixels are decoded. Scale it down or leave "
        "it out.",
        source, width, height, kMaxImagePixels / 1'000'000));
  }
}

void throw_damaged_image(std::string_view format, std::string_view source, std::string_view reason) {
  throw Error(fmt::format("{}: the {} is truncated or damaged ({}). Replace it or leave it out.", source,
                          format, reason));
}

Image decode_image(std::string_view bytes, std::string_view source, const DecodeOptions& options) {
  if (is_jpeg(bytes)) return decode_jpeg(bytes, source, options);
  if (is_png(bytes)) return decode_png(bytes, source);
  throw_unknown_format(bytes, source);
}

ImageSize image_size(std::string_view bytes, std::string_view source) {
  if (is_jpeg(bytes)) return jpeg_size(bytes, source);
  if (is_png(bytes)) return png_size(bytes, source);
  throw_unknown_format(bytes, source);
}

std::string thumbnail_jpeg(std::string_view bytes, std::string_view source, int longer_side, int quality) {
  const auto full = image_size(bytes, source);
  const double scale = std::min(1.0, static_cast<double>(longer_side) / std::max(full.width, full.height));
  const auto scaled = [&](int side) { return std::max(1, static_cast<int>(std::lround(side * scale))); };
  const int width = scaled(full.width);
  const int height = scaled(full.height);
  const auto image = decode_image(bytes, source, {.shorter_side = std::min(width, height)});
  return encode_jpeg(resize(image, width, height), quality);
}

}  // namespace procsim
