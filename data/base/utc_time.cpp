#include "data/base/utc_time.hpp"

#include <fmt/chrono.h>
#include <fmt/format.h>

namespace procsim {
namespace {

using Clock = std::chrono::system_clock;

std::string calendar_text(std::chrono::time_point<Clock, std::chrono::seconds> moment) {
  return fmt::format("{:%Y-%m-%dT%H:%M:%S}", fmt::gmtime(Clock::to_time_t(moment)));
}

}  // namespace

std::string utc_text(Clock::time_point moment) {
  return calendar_text(std::chrono::floor<std::chrono::seconds>(moment)) + "Z";
}

std::string utc_milliseconds_text(Clock::time_point moment) {
  const auto seconds = std::chrono::floor<std::chrono::seconds>(moment);
  const auto rest = std::chrono::floor<std::chrono::milliseconds>(moment - seconds);
  return fmt::format("{}.{:03}Z", calendar_text(seconds), rest.count());
}

}  // namespace procsim
