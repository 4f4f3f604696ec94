#include "data/images/image.hpp"

#include <cmath>
#include <fstream>
#include <sstream>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "data/base/error.hpp"
#include "tests/support/test_files.hpp"

namespace procsim {
namespace {

using test::read_all;

std::filesystem::path fixtures() { return test::source_folder() / "tests/data/images/fixtures"; }

std::vector<std::uint8_t> from_hex(const std::string& hex) {
  std::vector<std::uint8_t> bytes;
  for (std::size_t i = 0; i + 1 < hex.size(); i += 2) {
    bytes.push_back(static_cast<std::uint8_t>(std::stoi(hex.substr(i, 2), nullptr, 16)));
  }
  return bytes;
}

struct Fixture {
  std::string name;
  int tolerance = 0;
  Image shown;
};

void PrintTo(const Fixture& fixture, std::ostream* out) { *out << fixture.name; }

// Written by make_image_fixtures.py with Pillow and NumPy.
std::vector<Fixture> read_fixtures() {
  std::ifstream in(fixtures() / "expected.txt");
  std::vector<Fixture> all;
  Fixture fixture;
  std::string hex;
  while (in >> fixture.name >> fixture.shown.width >> fixture.shown.height >> fixture.tolerance >> hex) {
    fixture.shown.rgb = from_hex(hex);
    all.push_back(fixture);
  }
  return all;
}

int largest_difference(const Image& a, const Image& b) {
  if (a.width != b.width || a.height != b.height || a.rgb.size() != b.rgb.size()) return 256;
  int largest = 0;
  for (std::size_t i = 0; i < a.rgb.size(); ++i) largest = std::max(largest, std::abs(a.rgb[i] - b.rgb[i]));
  return largest;
}

double mean_difference(const Image& a, const Image& b) {
  if (a.width != b.width || a.height != b.height) return 256;
  double sum = 0;
  for (std::size_t i = 0; i < a.rgb.size(); ++i) sum += std::abs(a.rgb[i] - b.rgb[i]);
  return sum / static_cast<double>(a.rgb.size());
}

// Smooth, with a bright disc right of the middle.
Image test_photo(int width, int height) {
  Image image{width, height, std::vector<std::uint8_t>(3 * static_cast<std::size_t>(width) * height)};
  for (int y = 0; y < height; ++y) {
    for (int x = 0; x < width; ++x) {
      auto* pixel = image.pixel(x, y);
      const double u = (x + 0.5) / width;
      const double v = (y + 0.5) / height;
      const bool disc = std::hypot(u - 0.7, v - 0.4) < 0.15;
      pixel[0] = disc ? 240 : static_cast<std::uint8_t>(200 * u);
      pixel[1] = disc ? 200 : static_cast<std::uint8_t>(200 * v);
      pixel[2] = static_cast<std::uint8_t>(60 + 60 * u * v);
    }
  }
  return image;
}

class EveryImageKind : public testing::TestWithParam<Fixture> {};

TEST_P(EveryImageKind, DecodesToWhatPillowAndNumpyShow) {
  const auto& fixture = GetParam();
  const auto image = decode_image(read_all(fixtures() / fixture.name), fixture.name);
  EXPECT_EQ(image.width, fixture.shown.width);
  EXPECT_EQ(image.height, fixture.shown.height);
  EXPECT_LE(largest_difference(image, fixture.shown), fixture.tolerance);
}

TEST_P(EveryImageKind, TellsItsSizeFromTheHeaders) {
  const auto& fixture = GetParam();
  const ImageSize expected{fixture.shown.width, fixture.shown.height};
  EXPECT_EQ(image_size(read_all(fixtures() / fixture.name), fixture.name), expected);
}

INSTANTIATE_TEST_SUITE_P(Fixtures, EveryImageKind, testing::ValuesIn(read_fixtures()), [](const auto& test) {
  auto name = test.param.name;
  for (auto& letter : name) {
    if (!std::isalnum(static_cast<unsigned char>(letter))) letter = '_';
  }
  return name;
});

TEST(DecodeImage, HasFixturesOfEveryKind) { EXPECT_GE(read_fixtures().size(), 50u); }

TEST(DecodeImage, DecodesALargeJpegNearTheWantedSizeAndNeverBelow) {
  const auto bytes = encode_jpeg(test_photo(1600, 1200), 90);
  const auto shorter_side = [&](int wanted) {
    return decode_image(bytes, "p", {.shorter_side = wanted}).height;
  };
  EXPECT_EQ(shorter_side(100), 150);    // 1/8
  EXPECT_EQ(shorter_side(150), 150);    // 1/8 exactly
  EXPECT_EQ(shorter_side(151), 300);    // 2/8
  EXPECT_EQ(shorter_side(440), 450);    // 3/8
  EXPECT_EQ(shorter_side(1051), 1200);  // 8/8
  EXPECT_EQ(shorter_side(5000), 1200);  // never enlarged
}

TEST(DecodeImage, ShowsTheSamePictureWhenDecodedSmaller) {
  const auto photo = test_photo(1600, 1200);
  const auto bytes = encode_jpeg(photo, 95);
  for (const int wanted : {150, 300, 450, 600, 750, 1050}) {
    const auto small = decode_image(bytes, "p", {.shorter_side = wanted});
    EXPECT_LT(mean_difference(small, resize(photo, small.width, small.height)), 1.5) << wanted;
  }
}

TEST(DecodeImage, TurnsAPictureAfterScalingIt) {
  // orientation_6.jpg is stored 37 × 21 and seen 21 × 37; a shorter side of 10 needs 4/8.
  const auto small = decode_image(read_all(fixtures() / "orientation_6.jpg"), "p", {.shorter_side = 10});
  EXPECT_EQ(small.width, 11);
  EXPECT_EQ(small.height, 19);
  // Stored, the upper left corner is red; turned to the right, it is at the upper right.
  const auto* corner = small.pixel(small.width - 2, 1);
  EXPECT_GT(corner[0], 180);
  EXPECT_LT(corner[1], 90);
}

TEST(EncodeJpeg, GivesTheSameBytesEveryTimeAndTheSamePictureBack) {
  const auto photo = test_photo(123, 77);
  const auto bytes = encode_jpeg(photo, 95);
  EXPECT_EQ(bytes, encode_jpeg(photo, 95));
  EXPECT_LT(mean_difference(decode_image(bytes, "p"), photo), 1.5);
  EXPECT_LT(encode_jpeg(photo, 40).size(), bytes.size());
}

TEST(EncodePng, GivesTheSameBytesEveryTimeAndEveryPixelBack) {
  const auto photo = test_photo(123, 77);
  const auto bytes = encode_png(photo);
  EXPECT_EQ(bytes, encode_png(photo));
  EXPECT_EQ(decode_image(bytes, "p"), photo);
}

TEST(ThumbnailJpeg, FitsTheLongerSideAndKeepsTheShape) {
  const auto bytes = encode_jpeg(test_photo(1600, 900), 90);
  const auto thumbnail = thumbnail_jpeg(bytes, "p", 160);
  EXPECT_EQ(image_size(thumbnail, "t"), (ImageSize{160, 90}));
  EXPECT_LT(mean_difference(decode_image(thumbnail, "t"), resize(test_photo(1600, 900), 160, 90)), 3.0);
  EXPECT_EQ(thumbnail, thumbnail_jpeg(bytes, "p", 160));
}

TEST(ThumbnailJpeg, IsUprightAndNeverEnlarged) {
  const auto bytes = read_all(fixtures() / "orientation_8.jpg");
  EXPECT_EQ(image_size(thumbnail_jpeg(bytes, "p", 200), "t"), (ImageSize{21, 37}));
}

TEST(ThumbnailJpeg, KeepsAPixelOfAVeryFlatPicture) {
  EXPECT_EQ(image_size(thumbnail_jpeg(encode_png(test_photo(900, 2)), "p", 64), "t"), (ImageSize{64, 1}));
}

void expect_pillows_pictures(const char* file, Resampling resampling) {
  std::ifstream in(fixtures() / file);
  std::string word;
  std::string hex;
  Image source;
  ASSERT_TRUE(in >> word >> source.width >> source.height >> hex);
  source.rgb = from_hex(hex);
  Image expected;
  int compared = 0;
  while (in >> word >> expected.width >> expected.height >> hex) {
    expected.rgb = from_hex(hex);
    EXPECT_LE(largest_difference(resize(source, expected.width, expected.height, resampling), expected), 1)
        << expected.width << " × " << expected.height;
    ++compared;
  }
  EXPECT_EQ(compared, 7);
}

TEST(Resize, AgreesWithPillowsBilinearFilter) {
  expect_pillows_pictures("resize.txt", Resampling::kBilinear);
}

TEST(Resize, AgreesWithPillowsBicubicFilter) {
  expect_pillows_pictures("resize_bicubic.txt", Resampling::kBicubic);
}

TEST(Resize, LeavesAFlatAreaAsItIs) {
  const Image flat{31, 17, std::vector<std::uint8_t>(31 * 17 * 3, 255)};
  for (const int side : {1, 7, 16, 40, 200}) {
    EXPECT_THAT(resize(flat, side, side + 3).rgb, testing::Each(255)) << side;
    EXPECT_THAT(resize(flat, side, side + 3, Resampling::kBicubic).rgb, testing::Each(255)) << side;
  }
}

TEST(Crop, CutsOutTheNamedPart) {
  const auto photo = test_photo(20, 10);
  const auto part = crop(photo, 5, 2, 4, 3);
  EXPECT_EQ(part.width, 4);
  EXPECT_EQ(part.height, 3);
  for (int y = 0; y < 3; ++y) {
    for (int x = 0; x < 4; ++x) EXPECT_EQ(part.pixel(x, y)[0], photo.pixel(5 + x, 2 + y)[0]);
  }
}

}  // namespace
}  // namespace procsim
