#pragma once

// What data/image.cpp needs of each format. Nobody else includes this.

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "data/images/image.hpp"

namespace procsim {

bool is_jpeg(std::string_view bytes);
bool is_png(std::string_view bytes);

Image decode_jpeg(std::string_view bytes, std::string_view source, const DecodeOptions& options);
Image decode_png(std::string_view bytes, std::string_view source);
ImageSize jpeg_size(std::string_view bytes, std::string_view source);
ImageSize png_size(std::string_view bytes, std::string_view source);

// Throws Error when the image is empty or has more than kMaxImagePixels.
void check_image_size(std::uint64_t width, std::uint64_t height, std::string_view source);

[[noreturn]] void throw_damaged_image(std::string_view format, std::string_view source,
                                      std::string_view reason);

// The orientation (1 to 8) that an EXIF block asks for; `tiff` starts with the byte order mark "II" or "MM".
// 1 when the block has none or is damaged: a picture is not refused for its metadata.
int exif_orientation(std::span<const std::uint8_t> tiff);

// The image as EXIF orientation 1 to 8 wants it seen.
Image apply_orientation(Image image, int orientation);
ImageSize apply_orientation(ImageSize size, int orientation);

}  // namespace procsim
