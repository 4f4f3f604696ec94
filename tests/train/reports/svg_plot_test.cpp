#include "train/reports/svg_plot.hpp"

#include <gtest/gtest.h>

namespace procsim::train {
namespace {

TEST(SvgPlot, TicksAreRound) {
  EXPECT_EQ(round_ticks(0, 1, 5), (std::vector<double>{0, 0.2, 0.4, 0.6000000000000001, 0.8, 1}));
  EXPECT_EQ(round_ticks(3, 3, 5), (std::vector<double>{3}));
}

TEST(SvgPlot, NothingToDrawIsNothing) {
  EXPECT_EQ(line_plot({}, {}), "");
  EXPECT_EQ(line_plot({}, {{"empty", {}}}), "");
  EXPECT_EQ(histogram_rows({}, {}, {}, ""), "");
}

}  // namespace
}  // namespace procsim::train
