#include "data/base/utc_time.hpp"

#include <gtest/gtest.h>

namespace procsim {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;
using Moment = std::chrono::system_clock::time_point;

// Expected texts: date --utc --date=@SECONDS +%FT%TZ
TEST(UtcTime, IsTheCalendarsWhateverTheTimeZone) {
  EXPECT_EQ(utc_text(Moment(seconds(0))), "1970-01-01T00:00:00Z");
  EXPECT_EQ(utc_text(Moment(seconds(951'827'696))), "2000-02-29T12:34:56Z");
  EXPECT_EQ(utc_text(Moment(seconds(4'102'444'799))), "2099-12-31T23:59:59Z");
}

TEST(UtcTime, CutsWhatIsLessThanASecond) {
  EXPECT_EQ(utc_text(Moment(milliseconds(1'999))), "1970-01-01T00:00:01Z");
  EXPECT_EQ(utc_text(Moment(milliseconds(-1))), "1969-12-31T23:59:59Z");
}

TEST(UtcTime, ShowsThreeDigitsOfASecond) {
  EXPECT_EQ(utc_milliseconds_text(Moment(milliseconds(1'007))), "1970-01-01T00:00:01.007Z");
  EXPECT_EQ(utc_milliseconds_text(Moment(milliseconds(951'827'696'120))), "2000-02-29T12:34:56.120Z");
  EXPECT_EQ(utc_milliseconds_text(Moment(milliseconds(-1))), "1969-12-31T23:59:59.999Z");
}

}  // namespace
}  // namespace procsim
