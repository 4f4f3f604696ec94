#include "train/frame/option_check.hpp"

#include <gtest/gtest.h>

#include "data/base/error.hpp"
#include "tests/support/expect_error.hpp"

namespace procsim::train {
namespace {

TEST(OptionCheck, SaysWhichOptionIsWrongAndWhatItMustBe) {
  require_option(true, "--x", 1, "above 0");
  test::expect_error([] { require_option(false, "--x-margin", 0, "above 0"); }, {"--x-margin 0", "above 0"});
  require_choice("--x-form", "all", {"all", "some"});
  test::expect_error([] { require_choice("--x-form", "al", {"all", "some"}); },
                     {"--x-form al", "all, some", "all"});
  EXPECT_THROW(require_option(false, "--x", 0, ""), UsageError);
}

}  // namespace
}  // namespace procsim::train
