#pragma once

#include <chrono>
#include <string>

namespace procsim {

// "2026-03-01T09:05:00Z": a moment as it stands in files, in whole seconds before it.
std::string utc_text(std::chrono::system_clock::time_point moment);

// "2026-03-01T09:05:00.120Z"
std::string utc_milliseconds_text(std::chrono::system_clock::time_point moment);

}  // namespace procsim
