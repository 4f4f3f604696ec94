#include "train/reports/matrix_plot.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace procsim::train {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

TEST(MatrixPlot, NamesEveryRowThatThereIsRoomFor) {
  EXPECT_EQ(matrix_plots({}, {}), "");
  const std::vector<float> apart{1, 0.25F, 0.5F, 0.25F, 1, 0.75F, 0.5F, 0.75F, 1};
  const std::vector<float> close{1, 0.9991F, 0.9993F, 0.9991F, 1, 0.9995F, 0.9993F, 0.9995F, 1};
  const auto some = matrix_plots({"jay & co", "tern", "gull"}, {{"A", apart}, {"B", close}});
  EXPECT_THAT(some, HasSubstr(">jay &amp; co</text>"));
  EXPECT_THAT(some, HasSubstr(">gull</text>"));
  EXPECT_THAT(some, HasSubstr(">0.25 (light) to 0.75 (dark)<")) << "what is like itself does not count";
  EXPECT_THAT(some, HasSubstr(">0.99910 (light) to 0.99950 (dark)<"));
  std::vector<std::string> names;
  for (int i = 0; i < 100; ++i) names.push_back("class " + std::to_string(i));
  const auto many = matrix_plots(names, {{"A", std::vector<float>(10000, 0.5F)}});
  EXPECT_THAT(many, HasSubstr(">class 96</text>"));
  EXPECT_THAT(many, Not(HasSubstr(">class 97</text>")));
  const std::string longest = "Größenwahn am Straßenrand überall";
  EXPECT_THAT(matrix_plots({longest}, {{"A", {1}}}), HasSubstr(">Größenwahn am Straßenrand…</text>"));
}

}  // namespace
}  // namespace procsim::train
