#include <csetjmp>
#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <cstring>

#include <jpeglib.h>
// After jpeglib.h, which it needs.
#include <algorithm>
#include <array>
#include <cassert>
#include <memory>
#include <stdexcept>

#include <jerror.h>

#include "data/images/attempt.hpp"
#include "data/images/image_formats.hpp"

namespace procsim {
namespace {

constexpr int kMaxScans = 500;  // an ordinary progressive JPEG has about ten

// Where an error of libjpeg lands (attempt.hpp), and what it says.
struct JpegErrors {
  jpeg_error_mgr manager;  // first: libjpeg hands out a pointer to it
  std::jmp_buf landing;
  std::array<char, JMSG_LENGTH_MAX> message;
};

JpegErrors& state_of(j_common_ptr info) { return *reinterpret_cast<JpegErrors*>(info->err); }

[[noreturn]] void jump_out(j_common_ptr info) {
  auto& state = state_of(info);
  info->err->format_message(info, state.message.data());
  std::longjmp(state.landing, 1);
}

// Warnings mean that libjpeg goes on with invented pixels, except for a few that only question the metadata.
void on_message(j_common_ptr info, int level) {
  if (level >= 0) return;
  switch (info->err->msg_code) {
    case JWRN_ADOBE_XFORM:
    case JWRN_EXTRANEOUS_DATA:
    case JWRN_JFIF_MAJOR:
      return;
    default:
      jump_out(info);
  }
}

void print_nothing(j_common_ptr) {}

jpeg_error_mgr* install(JpegErrors& state) {
  auto* manager = jpeg_std_error(&state.manager);
  manager->error_exit = jump_out;
  manager->emit_message = on_message;
  manager->output_message = print_nothing;
  return manager;
}

// A file of a few kilobytes can ask for thousands of passes over a large picture.
void limit_scans(j_common_ptr info) {
  const auto* decompress = reinterpret_cast<j_decompress_ptr>(info);
  if (decompress->input_scan_number <= kMaxScans) return;
  std::snprintf(state_of(info).message.data(), JMSG_LENGTH_MAX, "more than %d scans", kMaxScans);
  std::longjmp(state_of(info).landing, 1);
}

class Decompressor {
  struct Destroy {
    void operator()(jpeg_decompress_struct* info) const { jpeg_destroy_decompress(info); }
  };

 public:
  Decompressor(std::string_view bytes, std::string_view source) : source_(source) {
    info_.err = install(errors_);
    run([&] {
      jpeg_create_decompress(&info_);
      progress_.progress_monitor = limit_scans;
      info_.progress = &progress_;
      jpeg_mem_src(&info_, reinterpret_cast<const unsigned char*>(bytes.data()), bytes.size());
      jpeg_save_markers(&info_, JPEG_APP0 + 1, 0xFFFF);
      jpeg_read_header(&info_, TRUE);
    });
  }
  Decompressor(const Decompressor&) = delete;
  Decompressor& operator=(const Decompressor&) = delete;

  ImageSize stored_size() const {
    return {static_cast<int>(info_.image_width), static_cast<int>(info_.image_height)};
  }

  int orientation() const {
    constexpr std::string_view kExif("Exif\0\0", 6);
    for (const auto* marker = info_.marker_list; marker != nullptr; marker = marker->next) {
      const std::span<const std::uint8_t> data(marker->data, marker->data_length);
      if (data.size() < kExif.size() || std::memcmp(data.data(), kExif.data(), kExif.size()) != 0) continue;
      return exif_orientation(data.subspan(kExif.size()));
    }
    return 1;
  }

  Image decode(const DecodeOptions& options) {
    info_.scale_num = eighths(options);
    info_.scale_denom = 8;
    const bool four_inks = info_.jpeg_color_space == JCS_CMYK || info_.jpeg_color_space == JCS_YCCK;
    info_.out_color_space = four_inks ? JCS_CMYK : JCS_RGB;
    run([&] { jpeg_calc_output_dimensions(&info_); });
    check_decoded_size();
    run([&] { jpeg_start_decompress(&info_); });
    Image image{static_cast<int>(info_.output_width), static_cast<int>(info_.output_height), {}};
    image.rgb.resize(3 * static_cast<std::size_t>(image.width) * image.height);
    std::vector<std::uint8_t> inks(four_inks ? 4 * static_cast<std::size_t>(image.width) : 0);
    run([&] {
      while (info_.output_scanline < info_.output_height) {
        auto* row = image.pixel(0, static_cast<int>(info_.output_scanline));
        JSAMPROW target = four_inks ? inks.data() : row;
        jpeg_read_scanlines(&info_, &target, 1);
        if (four_inks) print_inks(inks.data(), row, image.width);
      }
      jpeg_finish_decompress(&info_);
    });
    return image;
  }

 private:
  template <typename Call>
  void run(const Call& call) {
    if (!attempt(errors_, call)) throw_damaged_image("JPEG", source_, errors_.message.data());
  }

  // Only the pixels that come out take memory, except where a picture is sent in several scans: libjpeg then
  // holds it in full.
  void check_decoded_size() {
    const auto decoded = std::int64_t{info_.output_width} * info_.output_height;
    if (jpeg_has_multiple_scans(&info_) || decoded > kMaxImagePixels)
      check_image_size(info_.image_width, info_.image_height, source_);
  }

  // The smallest n for which n/8 of the picture is not smaller than wanted.
  unsigned eighths(const DecodeOptions& options) const {
    if (!options.shorter_side) return 8;
    const auto shorter = std::min<std::int64_t>(info_.image_width, info_.image_height);
    unsigned n = 1;
    while (n < 8 && (shorter * n + 7) / 8 < *options.shorter_side) ++n;
    return n;
  }

  // Four-ink JPEGs come from Adobe's programs, which store 255 for no ink, and every viewer reads them so.
  static void print_inks(const std::uint8_t* inks, std::uint8_t* rgb, int width) {
    for (int x = 0; x < width; ++x, inks += 4, rgb += 3) {
      for (int c = 0; c < 3; ++c) rgb[c] = static_cast<std::uint8_t>((inks[c] * inks[3] + 127) / 255);
    }
  }

  std::string source_;
  jpeg_progress_mgr progress_{};
  JpegErrors errors_{};
  jpeg_decompress_struct info_{};
  const std::unique_ptr<jpeg_decompress_struct, Destroy> owner_{&info_};  // also when the constructor throws
};

class Compressor {
  struct Destroy {
    void operator()(jpeg_compress_struct* info) const { jpeg_destroy_compress(info); }
  };

 public:
  Compressor() {
    info_.err = install(errors_);
    run([&] { jpeg_create_compress(&info_); });
  }
  ~Compressor() { std::free(buffer_); }
  Compressor(const Compressor&) = delete;
  Compressor& operator=(const Compressor&) = delete;

  std::string encode(const Image& image, int quality) {
    run([&] {
      jpeg_mem_dest(&info_, &buffer_, &size_);
      info_.image_width = image.width;
      info_.image_height = image.height;
      info_.input_components = 3;
      info_.in_color_space = JCS_RGB;
      jpeg_set_defaults(&info_);
      jpeg_set_quality(&info_, quality, TRUE);
      info_.optimize_coding = TRUE;
      if (quality >= 90) {  // colour at full resolution: small birds carry their colours in few pixels
        info_.comp_info[0].h_samp_factor = 1;
        info_.comp_info[0].v_samp_factor = 1;
      }
      jpeg_start_compress(&info_, TRUE);
      while (info_.next_scanline < info_.image_height) {
        auto* row = const_cast<JSAMPROW>(image.pixel(0, static_cast<int>(info_.next_scanline)));
        jpeg_write_scanlines(&info_, &row, 1);
      }
      jpeg_finish_compress(&info_);
    });
    return {reinterpret_cast<const char*>(buffer_), size_};
  }

 private:
  template <typename Call>
  void run(const Call& call) {
    if (!attempt(errors_, call)) throw std::runtime_error(errors_.message.data());
  }

  JpegErrors errors_{};
  jpeg_compress_struct info_{};
  const std::unique_ptr<jpeg_compress_struct, Destroy> owner_{&info_};
  unsigned char* buffer_ = nullptr;
  unsigned long size_ = 0;
};

}  // namespace

bool is_jpeg(std::string_view bytes) { return bytes.starts_with("\xFF\xD8\xFF"); }

Image decode_jpeg(std::string_view bytes, std::string_view source, const DecodeOptions& options) {
  Decompressor decompressor(bytes, source);
  const int orientation = decompressor.orientation();
  return apply_orientation(decompressor.decode(options), orientation);
}

ImageSize jpeg_size(std::string_view bytes, std::string_view source) {
  const Decompressor decompressor(bytes, source);
  return apply_orientation(decompressor.stored_size(), decompressor.orientation());
}

std::string encode_jpeg(const Image& image, int quality) {
  assert(image.width > 0 && image.height > 0 && quality >= 1 && quality <= 100);
  return Compressor().encode(image, quality);
}

}  // namespace procsim
