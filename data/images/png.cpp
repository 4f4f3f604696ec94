#include <algorithm>
#include <array>
#include <cassert>
#include <csetjmp>
#include <cstdio>
#include <cstring>
#include <stdexcept>

#include <png.h>

#include "data/images/attempt.hpp"
#include "data/images/image_formats.hpp"

namespace procsim {
namespace {

// Where an error of libpng lands (attempt.hpp), and what it says.
struct PngErrors {
  std::jmp_buf landing;
  std::array<char, 256> message;
};

[[noreturn]] void jump_out(png_structp png, png_const_charp message) {
  auto& state = *static_cast<PngErrors*>(png_get_error_ptr(png));
  std::snprintf(state.message.data(), state.message.size(), "%s", message);
  std::longjmp(state.landing, 1);
}

// Warnings concern chunks beside the pixels (a colour profile, a comment); damage of the pixels is an error.
void ignore_warning(png_structp, png_const_charp) {}

void read_from_memory(png_structp png, png_bytep target, std::size_t length) {
  auto& rest = *static_cast<std::string_view*>(png_get_io_ptr(png));
  if (length > rest.size()) png_error(png, "premature end of file");
  std::memcpy(target, rest.data(), length);
  rest.remove_prefix(length);
}

class ReadHandle {
 public:
  explicit ReadHandle(PngErrors& errors)
      : png_(png_create_read_struct(PNG_LIBPNG_VER_STRING, &errors, jump_out, ignore_warning)),
        info_(png_ != nullptr ? png_create_info_struct(png_) : nullptr) {
    if (info_ == nullptr) {
      png_destroy_read_struct(&png_, &info_, nullptr);
      throw std::bad_alloc();
    }
  }
  ~ReadHandle() { png_destroy_read_struct(&png_, &info_, nullptr); }
  ReadHandle(const ReadHandle&) = delete;
  ReadHandle& operator=(const ReadHandle&) = delete;

  png_structp png() { return png_; }
  png_infop info() { return info_; }

 private:
  png_structp png_;
  png_infop info_;
};

class PngReader {
 public:
  PngReader(std::string_view bytes, std::string_view source)
      : source_(source), file_size_(bytes.size()), rest_(bytes), handle_(errors_) {
    run([&] {
      png_set_read_fn(handle_.png(), &rest_, read_from_memory);
      png_read_info(handle_.png(), handle_.info());
    });
    check_image_size(width(), height(), source_);
    stored_bits_ =
        png_get_bit_depth(handle_.png(), handle_.info()) * png_get_channels(handle_.png(), handle_.info());
  }

  ImageSize stored_size() { return {static_cast<int>(width()), static_cast<int>(height())}; }

  int orientation() {
    png_uint_32 length = 0;
    png_bytep exif = nullptr;
    if (png_get_eXIf_1(handle_.png(), handle_.info(), &length, &exif) == 0) return 1;
    return exif_orientation({exif, length});
  }

  Image decode() {
    std::size_t channels = 0;
    run([&] { channels = ask_for_eight_bit_colour(); });
    Image image{static_cast<int>(width()), static_cast<int>(height()), {}};
    const std::size_t row_bytes = channels * width();
    check_enough_data();
    std::vector<std::uint8_t> pixels(row_bytes * height());
    std::vector<png_bytep> rows(height());
    for (std::size_t y = 0; y < rows.size(); ++y) rows[y] = pixels.data() + y * row_bytes;
    run([&] {
      png_read_image(handle_.png(), rows.data());
      png_read_end(handle_.png(), nullptr);
    });
    image.rgb = channels == 4 ? on_white(pixels) : std::move(pixels);
    return image;
  }

 private:
  template <typename Call>
  void run(const Call& call) {
    if (!attempt(errors_, call)) throw_damaged_image("PNG", source_, errors_.message.data());
  }

  png_uint_32 width() { return png_get_image_width(handle_.png(), handle_.info()); }
  png_uint_32 height() { return png_get_image_height(handle_.png(), handle_.info()); }

  // Deflate packs at most 1032 bytes into one: a short file that claims a large picture is refused before the
  // memory for the picture is taken.
  void check_enough_data() {
    const auto bits = static_cast<std::uint64_t>(stored_bits_) * width() * height();
    if (bits / 8 / 1032 > file_size_) throw_damaged_image("PNG", source_, "too short for its size");
  }

  // Returns 3 (RGB) or 4 (RGB and alpha) bytes a pixel.
  std::size_t ask_for_eight_bit_colour() {
    auto* png = handle_.png();
    png_set_expand(png);    // palette to colours, 1, 2 and 4 bits to 8, a transparent colour to alpha
    png_set_scale_16(png);  // rounds, where png_set_strip_16 would cut
    png_set_gray_to_rgb(png);
    png_set_interlace_handling(png);
    png_read_update_info(png, handle_.info());
    const auto row_bytes = png_get_rowbytes(png, handle_.info());
    const std::size_t channels = png_get_channels(png, handle_.info());
    if (channels < 3 || channels > 4 || row_bytes != channels * width())
      png_error(png, "unexpected pixel format");
    return channels;
  }

  static std::vector<std::uint8_t> on_white(const std::vector<std::uint8_t>& rgba) {
    std::vector<std::uint8_t> rgb(rgba.size() / 4 * 3);
    auto* to = rgb.data();
    for (std::size_t i = 0; i < rgba.size(); i += 4) {
      const int alpha = rgba[i + 3];
      for (int c = 0; c < 3; ++c)
        *to++ = static_cast<std::uint8_t>((rgba[i + c] * alpha + 255 * (255 - alpha) + 127) / 255);
    }
    return rgb;
  }

  std::string source_;
  std::uint64_t file_size_;
  int stored_bits_ = 0;  // of a pixel in the file
  std::string_view rest_;
  PngErrors errors_{};
  ReadHandle handle_;
};

// No exception may pass through libpng's frames.
bool append(std::string& text, const png_byte* data, std::size_t length) noexcept {
  try {
    text.append(reinterpret_cast<const char*>(data), length);
    return true;
  } catch (const std::bad_alloc&) {
    return false;
  }
}

void append_to_string(png_structp png, png_bytep data, std::size_t length) {
  if (!append(*static_cast<std::string*>(png_get_io_ptr(png)), data, length)) png_error(png, "out of memory");
}

void flush_nothing(png_structp) {}

class WriteHandle {
 public:
  explicit WriteHandle(PngErrors& errors)
      : png_(png_create_write_struct(PNG_LIBPNG_VER_STRING, &errors, jump_out, ignore_warning)),
        info_(png_ != nullptr ? png_create_info_struct(png_) : nullptr) {
    if (info_ == nullptr) {
      png_destroy_write_struct(&png_, &info_);
      throw std::bad_alloc();
    }
  }
  ~WriteHandle() { png_destroy_write_struct(&png_, &info_); }
  WriteHandle(const WriteHandle&) = delete;
  WriteHandle& operator=(const WriteHandle&) = delete;

  png_structp png() { return png_; }
  png_infop info() { return info_; }

 private:
  png_structp png_;
  png_infop info_;
};

}  // namespace

bool is_png(std::string_view bytes) { return bytes.starts_with(std::string_view("\x89PNG\r\n\x1A\n", 8)); }

Image decode_png(std::string_view bytes, std::string_view source) {
  PngReader reader(bytes, source);
  const int orientation = reader.orientation();
  return apply_orientation(reader.decode(), orientation);
}

ImageSize png_size(std::string_view bytes, std::string_view source) {
  PngReader reader(bytes, source);
  return apply_orientation(reader.stored_size(), reader.orientation());
}

std::string encode_png(const Image& image) {
  assert(image.width > 0 && image.height > 0);
  PngErrors errors{};
  WriteHandle handle(errors);
  std::string bytes;
  const bool done = attempt(errors, [&] {
    auto* png = handle.png();
    png_set_write_fn(png, &bytes, append_to_string, flush_nothing);
    png_set_IHDR(png, handle.info(), image.width, image.height, 8, PNG_COLOR_TYPE_RGB, PNG_INTERLACE_NONE,
                 PNG_COMPRESSION_TYPE_DEFAULT, PNG_FILTER_TYPE_DEFAULT);
    png_write_info(png, handle.info());
    for (int y = 0; y < image.height; ++y) png_write_row(png, image.pixel(0, y));
    png_write_end(png, nullptr);
  });
  if (!done) throw std::runtime_error(errors.message.data());
  return bytes;
}

}  // namespace procsim
