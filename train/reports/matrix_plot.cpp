#include "train/reports/matrix_plot.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <string_view>

#include <fmt/format.h>

#include "data/base/base64.hpp"
#include "data/base/letters.hpp"
#include "data/base/markup.hpp"
#include "data/images/image.hpp"

namespace procsim::train {
namespace {

// Two matrices with their names fill the width of a page.
constexpr double kNames = 160;
constexpr double kSide = 380;
constexpr double kGap = 20;
constexpr double kTitleHeight = 22;
constexpr double kRangeHeight = 20;
constexpr double kLine = 12;  // names closer than this cannot be read
constexpr std::size_t kLetters = 26;

// Of different things: that everything is like itself says nothing, and would leave the rest pale.
struct Scale {
  float least = 0, most = 1;
};
Scale scale_of(const std::vector<float>& values, std::size_t side) {
  if (side < 2) return {};
  Scale scale{values[1], values[1]};
  for (std::size_t i = 0; i < values.size(); ++i) {
    if (i % (side + 1) == 0) continue;
    scale.least = std::min(scale.least, values[i]);
    scale.most = std::max(scale.most, values[i]);
  }
  return scale;
}

// A pixel per pair; the page enlarges it.
std::string picture(const std::vector<float>& values, std::size_t side, const Scale& scale) {
  constexpr std::array<float, 3> kLight{248, 250, 252};
  constexpr std::array<float, 3> kDark{16, 52, 110};
  Image image{static_cast<int>(side), static_cast<int>(side), {}};
  for (const float value : values) {
    const float part =
        std::clamp((value - scale.least) / std::max(1e-6F, scale.most - scale.least), 0.0F, 1.0F);
    for (std::size_t channel = 0; channel < 3; ++channel)
      image.rgb.push_back(static_cast<std::uint8_t>(
          std::lround(kLight[channel] + part * (kDark[channel] - kLight[channel]))));
  }
  return base64(encode_png(image));
}

// With as many digits as tell the two apart: embeddings of a young model differ little.
std::string range(const Scale& scale) {
  const double width = std::max(1e-6, static_cast<double>(scale.most) - scale.least);
  const int digits = std::max(2, 1 + static_cast<int>(std::ceil(-std::log10(width))));
  return fmt::format("{:.{}f} (light) to {:.{}f} (dark)", scale.least, digits, scale.most, digits);
}

std::string row_names(const std::vector<std::string>& names) {
  const double row = kSide / static_cast<double>(names.size());
  const auto step = static_cast<std::size_t>(std::ceil(kLine / row));
  std::string text;
  for (std::size_t i = 0; i < names.size(); i += step) {
    const double y = kTitleHeight + (static_cast<double>(i) + 0.5) * row;
    text += fmt::format(
        "<text x=\"{:.1f}\" y=\"{:.1f}\" text-anchor=\"end\">{}</text>"
        "<line class=\"grid\" x1=\"{:.1f}\" y1=\"{:.1f}\" x2=\"{:.1f}\" y2=\"{:.1f}\"/>",
        kNames - 6, y + 4, markup_text(shortened(names[i], kLetters)), kNames - 4, y, kNames, y);
  }
  return text;
}

}  // namespace

std::string matrix_plots(const std::vector<std::string>& names,
                         const std::vector<SimilarityMatrix>& matrices) {
  if (names.empty() || matrices.empty()) return "";
  const double width = kNames + static_cast<double>(matrices.size()) * (kSide + kGap) - kGap;
  std::string text = fmt::format("<svg viewBox=\"0 0 {0:.0f} {1:.0f}\" width=\"{0:.0f}\" height=\"{1:.0f}\">",
                                 width, kTitleHeight + kSide + kRangeHeight) +
                     row_names(names);
  double x = kNames;
  for (const auto& matrix : matrices) {
    const auto scale = scale_of(matrix.values, names.size());
    text += fmt::format(
        "<text class=\"title\" x=\"{0:.1f}\" y=\"14\">{1}</text><image role=\"img\" aria-label=\"{1}\" "
        "x=\"{0:.1f}\" y=\"{2}\" width=\"{3}\" "
        "height=\"{3}\" preserveAspectRatio=\"none\" href=\"data:image/png;base64,{4}\"/>"
        "<text class=\"tick\" x=\"{0:.1f}\" y=\"{5:.1f}\">{6}</text>",
        x, markup_text(matrix.title), kTitleHeight, kSide, picture(matrix.values, names.size(), scale),
        kTitleHeight + kSide + 14, range(scale));
    x += kSide + kGap;
  }
  return text + "</svg>";
}

}  // namespace procsim::train
