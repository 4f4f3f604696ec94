#include "train/settings/option_text.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "train/settings/config.hpp"

namespace procsim::train {
namespace {

TEST(OptionText, IsWhatTheCommandLineHas) {
  EXPECT_EQ(option_name("ms_alpha"), "--ms-alpha");
  EXPECT_EQ(option_text("adam"), "adam");
  EXPECT_EQ(option_text(0.5), "0.5");
  EXPECT_EQ(option_text(true), "true");
}

// A list that lacks the default would refuse every run.
TEST(OptionText, EveryDefaultIsAmongItsChoices) {
  std::size_t checked = 0;
  const auto defaults = to_json(TrainConfig{});
  for (const auto& [field, value] : defaults.items())
    if (const auto choices = choices_of(field); !choices.empty()) {
      EXPECT_THAT(choices, ::testing::Contains(value.get<std::string>())) << field;
      ++checked;
    }
  EXPECT_EQ(checked, 15U);
  EXPECT_TRUE(choices_of("lr").empty());
}

}  // namespace
}  // namespace procsim::train
