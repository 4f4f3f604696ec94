#include <algorithm>
#include <optional>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "data/base/error.hpp"
#include "data/base/keyed_random.hpp"
#include "data/images/image.hpp"
#include "tests/support/test_files.hpp"

namespace procsim {
namespace {

using test::read_all;
using testing::AllOf;
using testing::HasSubstr;

std::filesystem::path fixtures() { return test::source_folder() / "tests/data/images/fixtures"; }

std::vector<std::filesystem::path> fixture_images() {
  std::vector<std::filesystem::path> paths;
  for (const auto& entry : std::filesystem::directory_iterator(fixtures())) {
    if (entry.path().extension() != ".txt") paths.push_back(entry.path());
  }
  std::sort(paths.begin(), paths.end());
  return paths;
}

// The message of the Error that decoding throws; empty when it throws none.
std::string error_of(std::string_view bytes, std::string_view source = "photos/bird.jpg") {
  try {
    decode_image(bytes, source);
    return {};
  } catch (const Error& error) {
    return error.what();
  }
}

std::string with_big_endian_number(std::string bytes, std::size_t at, std::uint64_t value, int length) {
  for (int i = 0; i < length; ++i) bytes[at + i] = static_cast<char>(value >> (8 * (length - 1 - i)));
  return bytes;
}

TEST(DamagedImage, IsReportedWithItsSourceWhereverTheFileIsCutOff) {
  for (const auto& path : fixture_images()) {
    const auto bytes = read_all(path);
    for (std::size_t length = 0; length < bytes.size(); ++length) {
      const auto message = error_of(bytes.substr(0, length));
      ASSERT_THAT(message, HasSubstr("photos/bird.jpg")) << path.filename() << " cut to " << length;
      ASSERT_EQ(message.find('\n'), std::string::npos);
    }
  }
}

TEST(DamagedImage, IsRefusedOrDecodedButNeverCrashesWhenBitsFlip) {
  const KeyedRandom random(1, "test/image-bit-flips");
  std::int64_t round = 0;
  int decoded = 0;
  int refused = 0;
  for (const auto& path : fixture_images()) {
    const auto intact = read_all(path);
    for (int i = 0; i < 60; ++i) {
      auto draws = random.for_id(round++);
      auto bytes = intact;
      for (std::uint64_t flips = 1 + draws.below(4); flips > 0; --flips) {
        bytes[draws.below(bytes.size())] ^= static_cast<char>(1u << draws.below(8));
      }
      error_of(bytes).empty() ? ++decoded : ++refused;
    }
  }
  EXPECT_GT(decoded, 0);
  EXPECT_GT(refused, 0);
}

TEST(DamagedImage, SaysThatAFileIsEmpty) {
  EXPECT_THAT(error_of(""), AllOf(HasSubstr("photos/bird.jpg"), HasSubstr("empty")));
  EXPECT_THROW(image_size("", "x"), Error);
}

TEST(DamagedImage, SaysWhatAFileOfAnotherKindIs) {
  EXPECT_THAT(error_of("GIF89a…"), HasSubstr("not a JPEG or PNG but a GIF"));
  EXPECT_THAT(error_of(std::string("RIFF\0\0\0\0WEBPVP8 ", 16)), HasSubstr("a WebP"));
  EXPECT_THAT(error_of("<!DOCTYPE html><title>404</title>"), HasSubstr("a web page"));
  EXPECT_THAT(error_of("just text"), HasSubstr("something else"));
  EXPECT_THROW(image_size("just text", "x"), Error);
}

TEST(DamagedImage, SaysThatItIsTruncatedOrDamaged) {
  const auto jpeg = read_all(fixtures() / "colour_420.jpg");
  EXPECT_THAT(error_of(jpeg.substr(0, jpeg.size() - 20)), HasSubstr("the JPEG is truncated or damaged"));
  const auto png = read_all(fixtures() / "rgb8.png");
  EXPECT_THAT(error_of(png.substr(0, png.size() - 20)), HasSubstr("the PNG is truncated or damaged"));
}

TEST(DamagedImage, IsRefusedWhenItsPixelsFailTheirChecksum) {
  auto bytes = read_all(fixtures() / "rgb8.png");
  bytes[bytes.find("IDAT") + 40] ^= 1;
  EXPECT_THAT(error_of(bytes), HasSubstr("truncated or damaged"));
}

std::string big_endian(int number) { return {static_cast<char>(number >> 8), static_cast<char>(number)}; }

TEST(HugeImage, IsRefusedBeforeItsPixelsAreDecoded) {
  const auto jpeg = read_all(fixtures() / "colour_444.jpg");
  const auto frame = jpeg.find("\xFF\xC0");
  ASSERT_NE(frame, std::string::npos);
  const auto huge_jpeg = with_big_endian_number(jpeg, frame + 5, 0xFDE8FDE8u, 4);  // 65,000 × 65,000
  EXPECT_THAT(error_of(huge_jpeg), AllOf(HasSubstr("65000 × 65000"), HasSubstr("100 megapixels")));
}

TEST(HugeImage, IsRefusedWhenAShortPngCannotHoldItsPixels) {
  // 9,000 × 9,000 is allowed, but not from 400 bytes. The header's checksum is right, so only the size tells.
  auto png = read_all(fixtures() / "rgb8.png");
  png = with_big_endian_number(png, 16, 9000, 4);
  png = with_big_endian_number(png, 20, 9000, 4);
  png = with_big_endian_number(png, 29, 0xE2B7E5EDu, 4);
  EXPECT_THAT(error_of(png), HasSubstr("too short for its size"));
}

// A grey JPEG, its scans and their bits given. In its Huffman tables '0' means: no difference, no more
// coefficients.
std::string grey_jpeg(unsigned char frame_marker, int width, int height, const std::string& scans) {
  const auto segment = [](unsigned char marker, const std::string& content) {
    return "\xFF" + std::string(1, static_cast<char>(marker)) +
           big_endian(static_cast<int>(content.size()) + 2) + content;
  };
  const std::string quantisation = std::string(1, '\0') + std::string(64, '\1');
  const auto frame = "\x08" + big_endian(height) + big_endian(width) + std::string("\1\1\x11\0", 4);
  const auto huffman = [](char table) {
    std::string content(18, '\0');  // one code of one bit, which stands for 0
    content[0] = table;
    content[1] = '\1';
    return content;
  };
  return "\xFF\xD8" + segment(0xDB, quantisation) + segment(frame_marker, frame) +
         segment(0xC4, huffman('\0') + huffman('\x10')) + scans + "\xFF\xD9";
}

// A progressive picture of one block that is sent `scans` times: all that a scan needs is one bit.
std::string jpeg_with_scans(int scans) {
  std::string bytes;
  for (int i = 0; i < scans; ++i) bytes += std::string("\xFF\xDA\0\x08\1\1\0\0\0\0\x7F", 11);
  return grey_jpeg(0xC2, 8, 8, bytes);
}

TEST(HugeImage, IsReadWhereAJpegIsWantedSmaller) {
  const std::string scan("\xFF\xDA\0\x08\1\1\0\0\x3F\0", 10);
  const auto bits = std::string(10'400 * 10'000 / 64 * 2 / 8, '\0');  // two a block
  const auto jpeg = grey_jpeg(0xC0, 10'400, 10'000, scan + bits);
  EXPECT_EQ(image_size(jpeg, "p"), (ImageSize{10'400, 10'000}));
  EXPECT_THAT(error_of(jpeg), HasSubstr("10400 × 10000"));
  const auto small = decode_image(jpeg, "p", {.shorter_side = 1000});
  EXPECT_EQ(small.width, 1300);
  EXPECT_EQ(small.height, 1250);
  EXPECT_EQ(small.rgb.back(), 128);
  EXPECT_FALSE(thumbnail_jpeg(jpeg, "p", 200).empty());
  // A progressive one is held in full whatever is wanted of it.
  const auto progressive = grey_jpeg(0xC2, 10'400, 10'000, scan + bits);
  EXPECT_THROW(decode_image(progressive, "p", {.shorter_side = 1000}), Error);
}

TEST(HugeImage, IsRefusedWhenItAsksForTooManyPasses) {
  EXPECT_EQ(decode_image(jpeg_with_scans(100), "p").rgb, std::vector<std::uint8_t>(8 * 8 * 3, 128));
  EXPECT_THAT(error_of(jpeg_with_scans(2000)), HasSubstr("more than 500 scans"));
}

TEST(OddImage, IsReadWhenOnlyItsMetadataIsBroken) {
  auto bytes = read_all(fixtures() / "orientation_6.jpg");
  const auto exif = bytes.find(std::string("Exif\0\0", 6));
  ASSERT_NE(exif, std::string::npos);
  // A directory that starts behind the block: the picture is shown as stored.
  const auto lost = with_big_endian_number(bytes, exif + 10, 0xFFFFFFF0u, 4);
  EXPECT_EQ(image_size(lost, "p"), (ImageSize{37, 21}));
  // An orientation that does not exist.
  const auto ninth = with_big_endian_number(bytes, exif + 24, 9, 2);
  EXPECT_EQ(image_size(ninth, "p"), (ImageSize{37, 21}));
}

TEST(OddImage, IsReadWithBytesBehindItsEnd) {
  EXPECT_EQ(error_of(read_all(fixtures() / "colour_444.jpg") + "trailing"), "");
  EXPECT_EQ(error_of(read_all(fixtures() / "rgb8.png") + "trailing"), "");
}

TEST(RealPhotos, OfCubAllDecodeAtTheSizeTheyClaim) {
  const auto root = test::shared_data("cub200/CUB_200_2011/images");
  if (!root) GTEST_SKIP() << "no ../shared/cub200";
  int seen = 0;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(*root)) {
    if (entry.path().extension() != ".jpg") continue;
    if (++seen % 40 != 0) continue;  // some of every class
    const auto bytes = read_all(entry.path());
    const auto image = decode_image(bytes, entry.path().string());
    EXPECT_EQ(image_size(bytes, "p"), (ImageSize{image.width, image.height}));
  }
  EXPECT_GT(seen, 0);
}

}  // namespace
}  // namespace procsim
