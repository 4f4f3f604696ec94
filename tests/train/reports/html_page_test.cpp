#include "train/reports/html_page.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace procsim::train {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

TEST(HtmlPage, EscapesItsTitleAndNeedsNothingFromElsewhere) {
  const auto page = html_page("a<b>", "<p>body</p>");
  EXPECT_THAT(page, HasSubstr("<title>a&lt;b&gt;</title>"));
  EXPECT_THAT(page, HasSubstr("<body><p>body</p></body></html>"));
  EXPECT_THAT(page, HasSubstr(".line-5{stroke:var(--s5)}"));
  EXPECT_THAT(page, Not(HasSubstr("http")));
}

}  // namespace
}  // namespace procsim::train
